//! The memory on the GPU: a buffer or a texture.

use super::PaletteError;
use crate::choose::has_vertex_storage;
use crate::palette_layout::{PaletteLayout, PaletteLocation};

/// Rows of four numbers on the GPU.
#[derive(Debug)]
pub(super) enum Memory {
    Buffer { buffer: wgpu::Buffer, binding_bytes: Option<wgpu::BufferSize>, capacity: usize },
    Texture { texture: wgpu::Texture, view: wgpu::TextureView, width: u32, capacity: usize },
}

/// Wide enough that a crowd fits into the 2048 lines that WebGL2 promises; see [`most_rows`].
const WIDEST: u32 = 2048;

/// How many rows a device can hold.
pub(super) fn most_rows(device: &wgpu::Device, location: PaletteLocation) -> Result<usize, PaletteError> {
    let limits = device.limits();
    let not_supported = Err(PaletteError::NotSupported(location));
    let bytes = match location {
        PaletteLocation::Uniform => {
            let block = PaletteLayout::UNIFORM_ROWS as u64 * 16;
            if limits.max_uniform_buffer_binding_size < block {
                return not_supported;
            }
            limits.max_buffer_size - block
        }
        PaletteLocation::Storage => {
            if !has_vertex_storage(device) {
                return not_supported;
            }
            limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
        }
        PaletteLocation::Texture => {
            let width = u64::from(limits.max_texture_dimension_2d.min(WIDEST));
            width * u64::from(limits.max_texture_dimension_2d) * 16
        }
    };
    // Offsets in bytes are 32 bits wide.
    Ok(usize::try_from(bytes.min(u64::from(u32::MAX)) / 16).unwrap_or(usize::MAX))
}

pub(super) fn layout_entry(location: PaletteLocation, binding: u32) -> wgpu::BindGroupLayoutEntry {
    let buffer = |ty, has_dynamic_offset, rows: usize| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset,
        min_binding_size: wgpu::BufferSize::new(rows as u64 * 16),
    };
    let ty = match location {
        PaletteLocation::Uniform => {
            buffer(wgpu::BufferBindingType::Uniform, true, PaletteLayout::UNIFORM_ROWS)
        }
        PaletteLocation::Storage => buffer(wgpu::BufferBindingType::Storage { read_only: true }, false, 1),
        PaletteLocation::Texture => wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
    };
    wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::VERTEX, ty, count: None }
}

impl Memory {
    /// Memory for at least so many rows.
    pub(super) fn new(device: &wgpu::Device, location: PaletteLocation, rows: usize) -> Self {
        let rows = rows.max(PaletteLayout::UNIFORM_ROWS);
        let usage = match location {
            PaletteLocation::Texture => return Self::texture(device, rows),
            PaletteLocation::Uniform => wgpu::BufferUsages::UNIFORM,
            PaletteLocation::Storage => wgpu::BufferUsages::STORAGE,
        };
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("canter palettes"),
            size: rows as u64 * 16,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let is_uniform = location == PaletteLocation::Uniform;
        let binding_bytes =
            wgpu::BufferSize::new(PaletteLayout::UNIFORM_ROWS as u64 * 16).filter(|_| is_uniform);
        Self::Buffer { buffer, binding_bytes, capacity: rows }
    }

    fn texture(device: &wgpu::Device, rows: usize) -> Self {
        let most = device.limits().max_texture_dimension_2d;
        let width = most.min(WIDEST);
        let height = u32::try_from(rows.div_ceil(width as usize)).unwrap_or(most).min(most);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("canter palettes"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self::Texture { texture, view, width, capacity: width as usize * height as usize }
    }

    pub(super) fn capacity(&self) -> usize {
        match self {
            Self::Buffer { capacity, .. } | Self::Texture { capacity, .. } => *capacity,
        }
    }

    /// A write is of whole multiples of so many rows.
    pub(super) fn row_multiple(&self) -> usize {
        match self {
            Self::Buffer { .. } => 1,
            Self::Texture { width, .. } => *width as usize,
        }
    }

    pub(super) fn write(&self, queue: &wgpu::Queue, rows: &[[f32; 4]]) {
        match self {
            Self::Buffer { buffer, .. } => queue.write_buffer(buffer, 0, bytemuck::cast_slice(rows)),
            Self::Texture { texture, width, .. } => {
                let height = u32::try_from(rows.len()).unwrap_or(u32::MAX) / width;
                let bytes = wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(width * 16),
                    rows_per_image: None,
                };
                let size = wgpu::Extent3d { width: *width, height, depth_or_array_layers: 1 };
                queue.write_texture(texture.as_image_copy(), bytemuck::cast_slice(rows), bytes, size);
            }
        }
    }

    pub(super) fn binding(&self) -> wgpu::BindingResource<'_> {
        match self {
            Self::Buffer { buffer, binding_bytes, .. } => {
                wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size: *binding_bytes })
            }
            Self::Texture { view, .. } => wgpu::BindingResource::TextureView(view),
        }
    }
}
