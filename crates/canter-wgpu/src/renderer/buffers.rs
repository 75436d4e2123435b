//! Memory that grows with the frame and the picture.

use super::pipelines::DEPTH;

/// A buffer that grows by doubling.
#[derive(Debug)]
pub(super) struct Growing {
    buffer: wgpu::Buffer,
}

impl Growing {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self { buffer: Self::create(device, 1024) }
    }

    fn create(device: &wgpu::Device, size: u64) -> wgpu::Buffer {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("canter instances"),
            size,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    pub(super) fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, bytes: &[u8]) {
        if bytes.len() as u64 > self.buffer.size() {
            let size = (bytes.len() as u64).next_power_of_two().min(device.limits().max_buffer_size);
            self.buffer = Self::create(device, size);
        }
        let fitting = usize::try_from(self.buffer.size()).unwrap_or(usize::MAX).min(bytes.len());
        queue.write_buffer(&self.buffer, 0, &bytes[..fitting]);
    }

    /// The bytes from an offset on.
    pub(super) fn from(&self, offset: u64) -> wgpu::BufferSlice<'_> {
        self.buffer.slice(offset.min(self.buffer.size() - 4)..)
    }
}

/// The textures that a picture is drawn with, besides its own.
#[derive(Debug)]
pub(super) struct Targets {
    size: (u32, u32),
    /// With several samples a pixel.
    pub(super) color: Option<wgpu::TextureView>,
    pub(super) depth: wgpu::TextureView,
}

impl Targets {
    pub(super) fn new(
        device: &wgpu::Device,
        size: (u32, u32),
        samples: u32,
        format: wgpu::TextureFormat,
    ) -> Self {
        let attachment = |format| attachment(device, size, samples, format, wgpu::TextureUsages::empty());
        Self { size, color: (samples > 1).then(|| attachment(format)), depth: attachment(DEPTH) }
    }

    pub(super) fn fits(&self, size: (u32, u32)) -> bool {
        self.size == size
    }
}

pub(super) fn attachment(
    device: &wgpu::Device,
    (width, height): (u32, u32),
    sample_count: u32,
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("canter attachment"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
