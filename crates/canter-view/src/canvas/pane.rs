//! The texture that is drawn into and shown.

use canter_wgpu::Target;
use egui_wgpu::RenderState;

/// A texture, and by which name egui knows it.
pub(super) struct Pane {
    view: wgpu::TextureView,
    size: [u32; 2],
    id: egui::TextureId,
}

impl Pane {
    /// What egui shows is encoded already.
    pub(super) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// The old one if it has the right size; else a new one under the same name.
    pub(super) fn fit(old: Option<Self>, state: &RenderState, size: [u32; 2]) -> Self {
        let most = state.device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, most));
        let id = match old {
            Some(old) if old.size == size => return old,
            old => old.map(|old| old.id),
        };
        let texture = state.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("canter stage"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Self::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut painter = state.renderer.write();
        let filter = wgpu::FilterMode::Linear;
        let id = match id {
            Some(id) => {
                painter.update_egui_texture_from_wgpu_texture(&state.device, &view, filter, id);
                id
            }
            None => painter.register_native_texture(&state.device, &view, filter),
        };
        drop(painter);
        Self { view, size, id }
    }

    pub(super) fn target(&self) -> Target<'_> {
        Target { view: &self.view, width: self.size[0], height: self.size[1] }
    }

    pub(super) fn id(&self) -> egui::TextureId {
        self.id
    }
}
