//! In how much detail figures are drawn.

use canter::math;

use crate::bounds::Bounds;

/// Figures that are smaller than this, in pixels, are drawn by the first coarser mesh, then by the second, where
/// files have them. At 170 pixels the hero still looked different.
const PIXELS: [f32; 2] = [100.0, 36.0];

/// Says by how large figures are in a picture which of their meshes to draw; see
/// [`Model::mesh_at`](crate::Model::mesh_at).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// How many pixels something of size one has at a distance of one.
    pixels_at_one: f32,
}

impl Detail {
    /// For a picture of so many pixels in height, with the [angle](crate::Camera::fov_y) of its camera.
    #[must_use]
    pub fn new(fov_y: f32, height: f32) -> Self {
        let (sin, cos) = math::sin_cos(fov_y.clamp(0.01, 3.0) / 2.0);
        Self { pixels_at_one: height / 2.0 * cos / sin }
    }

    /// Which mesh to draw of what a box is around, relative to the eye: 0 is the finest.
    #[must_use]
    pub fn level(&self, bounds_from_eye: &Bounds) -> usize {
        let size = (bounds_from_eye.max - bounds_from_eye.min).max_element();
        let distance = bounds_from_eye.min.midpoint(bounds_from_eye.max).length();
        // Who is inside of the box sees it large.
        let pixels = self.pixels_at_one * size / distance.max(1e-6);
        PIXELS.iter().filter(|limit| pixels < **limit).count()
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::Vec3;

    use super::*;

    #[test]
    fn detail_goes_by_the_size_in_the_picture() {
        let fov_y = std::f32::consts::FRAC_PI_2;
        let detail = Detail::new(fov_y, 2000.0);
        let figure = |distance: f32| Bounds {
            min: Vec3::new(-0.3, -0.9, -0.2 - distance),
            max: Vec3::new(0.3, 0.9, 0.2 - distance),
        };
        for (distance, level) in [(0.0, 0), (2.0, 0), (17.9, 0), (18.1, 1), (49.9, 1), (50.1, 2), (1e6, 2)] {
            assert_eq!(detail.level(&figure(distance)), level, "{distance} m away");
        }
        assert_eq!(Detail::new(fov_y, 200.0).level(&figure(2.0)), 1);
    }
}
