//! Where the picture is taken from.

use canter::glam::{DVec3, Mat4, Vec3, Vec4};

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

    /// A camera that looks at a point from a distance. At a yaw of 0 it stands on the +Z side of it, and sees a glTF figure
    /// from the front; a positive yaw (radians) takes it toward +X, a positive pitch above.
    #[must_use]
    pub fn orbit(target: DVec3, distance: f64, yaw: f64, pitch: f64) -> Self {
        let away = DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        Self { eye: target + away * distance, target, fov_y: Self::FOV_Y }
    }

    /// How far the target is; 1 where that makes no sense.
    pub(super) fn distance(&self) -> f32 {
        let distance = (self.eye - self.target).as_vec3().length();
        if distance.is_finite() && distance > 0.0 { distance } else { 1.0 }
    }

    /// `clip_from_world` of positions relative to the eye. Depth runs from 1 at the near plane to 0 at infinity, which
    /// spends the precision of floats evenly.
    pub(super) fn clip_from_eye(&self, aspect: f32) -> Mat4 {
        let forward = (self.target - self.eye).as_vec3().normalize_or(Vec3::NEG_Z);
        // Straight up or down there is no level; any direction will do.
        let up = if forward.y.abs() > 0.9999 { Vec3::NEG_Z } else { Vec3::Y };
        let right = forward.cross(up).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let fov_y = if self.fov_y.is_finite() { self.fov_y.clamp(0.01, 3.0) } else { Self::FOV_Y };
        let scale = 1.0 / (fov_y / 2.0).tan();
        let near = self.distance() * 0.01;
        let rows = [
            right.extend(0.0) * (scale / aspect),
            up.extend(0.0) * scale,
            Vec4::W * near,
            forward.extend(0.0),
        ];
        Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose()
    }
}
