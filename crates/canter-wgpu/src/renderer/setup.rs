//! What is made once.

use super::bones::Rods;
use super::buffers::{Growing, attachment};
use super::draws::Draws;
use super::material::Materials;
use super::models::Models;
use super::pipelines::{DEPTH, Layouts, Pipelines};
use super::uniform::FrameUniform;
use super::{Renderer, RendererOptions};
use crate::morph_texture::MorphTexture;
use crate::palette_buffer::PaletteBuffer;
use crate::palette_layout::{PaletteLayout, PaletteLocation};

impl Renderer {
    /// A renderer for targets of one format.
    #[must_use]
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, options: RendererOptions) -> Self {
        let samples = if options.samples >= 4 { 4 } else { 1 };
        let options = RendererOptions { samples, ..options };
        let layout = PaletteLayout { world: true, ..PaletteLayout::default() }.choose_instanced(device);
        let palettes = PaletteBuffer::new(device, layout)
            .or_else(|_| {
                PaletteBuffer::new(device, PaletteLayout { location: PaletteLocation::Texture, ..layout })
            })
            .expect("every device has textures");
        let materials = Materials::new(device, queue);
        let layouts = layouts(device, &materials, &palettes);
        let frame_buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("canter frame"),
            size: size_of::<FrameUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let side = u32::from(options.shadows.side());
        let shadow_view = attachment(device, (side, side), 1, DEPTH, wgpu::TextureUsages::TEXTURE_BINDING);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..wgpu::SamplerDescriptor::default()
        });
        let shadow_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("canter shadow"),
            layout: &layouts.shadow,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&shadow_view),
                },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
            ],
        });
        Self {
            pipelines: Pipelines::new(device, &layouts, options, *palettes.layout()),
            frame_group: frame_group(device, &layouts.frame, &frame_buffer, &palettes),
            bound_generation: palettes.generation(),
            options,
            layouts,
            materials,
            palettes,
            frame_buffer,
            shadow_view,
            shadow_group,
            models: Models::default(),
            draws: Draws::new(),
            instances: Growing::new(device),
            rods: Rods::default(),
            rod_buffer: Growing::new(device),
            targets: None,
        }
    }
}

fn layouts(device: &wgpu::Device, materials: &Materials, palettes: &PaletteBuffer) -> Layouts {
    let layout = |entries: &[wgpu::BindGroupLayoutEntry]| {
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("canter"), entries })
    };
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let frame = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(size_of::<FrameUniform>() as u64),
    };
    let map = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    let fragment = wgpu::ShaderStages::FRAGMENT;
    Layouts {
        frame: layout(&[entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT, frame), palettes.layout_entry(1)]),
        material: materials.layout().clone(),
        shadow: layout(&[entry(0, fragment, map), entry(1, fragment, sampler)]),
        targets: layout(&[MorphTexture::layout_entry(0)]),
    }
}

pub(super) fn frame_group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    frame_buffer: &wgpu::Buffer,
    palettes: &PaletteBuffer,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("canter frame"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: frame_buffer.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: palettes.binding() },
        ],
    })
}
