//! What all shaders of a frame are told.

use bytemuck::{Pod, Zeroable};
use canter::glam::{Mat4, Vec3, Vec4};
use canter_scene::{Background, Bounds, Camera, Look};

use super::RendererOptions;
use super::texture::linear;

/// As `Frame` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct FrameUniform {
    clip_from_eye: [f32; 16],
    map_from_eye: [f32; 16],
    sun: [f32; 4],
    ground: [f32; 4],
    grid: [f32; 4],
    background: [f32; 4],
    background_edge: [f32; 4],
    screen: [f32; 4],
}

/// The radius of the largest ball in which there are shadows, in distances between camera and target.
pub(super) const WIDEST: f32 = 3.0;

impl FrameUniform {
    pub(super) fn new(
        camera: &Camera,
        look: &Look,
        (width, height): (f32, f32),
        bounds: Bounds,
        options: RendererOptions,
    ) -> Self {
        let sun = toward_sun(look);
        let target = (camera.target - camera.eye).as_vec3();
        let is_usable = !bounds.is_empty() && bounds.min.is_finite() && bounds.max.is_finite();
        let (min, max) = if is_usable { (bounds.min, bounds.max) } else { (target - 1.0, target + 1.0) };
        // A crowd may be wider than what is worth a shadow: then those around the target have one.
        let widest = camera.distance() * WIDEST;
        let (middle, radius) = match (max - min).length() / 2.0 {
            radius if radius <= widest => ((min + max) / 2.0, radius.max(1e-3)),
            _ => (target.clamp(min, max), widest),
        };
        let size = radius.min(camera.distance() * 1.2) * 2.0;

        let ground = look.ground.unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, reason = "relative to the camera")]
        let ground_height = (ground.height - camera.eye.y) as f32;
        let spacing = ground.line_spacing(size);
        let offset = ground.line_offset(camera.eye, spacing);
        // From below there would be nothing else to see.
        let is_seen = look.ground.is_some() && ground_height < 0.0;

        let texel = 2.0 * radius / f32::from(options.shadows.side());
        let softness = (0.011 * size / (2.0 * radius)).min(0.02);
        let (background, background_edge) = background_colors(look.background);
        Self {
            clip_from_eye: camera.clip_from_eye(width / height).to_cols_array(),
            map_from_eye: map_from_eye(sun, middle, radius).to_cols_array(),
            sun: sun.extend(softness).to_array(),
            ground: [ground_height, spacing, size * 1.9, if is_seen { 1.0 } else { 0.0 }],
            grid: [offset.x, offset.y, middle.x, middle.z],
            background,
            background_edge,
            screen: [width, height, texel, if options.format.is_srgb() { 0.0 } else { 1.0 }],
        }
    }

    pub(super) fn has_ground(&self) -> bool {
        self.ground[3] > 0.0
    }
}

/// Of length one.
pub(super) fn toward_sun(look: &Look) -> Vec3 {
    if look.sun.is_finite() { look.sun.normalize_or(Vec3::Y) } else { Vec3::Y }
}

/// The sun sees a ball without perspective.
fn map_from_eye(sun: Vec3, middle: Vec3, radius: f32) -> Mat4 {
    let (right, up) = sun.any_orthonormal_pair();
    let row = |axis: Vec3, scale: f32, shift: f32| (axis * scale).extend(shift - axis.dot(middle) * scale);
    let rows =
        [row(right, 1.0 / radius, 0.0), row(up, 1.0 / radius, 0.0), row(-sun, 0.5 / radius, 0.5), Vec4::W];
    Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose()
}

/// The linear colours of the middle and of the edge, and alpha.
fn background_colors(background: Background) -> ([f32; 4], [f32; 4]) {
    match background {
        Background::Studio => ([0.93, 0.935, 0.94, 1.0], [0.60, 0.62, 0.65, 1.0]),
        Background::Color(bytes) => {
            let [r, g, b] = bytes.map(linear);
            ([r, g, b, 1.0], [r, g, b, 1.0])
        }
        Background::Transparent => ([0.0; 4], [0.0; 4]),
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::DVec3;

    use super::*;

    #[test]
    fn the_sun_sees_all_of_the_ball() {
        let (sun, middle) = (Vec3::new(0.3, 0.8, -0.2).normalize(), Vec3::new(5.0, -2.0, 1.0));
        let map = map_from_eye(sun, middle, 3.0);
        assert!(map.transform_point3(middle).abs_diff_eq(Vec3::new(0.0, 0.0, 0.5), 1e-6));
        assert!(map.transform_point3(middle + sun * 3.0).abs_diff_eq(Vec3::ZERO, 1e-6), "nearest to the sun");
    }

    #[test]
    fn any_camera_and_look_give_numbers() {
        let odd = Camera { eye: DVec3::ZERO, target: DVec3::ZERO, fov_y: f32::NAN };
        let look = Look { sun: Vec3::ZERO, ..Look::default() };
        let ball = |radius: f32| Bounds { min: Vec3::splat(-radius), max: Vec3::splat(radius) };
        for bounds in [Bounds::EMPTY, ball(0.0), ball(1e9), ball(f32::INFINITY)] {
            let uniform = FrameUniform::new(&odd, &look, (1.0, 1.0), bounds, RendererOptions::default());
            let numbers: &[f32] = bytemuck::cast_slice(std::slice::from_ref(&uniform));
            assert!(numbers.iter().all(|number| number.is_finite()), "{uniform:?}");
        }
    }
}
