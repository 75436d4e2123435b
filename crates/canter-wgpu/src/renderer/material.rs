//! How surfaces look, on the GPU.

use bytemuck::{Pod, Zeroable};
use canter_gltf::{AlphaMode, Asset, Material, TextureRef};

use super::texture::{self, Numbers};

/// As `Material` in `surface.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Uniform {
    base_color: [f32; 4],
    emissive: [f32; 4],
    factors: [f32; 4],
    cutoff: [f32; 4],
    texture_from_uv: [[f32; 4]; 10],
}

/// What a pipeline has to know of a material, and what is bound.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) alpha_mode: AlphaMode,
    pub(super) double_sided: bool,
    pub(super) is_textured: bool,
    pub(super) bind_group: wgpu::BindGroup,
}

/// What materials without pictures use instead.
#[derive(Debug)]
pub(super) struct Materials {
    layout: wgpu::BindGroupLayout,
    white: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

impl Materials {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let mut entries = vec![entry(
            0,
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: wgpu::BufferSize::new(size_of::<Uniform>() as u64),
            },
        )];
        for number in 0..5 {
            let ty = wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            };
            entries.push(entry(1 + 2 * number, ty));
            entries
                .push(entry(2 + 2 * number, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)));
        }
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("canter material"),
            entries: &entries,
        });
        Self {
            layout,
            white: texture::plain(device, queue, [255; 4]),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor::default()),
        }
    }

    pub(super) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    pub(super) fn surface(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        asset: &Asset,
        material: &Material,
    ) -> Surface {
        let references = [
            (material.base_color_texture, Numbers::Color),
            (material.metallic_roughness_texture, Numbers::Plain),
            (material.normal_texture, Numbers::Plain),
            (material.occlusion_texture, Numbers::Plain),
            (material.emissive_texture, Numbers::Color),
        ];
        let textures = references
            .map(|(reference, numbers)| texture::load(device, queue, asset, reference?.texture, numbers));
        let uniform = uniform(material, references.map(|(reference, _)| reference), textures[2].is_some());
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("canter material"),
            size: size_of::<Uniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        queue.write_buffer(&buffer, 0, bytemuck::bytes_of(&uniform));
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }];
        for (number, texture) in (0_u32..).zip(&textures) {
            let (view, sampler) =
                texture.as_ref().map_or((&self.white, &self.sampler), |(view, sampler)| (view, sampler));
            let resource = wgpu::BindingResource::TextureView(view);
            entries.push(wgpu::BindGroupEntry { binding: 1 + 2 * number, resource });
            let resource = wgpu::BindingResource::Sampler(sampler);
            entries.push(wgpu::BindGroupEntry { binding: 2 + 2 * number, resource });
        }
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("canter material"),
            layout: &self.layout,
            entries: &entries,
        });
        Surface {
            alpha_mode: material.alpha_mode,
            double_sided: material.double_sided,
            is_textured: textures.iter().any(Option::is_some),
            bind_group,
        }
    }
}

fn uniform(material: &Material, references: [Option<TextureRef>; 5], has_normals: bool) -> Uniform {
    let mut texture_from_uv = [[0.0; 4]; 10];
    for (rows, reference) in texture_from_uv.as_chunks_mut::<2>().0.iter_mut().zip(references) {
        if let Some(reference) = reference {
            let matrix = reference.texture_from_uv;
            let set = if reference.tex_coord == 1 { 1.0 } else { 0.0 };
            *rows = [matrix.row(0).extend(set).to_array(), matrix.row(1).extend(0.0).to_array()];
        }
    }
    let cutoff = match material.alpha_mode {
        AlphaMode::Mask { cutoff } => cutoff,
        AlphaMode::Opaque | AlphaMode::Blend => 0.0,
    };
    // A strength of 0 means that there is no such texture: then nothing is bumped.
    let bumps = if has_normals { material.normal_scale } else { 0.0 };
    Uniform {
        base_color: material.base_color.to_array(),
        emissive: material.emissive.extend(if material.unlit { 1.0 } else { 0.0 }).to_array(),
        factors: [material.metallic, material.roughness, bumps, material.occlusion_strength],
        cutoff: [cutoff, 0.0, 0.0, 0.0],
        texture_from_uv,
    }
}
