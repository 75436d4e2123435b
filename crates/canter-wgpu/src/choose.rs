//! Where palettes live on a given device.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::palette_buffer::storage_layout_entry;
use crate::palette_layout::{BlockSize, PaletteLayout, PaletteLocation};

impl PaletteLayout {
    /// This layout, with palettes where they are read fastest: in a uniform buffer while blocks of that size
    /// fit, else in a storage buffer, or in a texture where there are none. Each character is a draw of its
    /// own then; for crowds see [`choose_instanced`](Self::choose_instanced).
    ///
    /// ```no_run
    /// # fn f(device: &wgpu::Device) {
    /// use canter_wgpu::{BlockSize, PaletteLayout};
    ///
    /// let wanted = PaletteLayout { world: true, previous: true, ..PaletteLayout::default() };
    /// let layout = wanted.choose(device, BlockSize { matrices: 65, morph_targets: &[52] });
    /// # }
    /// ```
    #[must_use]
    pub fn choose(self, device: &wgpu::Device, size: BlockSize<'_>) -> Self {
        self.choose_from(size, || has_vertex_storage(device))
    }

    /// This layout, with palettes for characters that share a mesh and are one draw: in a storage buffer, or
    /// in a texture where vertex shaders have none (as on WebGL2).
    #[must_use]
    pub fn choose_instanced(self, device: &wgpu::Device) -> Self {
        self.shared(has_vertex_storage(device))
    }

    fn choose_from(self, size: BlockSize<'_>, has_vertex_storage: impl FnOnce() -> bool) -> Self {
        if self.fits_uniform(size) {
            Self { location: PaletteLocation::Uniform, ..self }
        } else {
            self.shared(has_vertex_storage())
        }
    }

    fn shared(self, has_vertex_storage: bool) -> Self {
        let location = if has_vertex_storage { PaletteLocation::Storage } else { PaletteLocation::Texture };
        Self { location, ..self }
    }
}

/// Whether vertex shaders can read storage buffers.
///
/// The limit alone does not say so: on GLES it is that of the fragment stage where the vertex stage has none,
/// and the flag that tells (`DownlevelFlags::VERTEX_STORAGE`) belongs to the adapter, which is not at hand
/// here. So the device is asked for a layout with such a buffer.
pub(crate) fn has_vertex_storage(device: &wgpu::Device) -> bool {
    if device.limits().max_storage_buffers_per_shader_stage == 0 {
        return false;
    }
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let _ = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("canter: storage in the vertex stage?"),
        entries: &[storage_layout_entry()],
    });
    // Everywhere but on WebGPU the error is there at once; and WebGPU promises storage buffers for vertices.
    let error = pin!(scope.pop()).poll(&mut Context::from_waker(Waker::noop()));
    !matches!(error, Poll::Ready(Some(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fits is decided with all that the block holds, which is more than the joints.
    #[test]
    fn the_size_of_the_block_and_the_device_decide() {
        let plain = PaletteLayout::default();
        let world = PaletteLayout { world: true, ..plain };
        let previous = PaletteLayout { previous: true, ..plain };
        let all = PaletteLayout { world: true, previous: true, ..plain };
        for (wanted, matrices, morph_targets, fits) in [
            (plain, 341, &[][..], true),
            (plain, 342, &[], false),
            (world, 340, &[], true),
            (world, 341, &[], false),
            (previous, 170, &[], true),
            (previous, 171, &[], false),
            (previous, 200, &[], false),
            (all, 169, &[], true),
            (all, 170, &[], false),
            (plain, 300, &[246], true),
            (plain, 300, &[247], false),
            (plain, 300, &[300], false),
            (plain, 300, &[122, 122], true),
            (plain, 300, &[123, 123], false),
        ] {
            for (has_storage, otherwise) in
                [(true, PaletteLocation::Storage), (false, PaletteLocation::Texture)]
            {
                let size = BlockSize { matrices, morph_targets };
                let location = if fits { PaletteLocation::Uniform } else { otherwise };
                let chosen = wanted.choose_from(size, || has_storage);
                assert_eq!(chosen, PaletteLayout { location, ..wanted }, "{size:?}");
            }
        }
    }
}
