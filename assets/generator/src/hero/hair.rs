//! A cap of hair with tufts swept over the brow and back from the crown.

use glam::{DVec3, dvec3};

use super::palette::{HAIR, HAIR_TIP};
use crate::colour::Colour;
use crate::math::ramp;
use crate::part::{Detail, Material, Part, region};
use crate::sdf::{carve, curl, ellipsoid, join, tube};
use crate::weights::Binding;

/// A parabola of hair: root, bend, tip, and the radius at the root.
struct Tuft([DVec3; 3], f64);

const TIP_RADIUS: f64 = 0.006;

/// The parting is on the right, the fringe falls to the left.
#[rustfmt::skip]
const TUFTS: [Tuft; 19] = [
    // Fringe.
    Tuft([dvec3(-0.050, 1.672, 0.085), dvec3(0.000, 1.685, 0.175), dvec3(0.070, 1.592, 0.172)], 0.044),
    Tuft([dvec3(-0.010, 1.685, 0.070), dvec3(0.085, 1.690, 0.140), dvec3(0.132, 1.572, 0.122)], 0.046),
    Tuft([dvec3(-0.045, 1.680, 0.085), dvec3(-0.015, 1.670, 0.185), dvec3(0.015, 1.588, 0.186)], 0.036),
    Tuft([dvec3(-0.070, 1.668, 0.075), dvec3(-0.105, 1.665, 0.150), dvec3(-0.078, 1.578, 0.166)], 0.040),
    Tuft([dvec3(-0.090, 1.655, 0.050), dvec3(-0.155, 1.625, 0.110), dvec3(-0.138, 1.545, 0.108)], 0.040),
    // Before the ears.
    Tuft([dvec3(-0.115, 1.620, 0.020), dvec3(-0.170, 1.575, 0.055), dvec3(-0.148, 1.478, 0.058)], 0.036),
    Tuft([dvec3(0.115, 1.620, 0.020), dvec3(0.172, 1.575, 0.055), dvec3(0.148, 1.478, 0.058)], 0.036),
    // Crown: one big tuft that stands up, smaller ones around it, all swept to the back and the right.
    Tuft([dvec3(0.020, 1.670, 0.030), dvec3(0.025, 1.790, 0.010), dvec3(-0.060, 1.835, -0.100)], 0.062),
    Tuft([dvec3(0.065, 1.660, 0.000), dvec3(0.120, 1.725, 0.000), dvec3(0.172, 1.762, -0.070)], 0.056),
    Tuft([dvec3(-0.050, 1.665, 0.020), dvec3(-0.105, 1.735, 0.010), dvec3(-0.172, 1.728, -0.060)], 0.054),
    Tuft([dvec3(0.010, 1.670, -0.050), dvec3(0.020, 1.745, -0.130), dvec3(0.030, 1.725, -0.225)], 0.060),
    // Back of the head.
    Tuft([dvec3(0.000, 1.640, -0.110), dvec3(0.000, 1.640, -0.235), dvec3(0.020, 1.545, -0.262)], 0.062),
    Tuft([dvec3(0.085, 1.610, -0.080), dvec3(0.165, 1.590, -0.170), dvec3(0.165, 1.505, -0.190)], 0.058),
    Tuft([dvec3(-0.085, 1.610, -0.080), dvec3(-0.165, 1.590, -0.170), dvec3(-0.170, 1.500, -0.185)], 0.058),
    Tuft([dvec3(0.120, 1.570, -0.050), dvec3(0.185, 1.520, -0.090), dvec3(0.170, 1.440, -0.100)], 0.042),
    Tuft([dvec3(-0.120, 1.570, -0.050), dvec3(-0.185, 1.520, -0.090), dvec3(-0.170, 1.440, -0.100)], 0.042),
    // Nape.
    Tuft([dvec3(0.000, 1.530, -0.120), dvec3(0.000, 1.470, -0.200), dvec3(-0.010, 1.395, -0.195)], 0.058),
    Tuft([dvec3(0.070, 1.520, -0.100), dvec3(0.105, 1.460, -0.170), dvec3(0.100, 1.390, -0.160)], 0.052),
    Tuft([dvec3(-0.070, 1.520, -0.100), dvec3(-0.105, 1.460, -0.170), dvec3(-0.110, 1.385, -0.155)], 0.052),
];

pub(super) fn part() -> Part {
    let bounds = region([-0.24, 1.34, -0.30], [0.24, 1.86, 0.24]);
    let curls: Vec<_> = TUFTS.iter().map(|tuft| curl(tuft.0, (tuft.1, TIP_RADIUS))).collect();
    let field = move |p| curls.iter().fold(cap(p), |hair, balls| join(hair, tuft(p, balls), FILLET));
    Part::solid(Material::Hair, bounds, field)
        .coloured(HAIR)
        .bound_to(Binding::Hair)
        .with_detail(Detail::HAIR)
        .painted(paint)
}

/// Between tufts: small, so that they read as strands.
const FILLET: f64 = 0.012;

fn tuft(p: DVec3, balls: &[(DVec3, f64)]) -> f64 {
    let (first, last) = (balls[0], balls[balls.len() - 1]);
    // No tuft is longer than its chord by half: far from it, the exact distance is not needed.
    let around = p.distance(first.0.midpoint(last.0)) - first.0.distance(last.0) * 0.75 - first.1;
    if around > 2.0 * FILLET { around } else { tube(p, balls) }
}

fn cap(p: DVec3) -> f64 {
    let cap = ellipsoid(p, dvec3(0.0, 1.560, -0.022), dvec3(0.164, 0.164, 0.168));
    let face = ellipsoid(p, dvec3(0.0, 1.470, 0.150), dvec3(0.150, 0.150, 0.165));
    let ears = ellipsoid(dvec3(p.x.abs(), p.y, p.z), dvec3(0.17, 1.485, 0.0), dvec3(0.05, 0.06, 0.05));
    let neck = ellipsoid(p, dvec3(0.0, 1.36, 0.02), dvec3(0.2, 0.10, 0.14));
    carve(carve(carve(cap, face, 0.015), ears, 0.015), neck, 0.02)
}

/// The sun bleaches what stands out.
fn paint(p: DVec3) -> Colour {
    let out = p.distance(dvec3(0.0, 1.555, -0.015));
    Colour::srgb(HAIR).mix(Colour::srgb(HAIR_TIP), ramp(out, 0.165, 0.26) * 0.8)
}
