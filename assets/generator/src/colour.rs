//! Colours as a painter names them (sRGB) and as vertex colours store them (linear light).

use glam::DVec3;

/// Linear red, green and blue, 0 to 1.
#[derive(Clone, Copy)]
pub(crate) struct Colour(DVec3);

impl Colour {
    /// From `0xRRGGBB` in sRGB.
    pub(crate) fn srgb(hex: u32) -> Self {
        let channel = |shift: u32| {
            let s = f64::from((hex >> shift) & 0xff) / 255.0;
            // A cubic within 0.002 of the standard's curve: a power would need the system's libm.
            s * (s * (s * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
        };
        Self(DVec3::new(channel(16), channel(8), channel(0)))
    }

    pub(crate) fn mix(self, other: Self, share: f64) -> Self {
        Self(self.0.lerp(other.0, share))
    }

    /// Darkened by a share of each channel.
    pub(crate) fn lit(self, light: DVec3) -> Self {
        Self(self.0 * light)
    }

    /// Opaque RGBA.
    pub(crate) fn quantised(self) -> [u8; 4] {
        let [r, g, b] = self.0.to_array().map(|channel| (channel * 255.0).round() as u8);
        [r, g, b, 255]
    }
}
