//! The texture that is drawn into, and how it gets into the window.

use canter_wgpu::Target;
use egui_wgpu::{CallbackResources, CallbackTrait, RenderState};

/// Shows panes. egui could do that too, but its shader has a second filter, by hand, behind a branch in every
/// pixel: where what is called a GPU is a CPU, that takes half as long as the figure.
pub(super) struct Glass {
    /// Of the panes.
    pub(super) format: wgpu::TextureFormat,
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
}

/// A texture to draw into.
pub(super) struct Pane {
    view: wgpu::TextureView,
    size: [u32; 2],
    group: wgpu::BindGroup,
}

/// One pane in one frame of the window.
struct PaneCallback {
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
}

impl Glass {
    pub(super) fn new(state: &RenderState) -> Self {
        let device = &state.device;
        let module = device.create_shader_module(wgpu::include_wgsl!("pane.wgsl"));
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("canter pane"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: None,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(state.target_format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        // Encoded once: by the window's format, or in the pane already.
        let format = match state.target_format.is_srgb() {
            true => wgpu::TextureFormat::Rgba8UnormSrgb,
            false => wgpu::TextureFormat::Rgba8Unorm,
        };
        Self { format, pipeline, sampler }
    }

    /// The old pane if it has the right size; else a new one.
    pub(super) fn fit(&self, old: Option<Pane>, device: &wgpu::Device, size: [u32; 2]) -> Pane {
        let most = device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, most));
        if let Some(old) = old.filter(|old| old.size == size) {
            return old;
        }
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("canter pane"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("canter pane"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        Pane { view, size, group }
    }

    /// What egui is told so that a pane appears.
    pub(super) fn show(&self, pane: &Pane, rect: egui::Rect) -> egui::PaintCallback {
        let shown = PaneCallback { pipeline: self.pipeline.clone(), group: pane.group.clone() };
        egui_wgpu::Callback::new_paint_callback(rect, shown)
    }
}

impl Pane {
    pub(super) fn target(&self) -> Target<'_> {
        Target { view: &self.view, width: self.size[0], height: self.size[1] }
    }
}

impl CallbackTrait for PaneCallback {
    fn paint(
        &self,
        _info: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _resources: &CallbackResources,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
