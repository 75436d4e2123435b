//! Pictures on surfaces.

use std::collections::HashMap;
use std::io::Cursor;
use std::sync::Arc;

use canter::glam::{UVec2, Vec2, Vec4};
use canter_gltf::{Filter, PictureLimits, Sampler, Wrap};
use canter_scene::Model;

use crate::color::linear_from_srgb;

/// Larger pictures are refused: nobody can see that many texels.
const MAX_SIDE: u32 = 16_384;
const MOST_BYTES: u64 = 1 << 30;

/// A decoded texture: light and alpha, at full size and at half of it, and so on down to a single texel.
#[derive(Debug)]
pub(crate) struct Texture {
    levels: Vec<Level>,
    sampler: Sampler,
}

#[derive(Debug)]
struct Level {
    size: UVec2,
    /// sRGB, or its mean; four bytes a texel.
    texels: Vec<[u8; 4]>,
}

/// Decodes each picture once.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    /// By the address of the model, which cannot be another's as long as it is kept here.
    models: HashMap<usize, Decoded>,
}

#[derive(Debug)]
struct Decoded {
    model: Arc<Model>,
    textures: HashMap<usize, Arc<Texture>>,
}

impl Textures {
    /// A texture, or plain grey where its picture is missing or cannot be decoded.
    pub(crate) fn texture(&mut self, model: &Arc<Model>, index: usize) -> Arc<Texture> {
        let key = Arc::as_ptr(model).addr();
        let new = || Decoded { model: Arc::clone(model), textures: HashMap::new() };
        let Decoded { model, textures } = self.models.entry(key).or_insert_with(new);
        let texture =
            textures.entry(index).or_insert_with(|| Arc::new(load(model, index).unwrap_or_else(grey)));
        Arc::clone(texture)
    }
}

/// What is seen of a picture that nobody can read.
fn grey() -> Texture {
    let level = Level { size: UVec2::ONE, texels: vec![[128, 128, 128, 255]] };
    Texture { levels: vec![level], sampler: Sampler::default() }
}

fn load(model: &Model, index: usize) -> Option<Texture> {
    let texture = model.asset.textures.get(index)?;
    let image = model.asset.images.get(texture.image?)?;
    let name = image.name.as_deref().or(image.uri.as_deref()).unwrap_or("without a name");
    match decode(&image.bytes) {
        Ok(level) => Some(Texture { levels: levels(level), sampler: texture.sampler }),
        Err(_) if image.bytes.is_empty() => None, // the loader has said so
        Err(error) => {
            log::warn!("the image {name} cannot be decoded, its surfaces are grey: {error}");
            None
        }
    }
}

fn decode(bytes: &[u8]) -> Result<Level, Box<dyn std::error::Error>> {
    if canter_gltf::is_ktx2(bytes) {
        let limits = PictureLimits { side: MAX_SIDE, bytes: MOST_BYTES };
        let picture = canter_gltf::decode_ktx2(bytes, &limits)?;
        let texels = picture.rgba.as_chunks::<4>().0.to_vec();
        return Ok(Level { size: UVec2::new(picture.width, picture.height), texels });
    }
    let mut reader = image::ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let picture = reader.decode()?.into_rgba8();
    let size = UVec2::new(picture.width().max(1), picture.height().max(1));
    let mut texels: Vec<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
    texels.resize(size.x as usize * size.y as usize, [0; 4]);
    Ok(Level { size, texels })
}

/// Halves a picture until a single texel is left. The mean is taken of bytes: a small error, in a place that
/// is small.
fn levels(first: Level) -> Vec<Level> {
    let mut levels = vec![first];
    while let Some(last) = levels.last().filter(|last| last.size.max_element() > 1) {
        let size = (last.size / 2).max(UVec2::ONE);
        let texels = (0..size.y)
            .flat_map(|y| (0..size.x).map(move |x| UVec2::new(x, y)))
            .map(|at| {
                let four =
                    [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE].map(|step| last.texel(at * 2 + step));
                std::array::from_fn(|lane| {
                    let sum: u16 = four.iter().map(|texel| u16::from(texel[lane])).sum();
                    u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX)
                })
            })
            .collect();
        levels.push(Level { size, texels });
    }
    levels
}

