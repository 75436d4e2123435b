//! Where the picture is taken from.

use canter::glam::camera::rh;
use canter::glam::{DVec3, Mat4, Vec2, Vec3};

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

    /// Where a point of the world is in a picture that is `aspect` times as wide as tall: from -1 to 1 from left to right and from
    /// bottom to top. `None` if it is behind the camera.
    #[must_use]
    pub fn project(&self, aspect: f32, point: DVec3) -> Option<Vec2> {
        let clip_from_origin = self.clip_from_view(aspect) * self.view_from_origin();
        let clip = clip_from_origin * (point - self.target).as_vec3().extend(1.0);
        let at = Vec2::new(clip.x, clip.y) / clip.w;
        (clip.w > 0.0 && at.is_finite()).then_some(at)
    }

    /// `view_from_world` of positions relative to the target: x to the right, y up, z toward the viewer.
    pub(crate) fn view_from_origin(&self) -> Mat4 {
        let eye = (self.eye - self.target).as_vec3();
        let forward = (-eye).normalize_or(Vec3::NEG_Z);
        // Straight up or down there is no level; any direction will do.
        let up = if forward.y.abs() > 0.9999 { Vec3::NEG_Z } else { Vec3::Y };
        rh::view::look_to_mat4(eye, forward, up)
    }

    /// `clip_from_view`, with x, y and z within ±w.
    pub(crate) fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let distance = (self.eye - self.target).as_vec3().length();
        let distance = if distance.is_finite() && distance > 0.0 { distance } else { 1.0 };
        rh::proj::opengl::perspective(self.fov_y.clamp(0.01, 3.0), aspect, distance * 0.01, distance * 1000.0)
    }
}
