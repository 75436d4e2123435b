//! Takes pictures on a device.

use canter_scene::{Camera, Figure, Look};
use canter_wgpu::{FrameStats, Offscreen, Renderer, RendererOptions, Target};

use crate::device::Gpu;

/// A renderer on a device.
pub(crate) struct Studio<'a> {
    gpu: &'a Gpu,
    pub(crate) renderer: Renderer,
}

impl<'a> Studio<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> Self {
        Self::with(gpu, RendererOptions::default())
    }

    pub(crate) fn with(gpu: &'a Gpu, options: RendererOptions) -> Self {
        Self { gpu, renderer: Renderer::new(&gpu.device, &gpu.queue, options) }
    }

    /// Draws a picture; gives its pixels, and what it cost.
    pub(crate) fn take<'f>(
        &mut self,
        figures: impl IntoIterator<Item = Figure<'f>>,
        camera: &Camera,
        look: &Look,
        size: (u32, u32),
    ) -> (Vec<u8>, FrameStats) {
        let Gpu { device, queue, .. } = self.gpu;
        let picture = Offscreen::new(device, size.0, size.1);
        let target = Target { view: picture.view(), width: size.0, height: size.1 };
        let stats = self.renderer.render(device, queue, target, figures, camera, look);
        (picture.read(device, queue).expect("the device is there"), stats)
    }
}
