//! Pictures drawn on the GPU that shows the window.

use std::io;
use std::time::Instant;

use canter_scene::Scene;
use canter_soft::Picture;
use canter_wgpu::{Offscreen, Renderer, RendererOptions, Shadows, Target};
use egui_wgpu::RenderState;

use super::Shot;
use super::detail::{Detail, Level};
use super::pane::{Glass, Pane};

pub(crate) struct GpuCanvas {
    state: RenderState,
    fine: Renderer,
    /// With jagged edges and coarse shadows, where what is called a GPU is a CPU.
    coarse: Option<Renderer>,
    glass: Glass,
    pane: Option<Pane>,
    detail: Detail,
    name: String,
}

impl GpuCanvas {
    /// On the device of a window. A device that cannot hold the renderer's pipelines says so here, not with
    /// every frame.
    pub(super) fn new(state: RenderState) -> Result<Self, wgpu::Error> {
        let info = state.adapter.get_info();
        let is_quick = info.device_type != wgpu::DeviceType::Cpu;
        let scope = state.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let glass = Glass::new(&state);
        let renderer = |samples, shadows| {
            let options = RendererOptions { format: glass.format, samples, shadows };
            Renderer::new(&state.device, &state.queue, options)
        };
        let (fine, coarse) = (renderer(4, Shadows::Fine), (!is_quick).then(|| renderer(1, Shadows::Coarse)));
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(error);
        }
        // Drivers put their versions in brackets behind the name.
        let device = info.name.split(" (").next().unwrap_or_default();
        let name = format!("{device} on {:?}", info.backend);
        Ok(Self { state, fine, coarse, glass, pane: None, detail: Detail::new(is_quick), name })
    }

    pub(super) fn draw(&mut self, scene: &Scene, shot: Shot) -> bool {
        let Some(level) = self.detail.level(&shot) else { return false };
        let start = Instant::now();
        let (renderer, size) = match (level, &mut self.coarse) {
            (Level::Coarse(size), Some(coarse)) => (coarse, size),
            (Level::Coarse(size) | Level::Fine(size), _) => (&mut self.fine, size),
        };
        let RenderState { device, queue, .. } = &self.state;
        let pane = self.glass.fit(self.pane.take(), device, size);
        renderer.render(device, queue, pane.target(), scene, &shot.camera, &shot.look);
        self.pane = Some(pane);
        if self.coarse.is_some() {
            // Only then is it known how long it took.
            let _ = device.poll(wgpu::PollType::wait_indefinitely());
        }
        self.detail.note(shot, level, start.elapsed().as_secs_f32())
    }

    /// By a renderer of its own: files are written in another format, and seldom.
    pub(super) fn picture(&self, scene: &Scene, shot: &Shot) -> io::Result<Picture> {
        let RenderState { device, queue, .. } = &self.state;
        let offscreen = Offscreen::new(device, shot.size[0], shot.size[1]);
        let (width, height) = offscreen.size();
        let mut renderer = Renderer::new(device, queue, RendererOptions::default());
        let target = Target { view: offscreen.view(), width, height };
        renderer.render(device, queue, target, scene, &shot.camera, &shot.look);
        let pixels = offscreen.read(device, queue).map_err(io::Error::other)?;
        Ok(Picture { width, height, pixels })
    }

    pub(super) fn shape(&self, rect: egui::Rect) -> Option<egui::Shape> {
        Some(self.glass.show(self.pane.as_ref()?, rect).into())
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }
}
