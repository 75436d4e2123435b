//! Belt, buckle, pouch, and the strap across the chest.

use glam::{DVec3, dvec3};

use super::palette::{BELT, BUCKLE, CUFF};
use super::tunic;
use crate::math::rot_y;
use crate::part::{Detail, Material, Part, region};
use crate::sdf::{block, carve, ellipsoid, join, meet};
use crate::weights::Binding;

const BELT_Y: f64 = 0.955;

pub(super) fn parts() -> Vec<Part> {
    let belt = region([-0.2, BELT_Y - 0.06, -0.18], [0.2, BELT_Y + 0.06, 0.18]);
    let buckle = region([-0.06, BELT_Y - 0.06, 0.08], [0.06, BELT_Y + 0.06, 0.16]);
    let chest = region([-0.24, BELT_Y - 0.02, -0.2], [0.24, 1.34, 0.2]);
    let hip = region([0.04, 0.83, -0.20], [0.24, 1.0, 0.0]);
    let parts = [
        Part::solid(Material::Leather, belt, belt_strap).coloured(BELT).bound_to(Binding::Body),
        Part::solid(Material::Metal, buckle, belt_buckle).coloured(BUCKLE).bound_to(Binding::Rigid("spine")),
        Part::solid(Material::Leather, chest, baldric).coloured(BELT).bound_to(Binding::Skirt),
        Part::solid(Material::Leather, hip, pouch).coloured(CUFF).bound_to(Binding::Body),
        Part::solid(Material::Leather, hip, pouch_flap).coloured(BELT).bound_to(Binding::Body),
    ];
    parts.map(|part| part.with_detail(Detail::FINE)).into()
}

fn belt_strap(p: DVec3) -> f64 {
    meet(tunic::mantle(p) - 0.009, (p.y - BELT_Y).abs() - 0.024, 0.008)
}

/// A strap from the right shoulder to the left hip, and back.
fn baldric(p: DVec3) -> f64 {
    let (from, to) = (dvec3(-0.105, 1.24, 0.0), dvec3(0.135, 0.955, 0.0));
    let across = (to - from).cross(DVec3::Z).normalize();
    let strap = meet(tunic::field(p) - 0.006, (p - from).dot(across).abs() - 0.017, 0.006);
    meet(strap, BELT_Y - p.y, 0.006)
}

const POUCH: DVec3 = dvec3(0.130, 0.900, -0.080);

fn pouch(p: DVec3) -> f64 {
    // Turned with the hip that it hangs on.
    let q = rot_y(-0.6) * (p - POUCH);
    block(q, dvec3(0.024, 0.036, 0.038), 0.016)
}

fn pouch_flap(p: DVec3) -> f64 {
    meet(pouch(p) - 0.004, POUCH.y + 0.002 - p.y, 0.006)
}

/// A rounded frame with a bar.
fn belt_buckle(p: DVec3) -> f64 {
    let q = p - dvec3(0.0, BELT_Y, 0.120);
    let frame = block(q, dvec3(0.042, 0.036, 0.009), 0.007);
    let hole = block(q, dvec3(0.026, 0.020, 0.05), 0.008);
    let bar = ellipsoid(q, dvec3(0.0, 0.0, 0.003), dvec3(0.030, 0.007, 0.007));
    join(carve(frame, hole, 0.005), bar, 0.003)
}
