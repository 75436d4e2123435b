//! Morph targets on the GPU.

use canter_gltf::{MorphTarget, Primitive};

/// What the morph targets of a primitive add to its vertices, as a texture that `canter_morph` reads.
///
/// The first texel is the head: vertices, targets, and where among the texels of a vertex its normal and its
/// tangent are (0: nowhere). Then come, target by target and vertex by vertex, position, normal and tangent,
/// as far as any target has them.
#[derive(Clone, Debug)]
pub struct MorphTexture {
    view: wgpu::TextureView,
}

/// The morph targets of a primitive do not fit into a texture of the device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{targets} morph targets of {vertices} vertices need {texels} texels; the device's textures have {most}"
)]
pub struct MorphsTooLarge {
    /// How many targets there are.
    pub targets: usize,
    /// How many vertices the primitive has.
    pub vertices: usize,
    /// How many texels they need.
    pub texels: u64,
    /// How many texels a texture can have.
    pub most: u64,
}

impl MorphTexture {
    /// The targets of a primitive; also of one that has none, which gives a texture of one texel.
    ///
    /// # Errors
    /// If they do not fit into a texture of the device.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        primitive: &Primitive,
    ) -> Result<Self, MorphsTooLarge> {
        let widest = device.limits().max_texture_dimension_2d;
        let texels = texels(primitive, u64::from(widest) * u64::from(widest))?;
        let count = texels.len();
        // Nearly square; lengths are whole lines.
        let width = u32::try_from(count.isqrt() + 1).unwrap_or(widest).next_power_of_two().min(widest);
        let height = u32::try_from(count.div_ceil(width as usize)).unwrap_or(widest);
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let mut filled = texels;
        filled.resize(width as usize * height as usize, [0.0; 4]);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("canter morph targets"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let bytes =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 16), rows_per_image: None };
        queue.write_texture(texture.as_image_copy(), bytemuck::cast_slice(&filled), bytes, size);
        Ok(Self { view: texture.create_view(&wgpu::TextureViewDescriptor::default()) })
    }

    /// The entry for a bind group layout of yours.
    #[must_use]
    pub fn layout_entry(binding: u32) -> wgpu::BindGroupLayoutEntry {
        wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        }
    }

    /// What to bind.
    #[must_use]
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::TextureView(&self.view)
    }
}

#[expect(clippy::cast_precision_loss, reason = "refused above 2^24")]
fn texels(primitive: &Primitive, most: u64) -> Result<Vec<[f32; 4]>, MorphsTooLarge> {
    let (targets, vertices) = (primitive.targets.len(), primitive.positions.len());
    let has = |list: fn(&MorphTarget) -> usize| primitive.targets.iter().any(|target| list(target) > 0);
    let has_normals = has(|target| target.normals.len()) && !primitive.normals.is_empty();
    let has_tangents = has(|target| target.tangents.len()) && !primitive.tangents.is_empty();
    let of_vertex = 1 + usize::from(has_normals) + usize::from(has_tangents);
    let needed = 1 + targets as u64 * vertices as u64 * of_vertex as u64;
    // The shader reads counts as numbers with 24 bits.
    if needed > most || vertices.max(targets) >= 1 << 24 {
        return Err(MorphsTooLarge { targets, vertices, texels: needed, most });
    }
    let normal_at = if has_normals { 1.0 } else { 0.0 };
    let tangent_at = if has_tangents { normal_at + 1.0 } else { 0.0 };
    let mut texels = vec![[vertices as f32, targets as f32, normal_at, tangent_at]];
    for target in &primitive.targets {
        for vertex in 0..vertices {
            let mut push = |list: &[canter::glam::Vec3]| {
                let delta = list.get(vertex).copied().unwrap_or_default();
                texels.push(delta.extend(0.0).to_array());
            };
            push(&target.positions);
            if has_normals {
                push(&target.normals);
            }
            if has_tangents {
                push(&target.tangents);
            }
        }
    }
    Ok(texels)
}
