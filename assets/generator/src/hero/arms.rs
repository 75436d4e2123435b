//! Shirt sleeves, gauntlets and gloved hands.

use glam::{DVec3, dvec3};

use super::palette::{CUFF, GLOVE, SHIRT};
use crate::fingers::{FINGERS, Finger, to_hand};
use crate::landmarks::{ELBOW, SHOULDER, WRIST};
use crate::part::{Detail, Material, Part, mirrored, region};
use crate::sdf::{cone, ellipsoid, join, meet, tube};
use crate::side::Side;
use crate::weights::Binding;

/// Where the gauntlet begins, as a share of the forearm.
const GAUNTLET_START: f64 = 0.42;

pub(super) fn parts(side: Side) -> Vec<Part> {
    let sleeve_region = mirrored(region([0.10, 0.90, -0.11], [0.47, 1.30, 0.10]), side);
    let cuff_region = mirrored(region([0.28, 0.88, -0.11], [0.48, 1.08, 0.11]), side);
    let glove_region = mirrored(region([0.32, 0.72, -0.10], [0.62, 1.06, 0.13]), side);
    let glove = glove();
    vec![
        Part::solid(Material::Cloth, sleeve_region, move |p| sleeve(side.mirror(p)))
            .coloured(SHIRT)
            .bound_to(Binding::Arm(side)),
        Part::solid(Material::Leather, cuff_region, move |p| cuff(side.mirror(p)))
            .coloured(CUFF)
            .bound_to(Binding::Arm(side))
            .with_detail(Detail::FINE),
        Part::solid(Material::Leather, glove_region, move |p| glove(side.mirror(p)))
            .coloured(GLOVE)
            .bound_to(Binding::Hand(side))
            .with_detail(Detail::HAND),
    ]
}

fn sleeve(p: DVec3) -> f64 {
    let puff = ELBOW.lerp(WRIST, 0.36);
    tube(
        p,
        &[
            (SHOULDER.lerp(ELBOW, 0.15), 0.036),
            (SHOULDER.lerp(ELBOW, 0.55), 0.051),
            (ELBOW, 0.0485),
            (puff, 0.053),
            (ELBOW.lerp(WRIST, 0.8), 0.036),
        ],
    )
}

fn gauntlet(p: DVec3) -> f64 {
    let start = ELBOW.lerp(WRIST, GAUNTLET_START);
    let mantle = cone(p, [(start, 0.052), (WRIST, 0.036)]);
    meet(mantle, (start - p).dot((WRIST - ELBOW).normalize()), 0.006)
}

fn cuff(p: DVec3) -> f64 {
    let start = ELBOW.lerp(WRIST, GAUNTLET_START);
    let past = (p - start).dot((WRIST - ELBOW).normalize());
    let mantle = cone(p, [(start, 0.0595), (WRIST, 0.041)]);
    meet(mantle, (past - 0.030).max(-0.006 - past), 0.010)
}

/// Hand and gauntlet of the left side.
fn glove() -> impl Fn(DVec3) -> f64 {
    let digits = FINGERS.each_ref().map(digit);
    move |p| {
        let mut hand = palm(to_hand(p));
        let mut fingers = f64::MAX;
        for balls in &digits {
            // Knuckles melt into the palm, but no finger into its neighbour.
            hand = join(hand, cone(p, [balls[0], balls[1]]), 0.016);
            fingers = fingers.min(tube(p, balls));
        }
        join(join(hand, fingers, 0.003), gauntlet(p), 0.012)
    }
}

fn digit(finger: &Finger) -> [(DVec3, f64); 4] {
    let [knuckle, middle, end, tip] = finger.points();
    let (thick, thin) = finger.radii;
    [(knuckle, thick), (middle, thick), (end, (thick + thin) * 0.5), (tip, thin)]
}

/// In hand coordinates: toward the thumb, along, out of the palm.
fn palm(q: DVec3) -> f64 {
    let palm = ellipsoid(q, dvec3(-0.001, 0.044, 0.002), dvec3(0.046, 0.058, 0.023));
    let ball = ellipsoid(q, dvec3(0.022, 0.030, 0.010), dvec3(0.024, 0.030, 0.020));
    let wrist = cone(q, [(dvec3(0.0, -0.02, 0.0), 0.034), (dvec3(0.0, 0.02, 0.001), 0.028)]);
    join(join(palm, ball, 0.015), wrist, 0.03)
}
