//! The devices that tests run on.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use canter_testing::requirement::skip;

/// A device and what it stands for.
pub(crate) struct Gpu {
    pub(crate) name: &'static str,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// What the adapter says of storage buffers in the vertex stage.
    pub(crate) has_vertex_storage: bool,
}

/// All devices that there are here: Vulkan, and GL under the limits of WebGL2. What is missing is skipped;
/// `cargo xtask test` installs both.
///
/// One test after the other: GL takes it for a deadlock if another thread draws for six seconds, which a software
/// driver on a busy machine does.
pub(crate) fn devices() -> MutexGuard<'static, Vec<Gpu>> {
    static DEVICES: OnceLock<Mutex<Vec<Gpu>>> = OnceLock::new();
    let devices = DEVICES.get_or_init(|| {
        let wanted = [
            ("Vulkan", wgpu::Backends::VULKAN, wgpu::Limits::default()),
            ("GL as WebGL2", wgpu::Backends::GL, wgpu::Limits::downlevel_webgl2_defaults()),
        ];
        let open = |(name, backends, limits)| open(name, backends, limits);
        Mutex::new(wanted.into_iter().filter_map(open).collect())
    });
    // A test that failed leaves the devices as they were.
    devices.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open(name: &'static str, backends: wgpu::Backends, required_limits: wgpu::Limits) -> Option<Gpu> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends;
    let instance = wgpu::Instance::new(descriptor);
    let options = wgpu::RequestAdapterOptions::default();
    let Ok(adapter) = pollster::block_on(instance.request_adapter(&options)) else {
        skip(&format!("there is no driver for {name}"), "shaders on it are");
        return None;
    };
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
    let flags = adapter.get_downlevel_capabilities().flags;
    let has_vertex_storage = flags.contains(wgpu::DownlevelFlags::VERTEX_STORAGE)
        && device.limits().max_storage_buffers_per_shader_stage > 0;
    Some(Gpu { name, device, queue, has_vertex_storage })
}
