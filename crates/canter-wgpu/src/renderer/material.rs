//! How surfaces look, on the GPU.

use bytemuck::{Pod, Zeroable};
use canter_gltf::{AlphaMode, Material, TextureRef};
use canter_scene::{Figure, MaterialValues, Model};

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

/// A picture, and how it is sampled.
type Picture = (wgpu::TextureView, wgpu::Sampler);

/// What a pipeline has to know of a material, and what is bound.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) alpha_mode: AlphaMode,
    pub(super) double_sided: bool,
    pub(super) is_textured: bool,
    pub(super) bind_group: wgpu::BindGroup,
    animated: Option<Box<AnimatedSurface>>,
}

/// The numbers of a material that clips animate, one set for each figure of a frame.
#[derive(Debug)]
struct AnimatedSurface {
    material: usize,
    rest: Uniform,
    pictures: [Picture; 5],
    buffer: wgpu::Buffer,
    /// What will be written: a set every `stride` bytes.
    bytes: Vec<u8>,
    stride: usize,
}

/// What materials without pictures use instead.
#[derive(Debug)]
pub(super) struct Materials {
    layout: wgpu::BindGroupLayout,
    white: wgpu::TextureView,
    /// In place of a base colour that cannot be read.
    grey: wgpu::TextureView,
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
                // Figures whose clips animate the material have numbers of their own.
                has_dynamic_offset: true,
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
            white: texture::plain(device, queue, [255; 4], Numbers::Plain),
            grey: texture::plain(device, queue, [128, 128, 128, 255], Numbers::Color),
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
        model: &Model,
        index: Option<usize>,
    ) -> Surface {
        let default = Material::default();
        let material = index.and_then(|index| model.asset.materials.get(index)).unwrap_or(&default);
        let references = [
            (material.base_color_texture, Numbers::Color),
            (material.metallic_roughness_texture, Numbers::Plain),
            (material.normal_texture, Numbers::Plain),
            (material.occlusion_texture, Numbers::Plain),
            (material.emissive_texture, Numbers::Color),
        ];
        let textures = references.map(|(reference, numbers)| {
            texture::load(device, queue, &model.asset, reference?.texture, numbers)
        });
        let uniform = uniform(material, references.map(|(reference, _)| reference), textures[2].is_some());
        let is_textured = material.base_color_texture.is_some() || textures.iter().any(Option::is_some);
        let mut missing = [&self.white; 5];
        if material.base_color_texture.is_some() {
            missing[0] = &self.grey;
        }
        let mut missing = missing.into_iter();
        let pictures = textures.map(|texture| {
            let missing = missing.next().unwrap_or(&self.white);
            texture.unwrap_or_else(|| (missing.clone(), self.sampler.clone()))
        });
        let buffer = uniform_buffer(device, size_of::<Uniform>());
        queue.write_buffer(&buffer, 0, bytemuck::bytes_of(&uniform));
        let animated = index.filter(|_| model.is_material_animated(index)).map(|material| {
            let alignment = device.limits().min_uniform_buffer_offset_alignment as usize;
            Box::new(AnimatedSurface {
                material,
                rest: uniform,
                pictures: pictures.clone(),
                buffer: buffer.clone(),
                bytes: Vec::new(),
                stride: size_of::<Uniform>().next_multiple_of(alignment.max(1)),
            })
        });
        Surface {
            alpha_mode: material.alpha_mode,
            double_sided: material.double_sided,
            is_textured,
            bind_group: self.bind_group(device, &buffer, &pictures),
            animated,
        }
    }

    fn bind_group(
        &self,
        device: &wgpu::Device,
        buffer: &wgpu::Buffer,
        pictures: &[Picture; 5],
    ) -> wgpu::BindGroup {
        let size = wgpu::BufferSize::new(size_of::<Uniform>() as u64);
        let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource }];
        for (number, (view, sampler)) in (0_u32..).zip(pictures) {
            let resource = wgpu::BindingResource::TextureView(view);
            entries.push(wgpu::BindGroupEntry { binding: 1 + 2 * number, resource });
            let resource = wgpu::BindingResource::Sampler(sampler);
            entries.push(wgpu::BindGroupEntry { binding: 2 + 2 * number, resource });
        }
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("canter material"),
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Puts the numbers of all figures of a frame on the GPU.
    pub(super) fn write(&self, device: &wgpu::Device, queue: &wgpu::Queue, surface: &mut Surface) {
        let Some(animated) = &mut surface.animated else { return };
        if animated.bytes.len() as u64 > animated.buffer.size() {
            animated.buffer = uniform_buffer(device, animated.bytes.len().next_power_of_two());
            surface.bind_group = self.bind_group(device, &animated.buffer, &animated.pictures);
        }
        queue.write_buffer(&animated.buffer, 0, &animated.bytes);
    }
}

impl Surface {
    pub(super) fn is_animated(&self) -> bool {
        self.animated.is_some()
    }

    /// Begins a frame without figures.
    pub(super) fn clear(&mut self) {
        if let Some(animated) = &mut self.animated {
            animated.bytes.clear();
        }
    }

    /// Adds the numbers of a figure.
    pub(super) fn push(&mut self, figure: &Figure<'_>) {
        let Some(animated) = &mut self.animated else { return };
        let values = figure.model.material_values(Some(animated.material), figure.pose);
        let uniform = animated.rest.with(&values);
        animated.bytes.extend_from_slice(bytemuck::bytes_of(&uniform));
        animated.bytes.resize(animated.bytes.len().next_multiple_of(animated.stride), 0);
    }

    /// Where the numbers of a figure begin.
    pub(super) fn offset(&self, figure: u32) -> u32 {
        let stride = self.animated.as_ref().map_or(0, |animated| animated.stride);
        u32::try_from(stride).unwrap_or(0).saturating_mul(figure)
    }
}

fn uniform_buffer(device: &wgpu::Device, bytes: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("canter material"),
        size: bytes as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

impl Uniform {
    /// The same, with what clips animate as they have it. (Which coordinates a texture takes stays.)
    fn with(mut self, values: &MaterialValues) -> Self {
        self.base_color = values.base_color.to_array();
        self.emissive[..3].copy_from_slice(&values.emissive.to_array());
        let rows = self.texture_from_uv.as_chunks_mut::<2>().0;
        for (rows, matrix) in rows.iter_mut().zip(values.texture_from_uv) {
            (rows[0][2], rows[1][2]) = (matrix.z_axis.x, matrix.z_axis.y);
        }
        self
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
