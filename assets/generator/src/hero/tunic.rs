//! Tunic with short sleeves and its trim.

use glam::{DVec3, dvec3};

use super::palette::{TRIM, TUNIC, TUNIC_HEM};
use crate::landmarks::{ELBOW, SHOULDER};
use crate::math::ramp;
use crate::part::{Detail, Material, Part, region};
use crate::sdf::{Loft, Section, carve, cone, join, meet, section};
use crate::weights::Binding;

const HEM_Y: f64 = 0.67;

/// Body and skirt.
const SECTIONS: [Section; 10] = [
    section(HEM_Y, 0.200, 0.164, -0.004),
    section(0.740, 0.186, 0.150, -0.003),
    section(0.850, 0.164, 0.130, -0.002),
    section(0.950, 0.140, 0.110, 0.0),
    section(1.050, 0.150, 0.118, 0.0),
    section(1.150, 0.168, 0.128, 0.0),
    section(1.215, 0.150, 0.114, -0.006),
    section(1.255, 0.108, 0.092, -0.012),
    section(1.290, 0.076, 0.076, -0.016),
    section(1.315, 0.066, 0.068, -0.016),
];

pub(super) fn parts() -> Vec<Part> {
    let body = region([-0.34, HEM_Y - 0.02, -0.2], [0.34, 1.34, 0.2]);
    let hem = region([-0.25, HEM_Y - 0.03, -0.22], [0.25, HEM_Y + 0.08, 0.22]);
    vec![
        Part::solid(Material::Cloth, body, field)
            .graded((HEM_Y, TUNIC_HEM), (1.12, TUNIC))
            .bound_to(Binding::Skirt),
        Part::solid(Material::Cloth, hem, hem_trim).coloured(TRIM).bound_to(Binding::Skirt),
        Part::solid(Material::Cloth, body, sleeve_trims)
            .coloured(TRIM)
            .bound_to(Binding::Skirt)
            .with_detail(Detail::FINE),
    ]
}

/// The cloth's outside; toward the hem it falls in folds.
pub(super) fn mantle(p: DVec3) -> f64 {
    let folds = FOLD_DEPTH * ramp(p.y, 0.88, HEM_Y) * six_waves(p);
    Loft(&SECTIONS).mantle(p) - folds
}

/// Six waves around the Y axis, from -1 to 1: the Chebyshev polynomial of the direction's cosine.
fn six_waves(p: DVec3) -> f64 {
    let cc = p.x * p.x / (p.x * p.x + p.z * p.z).max(1e-9);
    ((32.0 * cc - 48.0) * cc + 18.0) * cc - 1.0
}

const FOLD_DEPTH: f64 = 0.011;

pub(super) fn field(p: DVec3) -> f64 {
    let top = SECTIONS[SECTIONS.len() - 1].y;
    let body = meet(mantle(p), (HEM_Y - p.y).max(p.y - top), 0.012);
    // Below the belt the cloth is a shell, so that one sees legs and not a lid from below.
    let inside = meet(mantle(p) + 0.013, p.y - 0.84, 0.02);
    join(carve(body, inside, 0.008), sleeve(p), 0.030)
}

fn hem_trim(p: DVec3) -> f64 {
    let band = (p.y - HEM_Y - 0.030).max(HEM_Y - 0.006 - p.y);
    meet((mantle(p) + 0.0045).abs() - 0.011, band, 0.006)
}

/// Share of the upper arm that the sleeves cover.
const SLEEVE_END: f64 = 0.52;

fn sleeve(p: DVec3) -> f64 {
    let p = dvec3(p.x.abs(), p.y, p.z);
    let root = SHOULDER + dvec3(-0.035, -0.010, 0.0);
    let arm = cone(p, [(root, 0.070), (SHOULDER.lerp(ELBOW, 0.75), 0.064)]);
    meet(arm, past_sleeve(p), 0.010)
}

/// How far a point of the left side is beyond the sleeve's end, along the arm.
fn past_sleeve(p: DVec3) -> f64 {
    (p - SHOULDER.lerp(ELBOW, SLEEVE_END)).dot((ELBOW - SHOULDER).normalize())
}

/// A band on the cloth around the end of each sleeve.
fn sleeve_trims(p: DVec3) -> f64 {
    let q = dvec3(p.x.abs(), p.y, p.z);
    let past = past_sleeve(q);
    let near_arm = cone(q, [(SHOULDER, 0.090), (ELBOW, 0.090)]);
    let band = meet(field(p) - 0.0065, -0.018 - past, 0.005);
    band.max(near_arm).max(past - 0.006)
}
