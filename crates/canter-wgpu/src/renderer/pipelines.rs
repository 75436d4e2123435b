//! The pipelines of the renderer; those of surfaces are made when a mesh first needs them.

use std::collections::HashMap;

use canter_gltf::Topology;

use super::mesh::Mesh;
use super::{RendererOptions, Shadows};
use crate::palette_layout::PaletteLayout;
use crate::shader::{Binding, JointsPerVertex, SkinningShader, resolve_conditions};

/// In which pass a surface is drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pass {
    Shadow { has_holes: bool },
    Opaque { has_holes: bool },
    Blend,
}

/// What pipelines of surfaces differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) pass: Pass,
    pub(super) joints: JointsPerVertex,
    pub(super) morphs: bool,
    pub(super) topology: Topology,
    /// Triangles without normals.
    pub(super) is_flat: bool,
    /// Without textures there is much less to do.
    pub(super) is_textured: bool,
    /// The side that is not seen.
    pub(super) cull: Option<wgpu::Face>,
}

/// The layouts of the bind groups, by number: frame, material, shadow, morph targets.
#[derive(Debug)]
pub(super) struct Layouts {
    pub(super) frame: wgpu::BindGroupLayout,
    pub(super) material: wgpu::BindGroupLayout,
    pub(super) shadow: wgpu::BindGroupLayout,
    pub(super) targets: wgpu::BindGroupLayout,
}

pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

#[derive(Debug)]
pub(super) struct Pipelines {
    options: RendererOptions,
    layout: PaletteLayout,
    surfaces: HashMap<Key, wgpu::RenderPipeline>,
    pub(super) background: wgpu::RenderPipeline,
    pub(super) ground: wgpu::RenderPipeline,
    pub(super) bones: wgpu::RenderPipeline,
}

impl Pipelines {
    pub(super) fn new(
        device: &wgpu::Device,
        layouts: &Layouts,
        options: RendererOptions,
        layout: PaletteLayout,
    ) -> Self {
        let RendererOptions { format, samples, shadows } = options;
        let frame = include_str!("frame.wgsl");
        let shadow = shadow_text(shadows);
        let stage = module(device, &[frame, &shadow, include_str!("stage.wgsl")].join("\n"));
        let bones = module(device, &[frame, include_str!("bones.wgsl")].join("\n"));
        let rod = wgpu::VertexBufferLayout {
            array_stride: 48,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4],
        };
        let plain = |module: &wgpu::ShaderModule,
                     name: &str,
                     buffers: &[Option<wgpu::VertexBufferLayout<'_>>]| {
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &[Some(&layouts.frame), None, Some(&layouts.shadow)],
                immediate_size: 0,
            });
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some(&format!("{name}_vertex")),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers,
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..wgpu::PrimitiveState::default()
                },
                depth_stencil: Some(depth(wgpu::CompareFunction::Always, false, 0)),
                multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
                fragment: Some(wgpu::FragmentState {
                    module,
                    entry_point: Some(&format!("{name}_fragment")),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(color(format, true))],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Self {
            background: plain(&stage, "background", &[]),
            ground: plain(&stage, "ground", &[]),
            bones: plain(&bones, "bones", &[Some(rod)]),
            options,
            layout,
            surfaces: HashMap::new(),
        }
    }

    /// The pipeline of a kind of surface, if [`prepare`](Self::prepare) was called for it.
    pub(super) fn surface(&self, key: &Key) -> Option<&wgpu::RenderPipeline> {
        self.surfaces.get(key)
    }

    pub(super) fn prepare(&mut self, device: &wgpu::Device, layouts: &Layouts, key: Key) {
        if self.surfaces.contains_key(&key) {
            return;
        }
        let is_shadow = matches!(key.pass, Pass::Shadow { .. });
        let (has_holes, samples) = match key.pass {
            Pass::Shadow { has_holes } => (has_holes, 1),
            Pass::Opaque { has_holes } => (has_holes, self.options.samples),
            Pass::Blend => (false, self.options.samples),
        };
        let module = module(device, &surface_text(self.layout, self.options.shadows, &key));
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[
                Some(&layouts.frame),
                Some(&layouts.material),
                (!is_shadow).then_some(&layouts.shadow),
                key.morphs.then_some(&layouts.targets),
            ],
            immediate_size: 0,
        });
        let targets = [Some(color(self.options.format, key.pass == Pass::Blend))];
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("canter surface"),
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex_main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &Mesh::layouts(key.joints)
                    [..if key.joints == JointsPerVertex::None { 2 } else { 3 }],
            },
            primitive: wgpu::PrimitiveState {
                topology: match key.topology {
                    Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
                    Topology::Lines => wgpu::PrimitiveTopology::LineList,
                    Topology::Points => wgpu::PrimitiveTopology::PointList,
                },
                cull_mode: key.cull,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: Some(match key.pass {
                Pass::Shadow { .. } => {
                    // Lines and points take no bias.
                    let bias = if key.topology == Topology::Triangles { 2 } else { 0 };
                    depth(wgpu::CompareFunction::Less, true, bias)
                }
                Pass::Opaque { .. } => depth(wgpu::CompareFunction::Greater, true, 0),
                Pass::Blend => depth(wgpu::CompareFunction::Greater, false, 0),
            }),
            multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
            fragment: (!is_shadow || has_holes).then(|| wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment_main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: if is_shadow { &[] } else { &targets },
            }),
            multiview_mask: None,
            cache: None,
        });
        self.surfaces.insert(key, pipeline);
    }
}