impl Level {
    fn texel(&self, at: UVec2) -> [u8; 4] {
        let at = at.min(self.size - UVec2::ONE);
        self.texels[(at.y * self.size.x + at.x) as usize]
    }
}

impl Texture {
    /// Texels along each side, at full size.
    pub(crate) fn size(&self) -> Vec2 {
        self.levels[0].size.as_vec2()
    }

    /// The level whose texels are about as large as the samples, when a sample is as large as so many texels.
    pub(crate) fn level(&self, texels_per_sample: f32) -> usize {
        if self.sampler.mip_filter.is_none() {
            return 0;
        }
        let mut level = 0;
        let mut texels = texels_per_sample;
        while texels >= 1.5 && level + 1 < self.levels.len() {
            texels /= 2.0;
            level += 1;
        }
        level
    }

    /// Light and alpha at a place.
    pub(crate) fn sample(&self, uv: Vec2, level: usize) -> Vec4 {
        let level = &self.levels[level.min(self.levels.len() - 1)];
        let filter = if std::ptr::eq(level, &raw const self.levels[0]) {
            self.sampler.mag_filter
        } else {
            self.sampler.min_filter
        };
        // Beyond this, a float has no places behind the point left.
        let uv = if uv.is_finite() { uv.clamp(Vec2::splat(-1e5), Vec2::splat(1e5)) } else { Vec2::ZERO };
        let place = uv * level.size.as_vec2();
        if filter == Filter::Nearest {
            return light(self.wrapped(level, place.floor()));
        }
        let corner = (place - 0.5).floor();
        let part = place - 0.5 - corner;
        let at = |x: f32, y: f32| light(self.wrapped(level, corner + Vec2::new(x, y)));
        at(0.0, 0.0).lerp(at(1.0, 0.0), part.x).lerp(at(0.0, 1.0).lerp(at(1.0, 1.0), part.x), part.y)
    }

    fn wrapped(&self, level: &Level, place: Vec2) -> [u8; 4] {
        let x = wrap(self.sampler.wrap_u, place.x, level.size.x);
        let y = wrap(self.sampler.wrap_v, place.y, level.size.y);
        level.texel(UVec2::new(x, y))
    }
}

fn light(texel: [u8; 4]) -> Vec4 {
    let [r, g, b, alpha] = texel;
    Vec4::new(linear_from_srgb(r), linear_from_srgb(g), linear_from_srgb(b), f32::from(alpha) / 255.0)
}

/// The texel that is at a place which may be beyond the edge.
fn wrap(wrap: Wrap, place: f32, size: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "places are bounded")]
    let (place, size) = (place as i64, i64::from(size));
    let texel = match wrap {
        Wrap::Clamp => place.clamp(0, size - 1),
        Wrap::Repeat => place.rem_euclid(size),
        Wrap::Mirror => {
            let place = place.rem_euclid(2 * size);
            if place < size { place } else { 2 * size - 1 - place }
        }
    };
    u32::try_from(texel).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_beyond_the_edge_wrap() {
        let table = [
            (Wrap::Clamp, [0, 0, 0, 1, 2, 2, 2]),
            (Wrap::Repeat, [1, 2, 0, 1, 2, 0, 1]),
            (Wrap::Mirror, [1, 0, 0, 1, 2, 2, 1]),
        ];
        for (mode, expected) in table {
            let found: Vec<_> = (-2_i8..5).map(|place| wrap(mode, f32::from(place), 3)).collect();
            assert_eq!(found, expected, "{mode:?}");
        }
    }

    #[test]
    fn the_last_level_is_the_mean() {
        let texels = vec![[0, 0, 0, 255], [200, 0, 0, 255], [0, 100, 0, 255], [200, 100, 0, 255]];
        let levels = levels(Level { size: UVec2::splat(2), texels });
        assert_eq!(levels.len(), 2);
        assert_eq!(levels[1].texels, [[100, 50, 0, 255]]);
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        assert!(decode(b"").is_err());
        assert!(decode(b"\x89PNG\r\n\x1a\n").is_err());
    }
}
