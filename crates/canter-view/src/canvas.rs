//! The picture in the window: quick and coarse while something moves, fine when all stands still.

use std::time::Instant;

use canter_scene::{Camera, Look, Scene};
use canter_soft::{Picture, SoftRenderer};

/// A picture may take so long while something moves.
const PATIENCE_SECS: f32 = 0.04;

/// Draws the scene when something has changed.
pub(crate) struct Canvas {
    renderer: SoftRenderer,
    texture: Option<egui::TextureHandle>,
    drawn: Option<Drawn>,
    /// Pixels of the picture for each of the screen, along a side.
    scale: f32,
    secs: f32,
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

#[derive(Clone, Copy, Debug, PartialEq)]
struct Drawn {
    shot: Shot,
    is_fine: bool,
}

impl Default for Canvas {
    fn default() -> Self {
        Self { renderer: SoftRenderer::new(), texture: None, drawn: None, scale: 0.5, secs: 0.0 }
    }
}

impl Canvas {
    /// Draws the shot if it is not the one that is there. Returns whether a finer picture is still to come.
    pub(crate) fn draw(&mut self, ui: &egui::Context, scene: &Scene, shot: Shot) -> bool {
        let is_same = self.drawn.is_some_and(|drawn| drawn.shot == shot);
        if is_same && self.drawn.is_some_and(|drawn| drawn.is_fine) {
            return false;
        }
        let start = Instant::now();
        let picture = if is_same {
            self.paint(scene, &shot, 3)
        } else {
            let size = shot.size.map(|side| scaled(side, self.scale));
            self.paint(scene, &Shot { size, ..shot }, 1)
        };
        self.secs = start.elapsed().as_secs_f32();
        if !is_same {
            // By the root: the cost grows with the area.
            let better = self.scale * (PATIENCE_SECS / self.secs.max(1e-4)).sqrt();
            self.scale = (self.scale * 0.8 + better * 0.2).clamp(0.2, 1.0);
        }
        self.show(ui, &picture);
        self.drawn = Some(Drawn { shot, is_fine: is_same });
        !is_same
    }

    /// A picture for a file.
    pub(crate) fn fine(&mut self, scene: &Scene, shot: &Shot) -> Picture {
        self.paint(scene, shot, 4)
    }

    fn paint(&mut self, scene: &Scene, shot: &Shot, samples: u32) -> Picture {
        let [width, height] = shot.size;
        self.renderer.samples = samples;
        self.renderer.render(scene, &shot.camera, &shot.look, width, height)
    }

    fn show(&mut self, ui: &egui::Context, picture: &Picture) {
        let size = [picture.width as usize, picture.height as usize];
        let image = egui::ColorImage::from_rgba_unmultiplied(size, &picture.pixels);
        match &mut self.texture {
            Some(texture) => texture.set(image, egui::TextureOptions::LINEAR),
            None => self.texture = Some(ui.load_texture("canvas", image, egui::TextureOptions::LINEAR)),
        }
    }

    pub(crate) fn texture(&self) -> Option<&egui::TextureHandle> {
        self.texture.as_ref()
    }

    /// How long the last picture took.
    pub(crate) fn secs(&self) -> f32 {
        self.secs
    }
}

fn scaled(side: u32, scale: f32) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a smaller side than before")]
    let side = (side as f32 * scale) as u32;
    side.max(1)
}
