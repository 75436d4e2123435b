//! Marks on the ground where feet were.

use canter::glam::{DVec2, DVec3, Vec2};

use crate::light::smooth;

/// An ellipse on the ground, for one picture after another; see
/// [`SoftRenderer::footprints`](crate::SoftRenderer::footprints).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Its middle, along x and z of the world.
    pub middle: DVec2,
    /// Where its length leads, along x and z; its own length does not matter.
    pub heading: Vec2,
    /// Half its length and half its width, in metres.
    pub half_size: Vec2,
    /// How dark it is, from 0 to 1.
    pub strength: f32,
}

/// A footprint as seen from the origin of a picture.
pub(crate) struct Print {
    middle: Vec2,
    along: Vec2,
    half_size: Vec2,
    strength: f32,
}

impl Print {
    /// `None` if there is nothing to see.
    pub(crate) fn new(print: &Footprint, origin: DVec3) -> Option<Self> {
        let middle = (print.middle - DVec2::new(origin.x, origin.z)).as_vec2();
        let strength = print.strength.clamp(0.0, 1.0);
        let is_fine =
            middle.is_finite() && print.half_size.is_finite() && print.half_size.min_element() > 0.0;
        let along = print.heading.normalize_or(Vec2::Y);
        (is_fine && strength > 0.0).then_some(Self { middle, along, half_size: print.half_size, strength })
    }

    /// How much of the ink is at a place where a pixel is so large.
    pub(crate) fn ink(&self, place: Vec2, pixel: f32) -> f32 {
        let away = place - self.middle;
        let own = Vec2::new(away.dot(self.along), away.perp_dot(self.along)) / self.half_size;
        let radius = own.length();
        if radius > 2.0 {
            return 0.0;
        }
        // From the middle of the edge, half a pixel and a tenth of the width to both sides.
        let softness = 0.1 + 0.5 * pixel / self.half_size.min_element();
        self.strength * smooth(((1.0 + softness - radius) / (2.0 * softness)).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_is_inside_of_the_ellipse_only() {
        let print = Footprint {
            middle: DVec2::new(1e6 + 1.0, 2.0),
            heading: Vec2::new(0.0, 3.0),
            half_size: Vec2::new(0.2, 0.1),
            strength: 0.5,
        };
        let seen = Print::new(&print, DVec3::new(1e6, 0.0, 0.0)).unwrap();
        let table = [
            ((1.0, 2.0), 0.5),
            ((1.0, 2.17), 0.5),
            ((1.08, 2.0), 0.5),
            ((1.0, 2.25), 0.0),
            ((1.13, 2.0), 0.0),
        ];
        for ((x, z), ink) in table {
            assert!((seen.ink(Vec2::new(x, z), 1e-4) - ink).abs() < 1e-3, "{x} {z}");
        }
        for nothing in [0.0, -1.0, f32::NAN] {
            assert!(
                Print::new(&Footprint { half_size: Vec2::splat(nothing), ..print }, DVec3::ZERO).is_none()
            );
        }
    }
}
