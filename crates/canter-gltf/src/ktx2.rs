//! `KHR_texture_basisu`: pictures in KTX 2.0 files, compressed by Basis Universal.
//!
//! The container is checked by ktx2 and the picture decoded by basisu. Both are young and trust what a file claims
//! of its size: what is done here is to refuse claims that no picture of a surface makes, before anything is
//! allocated for them.

/// How a KTX 2.0 file begins.
const MAGIC: [u8; 12] = [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', 0xBB, b'\r', b'\n', 0x1A, b'\n'];

/// A decoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// Red, green, blue and alpha of every texel, row by row from the upper left.
    pub rgba: Vec<u8>,
}

/// How large a picture may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureLimits {
    /// Texels along each side.
    pub side: u32,
    /// Bytes of the decoded picture.
    pub bytes: u64,
}

impl Default for PictureLimits {
    /// More than anybody can see.
    fn default() -> Self {
        Self { side: 16_384, bytes: 1 << 30 }
    }
}

/// Why a KTX 2.0 file cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ktx2Error {
    /// The crate was built without the feature `ktx2`.
    #[error("KTX 2.0 pictures need the feature `ktx2` of canter-gltf")]
    NotBuilt,
    /// The container is broken.
    #[error("broken KTX 2.0 file: {0}")]
    Container(String),
    /// It is not what the extension allows: one flat picture.
    #[error("{what} is {found}, expected {expected}")]
    Shape {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// How many there may be.
        expected: u64,
    },
    /// It is larger than the limits.
    #[error("a picture of {width} by {height} texels is too large")]
    TooLarge {
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
    },
    /// The picture itself is broken, or of a kind that is not supported.
    #[error("the compressed picture does not decode: {0}")]
    Picture(String),
}

/// Whether bytes are those of a KTX 2.0 file.
#[must_use]
pub fn is_ktx2(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Decodes the largest level of a picture.
///
/// # Errors
/// When the file is broken, is no flat picture that Basis Universal compressed, or is larger than the limits;
/// without the feature `ktx2` always.
#[cfg(not(feature = "ktx2"))]
pub fn decode_ktx2(_: &[u8], _: &PictureLimits) -> Result<Picture, Ktx2Error> {
    Err(Ktx2Error::NotBuilt)
}

/// Decodes the largest level of a picture.
///
/// # Errors
/// When the file is broken, is no flat picture that Basis Universal compressed, or is larger than the limits;
/// without the feature `ktx2` always.
#[cfg(feature = "ktx2")]
pub fn decode_ktx2(bytes: &[u8], limits: &PictureLimits) -> Result<Picture, Ktx2Error> {
    use basisu::{DecodeFlags, TargetFormat, Transcoder};

    let (width, height) = guard(bytes, limits)?;
    let broken = |error: basisu::Error| Ktx2Error::Picture(format!("{error:?}"));
    let transcoder = Transcoder::new(bytes).map_err(broken)?;
    let rgba = transcoder.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE).map_err(broken)?;
    if rgba.len() as u64 != 4 * u64::from(width) * u64::from(height) {
        return Err(Ktx2Error::Picture(format!("{} bytes", rgba.len())));
    }
    Ok(Picture { width, height, rgba })
}

/// Refuses what a flat picture never claims; gives its size.
#[cfg(feature = "ktx2")]
fn guard(bytes: &[u8], limits: &PictureLimits) -> Result<(u32, u32), Ktx2Error> {
    let reader = ::ktx2::Reader::new(bytes).map_err(|error| Ktx2Error::Container(error.to_string()))?;
    let header = reader.header();
    let (width, height) = (header.pixel_width, header.pixel_height);
    let at_most = |what, found: u32, most: u32| {
        let (found, expected) = (found.into(), most.into());
        if found <= expected { Ok(()) } else { Err(Ktx2Error::Shape { what, found, expected }) }
    };
    at_most("the depth", header.pixel_depth, 0)?;
    at_most("the number of layers", header.layer_count, 1)?;
    at_most("the number of faces", header.face_count, 1)?;
    if width == 0 || height == 0 {
        return Err(Ktx2Error::Shape { what: "the number of texels", found: 0, expected: 1 });
    }
    let texels = u64::from(width) * u64::from(height);
    if width.max(height) > limits.side || texels.saturating_mul(4) > limits.bytes {
        return Err(Ktx2Error::TooLarge { width, height });
    }
    at_most("the number of levels", header.level_count, width.max(height).ilog2() + 1)?;
    for (level, data) in (0_u32..).zip(reader.levels()) {
        // The largest blocks of a texel are those of UASTC: 16 bytes for 4 by 4.
        let blocks = |side: u32| u64::from((side >> level).max(1).div_ceil(4));
        let expected = blocks(width) * blocks(height) * 16;
        let found = data.uncompressed_byte_length;
        if found > expected {
            return Err(Ktx2Error::Shape { what: "the size of a level in bytes", found, expected });
        }
    }
    Ok((width, height))
}
