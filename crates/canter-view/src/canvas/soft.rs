//! Pictures drawn on the CPU.

use std::time::Instant;

use canter_scene::Scene;
use canter_soft::{Picture, SoftRenderer};
use egui::{Pos2, Rect};

use super::Shot;
use super::detail::{Detail, Level};

pub(crate) struct SoftCanvas {
    renderer: SoftRenderer,
    texture: Option<egui::TextureHandle>,
    detail: Detail,
}

impl Default for SoftCanvas {
    fn default() -> Self {
        Self { renderer: SoftRenderer::new(), texture: None, detail: Detail::new(false) }
    }
}

impl SoftCanvas {
    pub(super) fn draw(&mut self, ui: &egui::Context, scene: &Scene, shot: Shot) -> bool {
        let Some(level) = self.detail.level(&shot) else { return false };
        let start = Instant::now();
        let (samples, [width, height]) = match level {
            Level::Coarse(size) => (1, size),
            Level::Fine(size) => (3, size),
        };
        self.renderer.samples = samples;
        let picture = self.renderer.render(scene, &shot.camera, &shot.look, width, height);
        let size = [picture.width as usize, picture.height as usize];
        let image = egui::ColorImage::from_rgba_unmultiplied(size, &picture.pixels);
        match &mut self.texture {
            Some(texture) => texture.set(image, egui::TextureOptions::LINEAR),
            None => self.texture = Some(ui.load_texture("canvas", image, egui::TextureOptions::LINEAR)),
        }
        self.detail.note(shot, level, start.elapsed().as_secs_f32())
    }

    pub(super) fn picture(&mut self, scene: &Scene, shot: &Shot) -> Picture {
        self.renderer.samples = 4;
        self.renderer.render(scene, &shot.camera, &shot.look, shot.size[0], shot.size[1])
    }

    pub(super) fn shape(&self, rect: Rect) -> Option<egui::Shape> {
        let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        let texture = self.texture.as_ref()?.id();
        Some(egui::Shape::image(texture, rect, whole, egui::Color32::WHITE))
    }
}
