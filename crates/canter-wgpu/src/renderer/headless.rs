//! A device without a window, and pictures as bytes.

/// A device of this machine, for programs that have none: no window is needed.
#[derive(Debug)]
pub struct Headless {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// What it is.
    pub info: wgpu::AdapterInfo,
}

/// Why there is no device.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeadlessError {
    /// There is no graphics driver.
    #[error(
        "no graphics driver was found ({0}); expected Vulkan, Metal, Direct3D 12 or OpenGL, in hardware or software"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// There is a driver, but it gives no device.
    #[error("the graphics driver gives no device: {0}")]
    NoDevice(#[from] wgpu::RequestDeviceError),
}

impl Headless {
    /// The best device that there is; the variable `WGPU_BACKEND` chooses another kind.
    ///
    /// # Errors
    /// If there is no driver, or it gives no device.
    pub fn new() -> Result<Self, HeadlessError> {
        Self::with(wgpu::Backends::from_env().unwrap_or_default(), None)
    }

    /// A device of given kinds, under given limits; `None`: the usual ones, or less where the driver has
    /// less.
    ///
    /// # Errors
    /// As with [`new`](Self::new).
    pub fn with(backends: wgpu::Backends, limits: Option<wgpu::Limits>) -> Result<Self, HeadlessError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends = backends;
        let instance = wgpu::Instance::new(descriptor);
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))?;
        let required_limits = limits.unwrap_or_else(|| {
            let usual = wgpu::Limits::default();
            if usual.check_limits(&adapter.limits()) {
                usual
            } else {
                wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits())
            }
        });
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..wgpu::DeviceDescriptor::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        Ok(Self { device, queue, info: adapter.get_info() })
    }

    /// Whether the driver draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }
}

/// A picture to draw into, and its bytes.
#[derive(Debug)]
pub struct Offscreen {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    bytes: wgpu::Buffer,
}

/// Why a picture cannot be read: the device is lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the picture cannot be read, because the device is lost: {0}")]
pub struct DeviceLost(String);

impl Offscreen {
    /// The format of the picture: eight bits a channel, sRGB.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// A picture. Sizes are cut off at 1 and at what the device can hold.
    #[must_use]
    pub fn new(device: &wgpu::Device, width: u32, height: u32) -> Self {
        let most = device.limits().max_texture_dimension_2d;
        let size = wgpu::Extent3d {
            width: width.clamp(1, most),
            height: height.clamp(1, most),
            depth_or_array_layers: 1,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("canter picture"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Self::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let bytes = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("canter picture"),
            size: u64::from(row_bytes(size.width)) * u64::from(size.height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view, bytes }
    }

    /// What to draw into.
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.texture.width(), self.texture.height())
    }

    /// The pixels, row by row from the top: red, green, blue, alpha. Waits for the device.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn read(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Vec<u8>, DeviceLost> {
        let (width, height) = self.size();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row_bytes(width)),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &self.bytes, layout },
            self.texture.size(),
        );
        queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        self.bytes.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // Nobody listens any more if reading was given up.
            let _ = sender.send(result);
        });
        let lost = |error: &dyn std::fmt::Display| DeviceLost(error.to_string());
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(&error))?;
        receiver.recv().map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
        let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
        {
            let mapped = self.bytes.slice(..).get_mapped_range().map_err(|error| lost(&error))?;
            for row in mapped.chunks_exact(row_bytes(width) as usize) {
                pixels.extend_from_slice(&row[..width as usize * 4]);
            }
        }
        self.bytes.unmap();
        Ok(pixels)
    }
}

/// Rows in a buffer begin at multiples of 256 bytes.
fn row_bytes(width: u32) -> u32 {
    (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
