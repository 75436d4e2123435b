//! Arbitrary bytes as a picture that Basis Universal compressed.

use canter_gltf::PictureLimits;

/// Decodes the bytes; what comes out must be as large as it says.
pub fn ktx2(data: &[u8]) {
    let limits = PictureLimits { side: 2048, bytes: 16 << 20 };
    match canter_gltf::decode_ktx2(data, &limits) {
        Ok(picture) => {
            assert!(picture.width.max(picture.height) <= limits.side, "it is larger than the limits");
            let texels = u64::from(picture.width) * u64::from(picture.height);
            assert_eq!(picture.rgba.len() as u64, 4 * texels, "four bytes a texel");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "an error without words"),
    }
}
