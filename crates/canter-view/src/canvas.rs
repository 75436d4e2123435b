//! The picture in the window: drawn on the GPU, or on the CPU where that cannot be.

mod detail;
mod gpu;
mod pane;
mod soft;

use std::io;

use canter_scene::{Camera, Look, Scene};
use canter_soft::Picture;

use gpu::GpuCanvas;
use soft::SoftCanvas;

/// Draws the scene when something has changed.
pub(crate) enum Canvas {
    Gpu(Box<GpuCanvas>),
    Soft(Box<SoftCanvas>),
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shot {
    /// Of the session.
    pub(crate) version: u64,
    pub(crate) camera: Camera,
    pub(crate) look: Look,
    pub(crate) size: [u32; 2],
}

impl Default for Canvas {
    /// On the CPU.
    fn default() -> Self {
        Self::Soft(Box::default())
    }
}

impl Canvas {
    /// Draws on the GPU of a window from now on, if it can.
    pub(crate) fn move_to_gpu(&mut self, state: egui_wgpu::RenderState) {
        match GpuCanvas::new(state) {
            Ok(canvas) => *self = Self::Gpu(Box::new(canvas)),
            Err(error) => log::warn!("pictures are drawn on the CPU, because the GPU refuses: {error}"),
        }
    }

    /// Draws the shot if it is not the one that is there. Returns whether a finer picture is still to come.
    pub(crate) fn draw(&mut self, ui: &egui::Context, scene: &Scene, shot: Shot) -> bool {
        match self {
            Self::Gpu(canvas) => canvas.draw(scene, shot),
            Self::Soft(canvas) => canvas.draw(ui, scene, shot),
        }
    }

    /// A picture for a file.
    pub(crate) fn picture(&mut self, scene: &Scene, shot: &Shot) -> io::Result<Picture> {
        match self {
            Self::Gpu(canvas) => canvas.picture(scene, shot),
            Self::Soft(canvas) => Ok(canvas.picture(scene, shot)),
        }
    }

    /// What makes egui show the picture; `None` before there is one.
    pub(crate) fn shape(&self, rect: egui::Rect) -> Option<egui::Shape> {
        match self {
            Self::Gpu(canvas) => canvas.shape(rect),
            Self::Soft(canvas) => canvas.shape(rect),
        }
    }

    /// Who draws.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Gpu(canvas) => canvas.name(),
            Self::Soft(_) => "the CPU",
        }
    }
}
