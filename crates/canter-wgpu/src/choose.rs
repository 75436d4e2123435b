//! Where palettes live on a given device.

use crate::palette_layout::{PaletteLayout, PaletteLocation};

impl PaletteLayout {
    /// Packed palettes where they are read fastest: in a uniform buffer while they fit, else in a storage buffer, or in a texture
    /// where there are none. Each character is a draw of its own then; for crowds see [`choose_instanced`](Self::choose_instanced).
    #[must_use]
    pub fn choose(limits: &wgpu::Limits, joints: usize) -> Self {
        let uniform = Self { location: PaletteLocation::Uniform, ..Self::default() };
        if uniform.fits_uniform(joints, 0) { uniform } else { Self::choose_instanced(limits) }
    }

    /// Packed palettes for characters that share a mesh and are one draw: in a storage buffer, or in a texture where the device has
    /// none (as on WebGL2).
    #[must_use]
    pub fn choose_instanced(limits: &wgpu::Limits) -> Self {
        let has_storage = limits.max_storage_buffers_per_shader_stage > 0;
        let location = if has_storage { PaletteLocation::Storage } else { PaletteLocation::Texture };
        Self { location, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_and_limits_decide() {
        let (native, web) = (wgpu::Limits::default(), wgpu::Limits::downlevel_webgl2_defaults());
        for (limits, joints, location) in [
            (&native, 341, PaletteLocation::Uniform),
            (&native, 342, PaletteLocation::Storage),
            (&web, 341, PaletteLocation::Uniform),
            (&web, 342, PaletteLocation::Texture),
        ] {
            assert_eq!(PaletteLayout::choose(limits, joints).location, location);
        }
        assert_eq!(PaletteLayout::choose_instanced(&native).location, PaletteLocation::Storage);
        assert_eq!(PaletteLayout::choose_instanced(&web).location, PaletteLocation::Texture);
    }
}
