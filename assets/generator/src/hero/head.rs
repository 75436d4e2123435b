//! Skull, face, ears and neck.

use glam::{DVec3, dvec3};

use super::palette::{BLUSH, SKIN};
use crate::colour::Colour;
use crate::math::ramp;
use crate::part::{Detail, Material, Part, region};
use crate::sdf::{carve, cone, ellipsoid, join, sphere};
use crate::weights::Binding;

pub(super) fn part() -> Part {
    let bounds = region([-0.2, 1.23, -0.2], [0.2, 1.74, 0.22]);
    Part::solid(Material::Skin, bounds, field)
        .coloured(SKIN)
        .bound_to(Binding::Head)
        .with_detail(Detail::FINE)
        .painted(paint)
}

pub(super) fn field(p: DVec3) -> f64 {
    // Both halves are alike.
    let p = dvec3(p.x.abs(), p.y, p.z);
    let cranium = ellipsoid(p, dvec3(0.0, 1.552, -0.012), dvec3(0.150, 0.155, 0.158));
    let jaw = ellipsoid(p, dvec3(0.0, 1.466, 0.030), dvec3(0.116, 0.102, 0.114));
    let cheek = sphere(p, dvec3(0.060, 1.460, 0.078), 0.058);
    let chin = sphere(p, dvec3(0.0, 1.388, 0.096), 0.030);
    let skull = join(join(join(cranium, jaw, 0.07), cheek, 0.05), chin, 0.05);
    let nose = cone(p, [(dvec3(0.0, 1.512, 0.150), 0.008), (dvec3(0.0, 1.480, 0.170), 0.0165)]);
    let ear = ellipsoid(p, dvec3(0.156, 1.496, -0.012), dvec3(0.016, 0.042, 0.030));
    let concha = ellipsoid(p, dvec3(0.174, 1.498, -0.002), dvec3(0.012, 0.026, 0.017));
    let neck = cone(p, [(dvec3(0.0, 1.26, -0.022), 0.060), (dvec3(0.0, 1.42, -0.016), 0.058)]);
    join(join(join(skull, nose, 0.022), carve(ear, concha, 0.01), 0.014), neck, 0.03)
}

/// Rosy cheeks, ears and nose tip.
fn paint(p: DVec3) -> Colour {
    let p = dvec3(p.x.abs(), p.y, p.z);
    let cheek = ramp(p.distance(dvec3(0.088, 1.452, 0.108)), 0.050, 0.010) * 0.55;
    let nose = ramp(p.distance(dvec3(0.0, 1.478, 0.186)), 0.030, 0.006) * 0.35;
    let ear = ramp(p.x, 0.150, 0.176) * 0.35;
    Colour::srgb(SKIN).mix(Colour::srgb(BLUSH), cheek.max(nose).max(ear))
}
