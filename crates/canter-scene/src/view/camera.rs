//! Where the picture is taken from.

use canter::glam::{DVec3, Mat4, Vec2, Vec3, Vec4};

/// A camera with perspective; up is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: DVec3,
    /// What it looks at.
    pub target: DVec3,
    /// The angle between the upper and the lower edge of the picture, in radians.
    pub fov_y: f32,
}

impl Camera {
    /// The angle that pictures have by default: that of a long lens, which flatters figures.
    pub const FOV_Y: f32 = 0.5;

    /// A camera that looks at a point from a distance. At a yaw of 0 it stands on the +Z side of it, and sees
    /// a glTF figure from the front; a positive yaw (radians) takes it toward +X, a positive pitch above.
    #[must_use]
    pub fn orbit(target: DVec3, distance: f64, yaw: f64, pitch: f64) -> Self {
        let away = DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        Self { eye: target + away * distance, target, fov_y: Self::FOV_Y }
    }

    /// How far the target is; 1 where that makes no sense.
    #[must_use]
    pub fn distance(&self) -> f32 {
        let distance = (self.eye - self.target).as_vec3().length();
        if distance.is_finite() && distance > 0.0 { distance } else { 1.0 }
    }

    /// Where it looks, and what is up in the picture, both of unit length but not yet at a right angle.
    #[must_use]
    pub fn forward_and_up(&self) -> (Vec3, Vec3) {
        let forward = (self.target - self.eye).as_vec3().normalize_or(Vec3::NEG_Z);
        // Straight up or down there is no level; any direction will do.
        (forward, if forward.y.abs() > 0.9999 { Vec3::NEG_Z } else { Vec3::Y })
    }

    /// From positions relative to the eye, along the axes of the world, to clip space, for a picture that is
    /// `aspect` times as wide as tall (a square one where that makes no sense). Depth runs from 1 at the near
    /// plane to 0 at infinity, which spends the precision of floats evenly.
    #[must_use]
    pub fn clip_from_eye(&self, aspect: f32) -> Mat4 {
        let (forward, up) = self.forward_and_up();
        let right = forward.cross(up).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let fov_y = if self.fov_y.is_finite() { self.fov_y.clamp(0.01, 3.0) } else { Self::FOV_Y };
        let scale = 1.0 / (fov_y / 2.0).tan();
        // A window may have no width.
        let aspect = if aspect.is_normal() && aspect > 0.0 { aspect.clamp(1e-3, 1e3) } else { 1.0 };
        let near = self.distance() * 0.01;
        let rows = [
            right.extend(0.0) * (scale / aspect),
            up.extend(0.0) * scale,
            Vec4::W * near,
            forward.extend(0.0),
        ];
        Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose()
    }

    /// Where a point of the world is in a picture that is `aspect` times as wide as tall: from -1 to 1 from
    /// left to right and from bottom to top. `None` if it is behind the camera.
    #[must_use]
    pub fn project(&self, aspect: f32, point: DVec3) -> Option<Vec2> {
        let clip = self.clip_from_eye(aspect) * (point - self.eye).as_vec3().extend(1.0);
        let at = Vec2::new(clip.x, clip.y) / clip.w;
        (clip.w > 0.0 && at.is_finite()).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_is_right_and_up_is_up() {
        for (yaw, right) in [(0.0, DVec3::X), (std::f64::consts::FRAC_PI_2, DVec3::NEG_Z)] {
            let camera = Camera::orbit(DVec3::new(3e6, 1.0, 0.0), 4.0, yaw, 0.0);
            let at = |point: DVec3| camera.project(1.0, camera.target + point).expect("it is in front");
            assert!(at(DVec3::ZERO).length() < 1e-6);
            assert!(at(right).x > 0.1 && at(right).y.abs() < 1e-6);
            assert!(at(DVec3::Y).y > 0.1 && at(DVec3::Y).x.abs() < 1e-6);
            assert_eq!(camera.project(1.0, camera.eye * 2.0 - camera.target), None, "behind it");
        }
    }

    #[test]
    fn depth_falls_from_one_at_the_near_plane() {
        let camera = Camera::orbit(DVec3::ZERO, 5.0, 0.3, 0.2);
        let (forward, _) = camera.forward_and_up();
        let depth = |metres: f32| camera.clip_from_eye(1.5).project_point3(forward * metres).z;
        assert!((depth(0.05) - 1.0).abs() < 1e-5);
        assert!(depth(1.0) > depth(2.0) && depth(1e6) > 0.0);
    }

    #[test]
    fn a_camera_that_makes_no_sense_still_has_a_matrix() {
        for target in [DVec3::ZERO, DVec3::Y, DVec3::NEG_Y] {
            let camera = Camera { eye: DVec3::ZERO, target, fov_y: f32::NAN };
            for aspect in [1.0, 0.0, -1.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, f32::MAX] {
                assert!(camera.clip_from_eye(aspect).is_finite(), "{target} {aspect}");
            }
        }
    }
}
