//! A character as a ray sees it.

use canter::glam::{DAffine3, DMat3, DVec2, DVec3, Vec3};

use super::Ray;
use crate::bounds::Bounds;

/// Space along a ray: it starts at the origin and goes along +Z, in metres.
///
/// Boxes and triangles are brought there, not the ray to them: that needs no inverse, so that figures that
/// are squashed flat are met as well, and a corner that triangles share is at the same place for all of them,
/// so that no ray slips through between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    ray_from_world: DMat3,
    origin: DVec3,
    /// Of the ray's direction.
    pub(super) length: f64,
}

impl Sight {
    /// `None` if the ray is none.
    pub(super) fn new(ray: &Ray) -> Option<Self> {
        // The largest coordinate first: the square of a small or large number overflows.
        let largest = ray.direction.abs().max_element();
        let along = (ray.direction / largest).try_normalize()?;
        let length = (ray.direction / largest).length() * largest;
        let (right, up) = along.any_orthonormal_pair();
        let ray_from_world = DMat3::from_cols(right, up, along).transpose();
        (ray.origin.is_finite() && length.is_normal()).then_some(Self {
            ray_from_world,
            origin: ray.origin,
            length,
        })
    }

    /// What carries a character that stands somewhere into this space.
    pub(super) fn ray_from_model(&self, world_from_model: &DAffine3) -> DAffine3 {
        DAffine3 {
            matrix3: self.ray_from_world * world_from_model.matrix3,
            translation: self.ray_from_world * (world_from_model.translation - self.origin),
        }
    }
}

/// How far from its start the ray may meet something in a box, at least; `None` if it passes by.
pub(super) fn entry(bounds: &Bounds, ray_from_model: &DAffine3) -> Option<f64> {
    if bounds.is_empty() {
        return None;
    }
    let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let axes = ray_from_model.matrix3 * DMat3::from_diagonal((max - min) * 0.5);
    let center = ray_from_model.transform_point3((min + max) * 0.5);
    let reach = axes.x_axis.abs() + axes.y_axis.abs() + axes.z_axis.abs();
    let room = ROUNDING * (center.abs() + reach + ray_from_model.translation.abs()).max_element();
    // Seen along the ray a box is a hexagon: a shadow of each of its edges beside each pair of its sides.
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::truncate);
    let is_beside = |side: DVec2| {
        let reach = side.dot(x).abs() + side.dot(y).abs() + side.dot(z).abs();
        side.dot(center.truncate()).abs() > reach + side.length() * room
    };
    let is_missed = [DVec2::X, DVec2::Y, x.perp(), y.perp(), z.perp()].into_iter().any(is_beside);
    let is_behind = center.z + reach.z + room < 0.0;
    (!is_missed && !is_behind).then_some((center.z - reach.z - room).max(0.0))
}

/// Where the ray meets a triangle: how far from its start, and the shares of the corners.
pub(super) fn meet([a, b, c]: [DVec3; 3]) -> Option<(f64, Vec3)> {
    // On which side of each edge the ray passes. Of two triangles at an edge each gets the other's number
    // with the other sign, bit for bit.
    let side = |from: DVec3, to: DVec3| from.x * to.y - from.y * to.x;
    let sides = DVec3::new(side(b, c), side(c, a), side(a, b));
    let is_inside = sides.cmpge(DVec3::ZERO).all() || sides.cmple(DVec3::ZERO).all();
    let shares = sides / sides.element_sum();
    // A triangle that is seen from its edge has no area, and no shares.
    let depth = shares.dot(DVec3::new(a.z, b.z, c.z));
    (is_inside && depth >= 0.0).then_some((depth, shares.as_vec3()))
}

/// In relation to the numbers that are added up.
const ROUNDING: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use canter::glam::DQuat;
    use proptest::prelude::*;

    use super::*;

    fn place() -> impl Strategy<Value = DAffine3> {
        let scale = prop_oneof![4 => 0.2..3.0, 1 => -2.0..-0.1, 1 => Just(0.0)];
        let shift = -3.0..3.0;
        let numbers = (prop::array::uniform3(scale), prop::array::uniform3(shift), -3.0..3.0, -3.0..3.0);
        numbers.prop_map(|(scale, shift, first, second): ([f64; 3], [f64; 3], f64, f64)| {
            let turn = DQuat::from_rotation_y(first) * DQuat::from_rotation_x(second);
            let squashed = DAffine3::from_scale_rotation_translation(scale.into(), turn, shift.into());
            squashed * DAffine3::from_quat(DQuat::from_rotation_z(second))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn a_ray_towards_a_point_in_a_box_does_not_pass_the_box(
            world_from_model in place(),
            corners in prop::array::uniform2(prop::array::uniform3(-2.0_f32..2.0)),
            share in prop::array::uniform3(prop_oneof![Just(0.0_f32), Just(1.0), 0.0_f32..1.0]),
            start in prop::array::uniform3(-9.0..9.0),
        ) {
            let bounds = Bounds::around(corners.map(Vec3::from_array));
            let inside = (bounds.min + bounds.size() * Vec3::from_array(share)).clamp(bounds.min, bounds.max);
            let target = world_from_model.transform_point3(inside.as_dvec3());
            let origin = target + DVec3::from_array(start);
            let Some(sight) = Sight::new(&Ray { origin, direction: target - origin }) else { return Ok(()) };
            let ray_from_model = sight.ray_from_model(&world_from_model);
            let depth = ray_from_model.transform_point3(inside.as_dvec3()).z;
            let entry = entry(&bounds, &ray_from_model);
            prop_assert!(entry.is_some_and(|entry| entry <= depth), "{entry:?} and {depth}");
        }

        /// A ray along an edge, or through a corner that many triangles share, finds one of them.
        #[test]
        fn nothing_slips_through_between_triangles(
            world_from_model in place(),
            rim in prop::collection::vec(0.3_f64..2.0, 3..9),
            (spoke, share) in (0_usize..9, prop_oneof![Just(0.0), 0.01..0.9]),
            start in prop::array::uniform2(-1.0..1.0),
        ) {
            if world_from_model.matrix3.determinant().abs() < 1e-3 {
                return Ok(()); // It may be seen from its edge.
            }
            let count = rim.len();
            let corner = |index: usize| {
                let (sin, cos) = ((index % count) as f64 * std::f64::consts::TAU / count as f64).sin_cos();
                DVec3::new(sin, cos, 0.0) * rim[index % count]
            };
            let target = world_from_model.transform_point3(corner(spoke) * share);
            let from = DVec3::new(start[0], start[1], 3.0);
            let origin = world_from_model.transform_point3(from);
            let sight = Sight::new(&Ray { origin, direction: target - origin }).unwrap();
            let ray_from_model = sight.ray_from_model(&world_from_model);
            let seen = |point: DVec3| ray_from_model.transform_point3(point);
            let meets = |index: usize| {
                let mut corners = [DVec3::ZERO, corner(index), corner(index + 1)].map(seen);
                corners.rotate_left(index % 3);
                meet(corners).is_some()
            };
            prop_assert!((0..count).any(meets));
        }
    }

    #[test]
    fn a_triangle_without_area_is_not_met() {
        let at = DVec3::Z;
        for corners in
            [[at, at, at], [at - DVec3::X, at, at + DVec3::X], [at - DVec3::X, at + DVec3::X, at + DVec3::X]]
        {
            assert_eq!(meet(corners), None, "{corners:?}");
        }
        // Seen from its edge.
        assert_eq!(meet([DVec3::Z, DVec3::Z * 2.0, DVec3::new(0.0, 1.0, 1.5)]), None);
    }
}
