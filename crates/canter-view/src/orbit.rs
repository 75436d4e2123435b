//! A camera that goes round what it looks at.

use canter::glam::{DVec2, DVec3};
use canter_scene::{Camera, Framing, Ray};

/// A camera that goes round what it looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What it looks at.
    pub target: DVec3,
    /// How far away it is.
    pub distance: f64,
    /// Radians; see [`Camera::orbit`].
    pub yaw: f64,
    /// Radians above the ground.
    pub pitch: f64,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { target: DVec3::Y, distance: 5.0, yaw: 0.52, pitch: 0.16 }
    }
}

impl Orbit {
    /// Nearly straight up and down: beyond that, left and right would change places.
    const STEEPEST: f64 = 1.55;

    /// Turns by a part of the picture's height.
    pub fn turn(&mut self, by: DVec2) {
        self.yaw = (self.yaw - by.x * 3.5).rem_euclid(std::f64::consts::TAU);
        self.pitch = (self.pitch + by.y * 3.5).clamp(-Self::STEEPEST, Self::STEEPEST);
    }

    /// Moves sideways, so that what is seen follows the pointer: by a part of the picture's height.
    pub fn pan(&mut self, by: DVec2) {
        let right = DVec3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        let away = self.away();
        let height = 2.0 * self.distance * (f64::from(Camera::FOV_Y) / 2.0).tan();
        self.target += (away.cross(right) * by.y - right * by.x) * height;
    }

    /// Goes nearer (below 1) or further away.
    pub fn zoom(&mut self, factor: f64) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance * factor).clamp(1e-3, 1e6);
        }
    }

    /// Looks at all of something from the present direction.
    pub fn frame(&mut self, aspect: f64, include: impl FnOnce(&mut Framing)) {
        let mut framing = Framing::new(self.yaw, self.pitch, aspect);
        include(&mut framing);
        if framing.bounds().is_some() {
            let camera = framing.camera();
            self.target = camera.target;
            self.distance = camera.eye.distance(camera.target);
        }
    }

    /// The camera.
    #[must_use]
    pub fn camera(&self) -> Camera {
        Camera::orbit(self.target, self.distance, self.yaw, self.pitch)
    }

    /// All that lies behind a place in the picture: from its middle to its upper edge is 1, to the right as
    /// well.
    #[must_use]
    pub fn ray(&self, at: DVec2) -> Ray {
        let camera = self.camera();
        let right = DVec3::new(self.yaw.cos(), 0.0, -self.yaw.sin());
        let away = self.away();
        let reach = (f64::from(camera.fov_y) / 2.0).tan();
        let direction = (right * at.x + away.cross(right) * at.y) * reach - away;
        Ray { origin: camera.eye, direction }
    }

    fn away(&self) -> DVec3 {
        DVec3::new(self.yaw.sin() * self.pitch.cos(), self.pitch.sin(), self.yaw.cos() * self.pitch.cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_its_distance_and_never_tips_over() {
        let mut orbit = Orbit::default();
        for _ in 0..50 {
            orbit.turn(DVec2::new(0.3, 0.2));
            let camera = orbit.camera();
            assert!((camera.eye.distance(camera.target) - 5.0).abs() < 1e-9);
            assert!(orbit.pitch < 1.56);
        }
    }

    #[test]
    fn what_is_seen_follows_the_pointer() {
        let mut orbit = Orbit { yaw: 0.8, ..Orbit::default() };
        let point = orbit.target;
        orbit.pan(DVec2::new(0.25, 0.1));
        // A quarter of the height to the right is half of the way from the middle to the edge; down is down.
        let at = orbit.camera().project(1.0, point).unwrap();
        assert!((at.x - 0.5).abs() < 1e-4 && (at.y + 0.2).abs() < 1e-4, "{at}");
    }

    #[test]
    fn a_ray_goes_through_what_is_seen_there() {
        let orbit = Orbit { yaw: 2.2, pitch: -0.4, ..Orbit::default() };
        for at in [DVec2::ZERO, DVec2::new(0.7, 0.3), DVec2::new(-1.5, -0.9)] {
            let point = orbit.ray(at).at(3.0);
            let seen = orbit.camera().project(2.0, point).unwrap().as_dvec2() * DVec2::new(2.0, 1.0);
            assert!(seen.distance(at) < 1e-4, "{at} is seen at {seen}");
        }
    }

    #[test]
    fn bad_zooms_are_refused() {
        let mut orbit = Orbit::default();
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            orbit.zoom(factor);
            assert!((orbit.distance - 5.0).abs() < 1e-12, "{factor}");
        }
    }
}