/// The shader of a kind of surface.
pub(super) fn surface_text(layout: PaletteLayout, shadows: Shadows, key: &Key) -> String {
    let skinning = SkinningShader {
        layout,
        joints: key.joints,
        morphs: key.morphs,
        palette: Binding { group: 0, binding: 1 },
        targets: Binding { group: 3, binding: 0 },
    };
    let is_shadow = matches!(key.pass, Pass::Shadow { .. });
    let is_shaded = key.pass != Pass::Shadow { has_holes: false };
    let surface = resolve_conditions(include_str!("surface.wgsl"), |name| match name {
        "shadow" => is_shadow,
        "seen" => !is_shadow,
        "mask" => key.pass == Pass::Opaque { has_holes: true },
        "blend" => key.pass == Pass::Blend,
        "flat" => key.is_flat,
        "shaded" => is_shaded,
        "textured" => is_shaded && key.is_textured,
        "untextured" => !key.is_textured,
        "holes" => key.pass == Pass::Shadow { has_holes: true },
        "opaque" => matches!(key.pass, Pass::Opaque { .. }),
        "morphs" => key.morphs,
        "none" => key.joints == JointsPerVertex::None,
        "some" => key.joints != JointsPerVertex::None,
        "four" => key.joints == JointsPerVertex::Four,
        "eight" => key.joints == JointsPerVertex::Eight,
        _ => false,
    });
    let shadow = if is_shadow { String::new() } else { shadow_text(shadows) };
    [include_str!("frame.wgsl"), &shadow, &skinning.wgsl(), &surface].join("\n")
}

fn shadow_text(shadows: Shadows) -> String {
    [shadows.constants(), include_str!("shadow.wgsl")].join("\n")
}

fn module(device: &wgpu::Device, text: &str) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("canter"),
        source: wgpu::ShaderSource::Wgsl(text.into()),
    })
}

fn color(format: wgpu::TextureFormat, is_blended: bool) -> wgpu::ColorTargetState {
    wgpu::ColorTargetState {
        format,
        blend: is_blended.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        write_mask: wgpu::ColorWrites::ALL,
    }
}

fn depth(compare: wgpu::CompareFunction, writes: bool, bias: i32) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState {
            constant: bias,
            slope_scale: if bias == 0 { 0.0 } else { 2.0 },
            clamp: 0.0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette_layout::PaletteLocation;

    #[test]
    fn every_kind_of_surface_is_valid() {
        let passes = [
            Pass::Shadow { has_holes: false },
            Pass::Shadow { has_holes: true },
            Pass::Opaque { has_holes: false },
            Pass::Opaque { has_holes: true },
            Pass::Blend,
        ];
        for location in [PaletteLocation::Storage, PaletteLocation::Texture] {
            let layout = PaletteLayout { location, world: true, ..PaletteLayout::default() };
            for joints in [JointsPerVertex::None, JointsPerVertex::Four, JointsPerVertex::Eight] {
                for (pass, flags) in
                    passes.into_iter().flat_map(|pass| (0..8).map(move |flags| (pass, flags)))
                {
                    let (morphs, is_flat, is_textured) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
                    let topology = Topology::Triangles;
                    let key = Key { pass, joints, morphs, topology, is_flat, is_textured, cull: None };
                    let text = surface_text(layout, Shadows::Fine, &key);
                    let module = naga::front::wgsl::parse_str(&text)
                        .unwrap_or_else(|error| panic!("{key:?}\n{}", error.emit_to_string(&text)));
                    naga::valid::Validator::new(
                        naga::valid::ValidationFlags::all(),
                        naga::valid::Capabilities::empty(),
                    )
                    .validate(&module)
                    .unwrap_or_else(|error| panic!("{key:?}\n{}", error.emit_to_string(&text)));
                }
            }
        }
    }
}
