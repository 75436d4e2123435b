//! Who draws: the GPU or the CPU. Both draw the same scene from the same camera.

use canter_scene::{Camera, Look, Scene};
use canter_soft::{Picture, SoftRenderer};

use super::options::Size;
use crate::failure::Failure;

/// Who draws.
#[derive(Debug)]
pub(crate) enum Painter {
    /// The CPU.
    Software { renderer: SoftRenderer, why: &'static str },
}

impl Painter {
    /// The GPU, if there is one and nobody asked for the CPU.
    pub(crate) fn choose(software: bool, samples: u32) -> Result<Self, Failure> {
        let why = if software { "as asked" } else { "for want of another" };
        let mut renderer = SoftRenderer::new();
        renderer.samples = samples;
        Ok(Self::Software { renderer, why })
    }

    /// In a few words for people.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Software { why, .. } => format!("software renderer, {why}"),
        }
    }

    pub(crate) fn paint(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        look: &Look,
        size: Size,
    ) -> Result<Picture, Failure> {
        match self {
            Self::Software { renderer, .. } => {
                Ok(renderer.render(scene, camera, look, size.width, size.height))
            }
        }
    }
}
