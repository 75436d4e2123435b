//! Between places of the world and points of the window.

use canter::glam::{DVec2, DVec3};
use canter_scene::Ray;
use egui::{Pos2, Rect, vec2};

use crate::orbit::Orbit;

/// A camera with the place of its picture in the window.
pub(super) struct Lens<'a> {
    orbit: &'a Orbit,
    rect: Rect,
}

impl<'a> Lens<'a> {
    pub(super) fn new(orbit: &'a Orbit, rect: Rect) -> Self {
        Self { orbit, rect }
    }

    /// Where a place of the world is in the window; `None` if it is behind the camera.
    pub(super) fn point(&self, place: DVec3) -> Option<Pos2> {
        let at = self.orbit.camera().project(self.rect.width() / self.rect.height(), place)?;
        Some(self.rect.center() + vec2(at.x * self.rect.width(), -at.y * self.rect.height()) / 2.0)
    }

    /// How many metres a place is from the camera, and how many points so many metres are there.
    pub(super) fn depth(&self, place: DVec3, metres: f64) -> (f32, f32) {
        let camera = self.orbit.camera();
        let depth = camera.eye.distance(place).max(1e-6);
        let height = 2.0 * depth * (f64::from(camera.fov_y) / 2.0).tan();
        #[expect(clippy::cast_possible_truncation, reason = "for the screen")]
        let depth_and_points = (depth as f32, (metres / height) as f32 * self.rect.height());
        depth_and_points
    }

    /// All that lies behind a point of the window.
    pub(super) fn ray(&self, point: Pos2) -> Ray {
        let at = (point - self.rect.center()) / (self.rect.height() / 2.0);
        self.orbit.ray(DVec2::new(f64::from(at.x), -f64::from(at.y)))
    }

    /// The direction from what is looked at to the camera.
    pub(super) fn toward_camera(&self) -> DVec3 {
        let camera = self.orbit.camera();
        (camera.eye - camera.target).normalize()
    }

    /// Whether a surface can be seen from its front.
    pub(super) fn faces(&self, place: DVec3, normal: DVec3) -> bool {
        normal.dot(self.orbit.camera().eye - place) > 0.0
    }
}
