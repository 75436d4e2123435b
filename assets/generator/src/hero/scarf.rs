//! A scarf wound around the neck, with two tails down the back.

use glam::{DVec2, DVec3, dvec3};

use super::palette::{SCARF, SCARF_EDGE};
use crate::math::{bone_frame, rot_x, rot_z};
use crate::part::{Detail, Material, Part, region};
use crate::rig::{SCARF_LONG, SCARF_SHORT};
use crate::sdf::{ellipsoid, join, meet, ring};
use crate::weights::Binding;

/// Length of the bright end of a tail, metres.
const FRINGE: f64 = 0.045;

pub(super) fn parts() -> Vec<Part> {
    let wrap_region = region([-0.2, 1.18, -0.2], [0.2, 1.44, 0.2]);
    let mut parts =
        vec![Part::solid(Material::Cloth, wrap_region, wrap).coloured(SCARF).bound_to(Binding::Body)];
    parts.extend(tail(Binding::ScarfLong, &SCARF_LONG));
    parts.extend(tail(Binding::ScarfShort, &SCARF_SHORT));
    parts
}

fn tail(binding: Binding, points: &'static [DVec3]) -> [Part; 2] {
    let bounds = region([-0.16, 0.78, -0.27], [0.18, 1.31, -0.08]);
    let [before_tip, tip] = [points[points.len() - 2], points[points.len() - 1]];
    let past = move |p: DVec3| (p - tip).dot((tip - before_tip).normalize()) + FRINGE;
    let body = move |p| meet(ribbon(p, points), past(p), 0.002);
    let fringe = move |p| meet(ribbon(p, points) - 0.002, -past(p), 0.004);
    [
        Part::solid(Material::Cloth, bounds, body)
            .coloured(SCARF)
            .bound_to(binding)
            .with_detail(Detail::FINE),
        Part::solid(Material::Cloth, bounds, fringe)
            .coloured(SCARF_EDGE)
            .bound_to(binding)
            .with_detail(Detail::FINE),
    ]
}

/// Two turns, the upper one slipped to one side, and the knot behind.
fn wrap(p: DVec3) -> f64 {
    let lower = rot_x(0.16) * (p - dvec3(0.0, 1.282, 0.004));
    let upper = rot_z(-0.07) * rot_x(0.17) * (p - dvec3(0.003, 1.328, -0.004));
    let turns = join(
        ring(lower, DVec2::new(0.104, 0.094), DVec2::new(0.038, 0.033)),
        ring(upper, DVec2::new(0.088, 0.082), DVec2::new(0.034, 0.030)),
        0.008,
    );
    let knot = ellipsoid(p, dvec3(0.006, 1.272, -0.118), dvec3(0.036, 0.034, 0.028));
    join(turns, knot, 0.008)
}

/// A flat band through the points, wider toward its end.
fn ribbon(p: DVec3, points: &[DVec3]) -> f64 {
    let last = points.len() - 2;
    let mut cloth = f64::MAX;
    for (number, ends) in points.windows(2).enumerate() {
        let along = ends[1] - ends[0];
        let q = bone_frame(along, DVec3::NEG_Z).inverse() * (p - ends[0]);
        let t = (q.y / along.length()).clamp(0.0, 1.0);
        let width = 0.030 + 0.026 * (number as f64 + t) / (last + 1) as f64;
        let over = (q.y - along.length()).max(-q.y).max(0.0);
        let aside = (q.x.abs() - width + THICKNESS).max(0.0);
        let distance = (aside * aside + q.z * q.z + over * over).sqrt() - THICKNESS;
        cloth = join(cloth, distance, 0.01);
    }
    cloth
}

/// Half the cloth's thickness; thinner than the mesher's cells would make holes.
const THICKNESS: f64 = 0.008;
