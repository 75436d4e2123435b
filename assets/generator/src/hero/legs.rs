//! Trousers and boots.

use glam::{DVec3, dvec3};

use super::palette::{BOOT, BOOT_TOE, CUFF, SOLE, TROUSERS, TROUSERS_TOP};
use crate::landmarks::{ANKLE, HIP, KNEE};
use crate::part::{Detail, Material, Part, mirrored, region};
use crate::sdf::{cone, ellipsoid, join, meet, tube};
use crate::side::Side;
use crate::weights::Binding;

/// Top of the boots.
const BOOT_TOP_Y: f64 = 0.335;

pub(super) fn parts() -> Vec<Part> {
    let bounds = region([-0.24, 0.2, -0.18], [0.24, 0.96, 0.18]);
    let mut parts = vec![
        Part::solid(Material::Cloth, bounds, trousers)
            .graded((0.45, TROUSERS), (0.68, TROUSERS_TOP))
            .bound_to(Binding::Body),
    ];
    for side in Side::BOTH {
        let bounds = mirrored(region([0.0, -0.03, -0.14], [0.22, BOOT_TOP_Y + 0.04, 0.23]), side);
        let leather = |hex, field: fn(DVec3) -> f64| {
            Part::solid(Material::Leather, bounds, move |p| field(side.mirror(p)))
                .coloured(hex)
                .bound_to(Binding::Body)
        };
        parts.push(leather(BOOT, boot).graded((0.03, BOOT_TOE), (0.16, BOOT)));
        parts.push(leather(CUFF, cuff).with_detail(Detail::FINE));
        parts.push(leather(CUFF, strap).with_detail(Detail::FINE));
        parts.push(leather(SOLE, sole).with_detail(Detail::FINE));
    }
    parts
}

fn trousers(p: DVec3) -> f64 {
    let p = dvec3(p.x.abs(), p.y, p.z);
    let pelvis = ellipsoid(p, dvec3(0.0, 0.83, 0.0), dvec3(0.130, 0.095, 0.100));
    let leg = tube(
        p,
        &[
            (HIP + dvec3(-0.006, 0.0, -0.004), 0.078),
            (HIP.lerp(KNEE, 0.45), 0.080),
            (KNEE, 0.070),
            (dvec3(0.096, 0.365, -0.004), 0.074),
            (dvec3(0.097, 0.26, -0.012), 0.055),
        ],
    );
    join(pelvis, leg, 0.03)
}

fn shaft(p: DVec3, grown: f64) -> f64 {
    cone(p, [(dvec3(0.096, 0.33, -0.010), 0.073 + grown), (ANKLE + dvec3(0.0, 0.01, 0.0), 0.054 + grown)])
}

fn foot(p: DVec3, grown: f64) -> f64 {
    tube(
        p,
        &[
            (dvec3(0.098, 0.052, -0.026), 0.053 + grown),
            (dvec3(0.102, 0.050, 0.070), 0.056 + grown),
            (dvec3(0.106, 0.044, 0.126), 0.053 + grown),
        ],
    )
}

fn boot(p: DVec3) -> f64 {
    let leather = join(meet(shaft(p, 0.0), p.y - BOOT_TOP_Y, 0.01), foot(p, 0.0), 0.06);
    meet(leather, 0.008 - p.y, 0.01)
}

fn cuff(p: DVec3) -> f64 {
    let band = (p.y - BOOT_TOP_Y - 0.010).max(BOOT_TOP_Y - 0.040 - p.y);
    meet(shaft(p, 0.010), band, 0.014)
}

/// Around the ankle, higher at the front.
fn strap(p: DVec3) -> f64 {
    let rise = (p.y - 0.128) - 0.22 * (p.z - ANKLE.z);
    meet(boot(p) - 0.005, rise.abs() - 0.013, 0.006)
}

fn sole(p: DVec3) -> f64 {
    meet(foot(p, 0.005), (p.y - 0.020).max(-p.y), 0.006)
}
