//! Shirt sleeves, gauntlets and gloved hands.

use glam::{DVec3, dvec3};

use super::palette::{CUFF, GLOVE, SHIRT};
use crate::assets::fingers::{FINGERS, to_hand};
use crate::assets::landmarks::{ELBOW, SHOULDER, WRIST};
use crate::assets::part::{Detail, Material, Part, mirrored, region};
use crate::assets::sdf::{cone, ellipsoid, join, meet, tube};
use crate::assets::side::Side;
use crate::assets::weights::Binding;

/// Where the gauntlet begins, as a share of the forearm.
const GAUNTLET_START: f64 = 0.42;

pub(super) fn parts(side: Side) -> Vec<Part> {
    let sleeve_region = mirrored(region([0.10, 0.90, -0.11], [0.47, 1.30, 0.10]), side);
    let cuff_region = mirrored(region([0.28, 0.88, -0.11], [0.48, 1.08, 0.11]), side);
    let glove_region = mirrored(region([0.32, 0.72, -0.10], [0.62, 1.06, 0.13]), side);
    vec![
        Part::solid(
            Material::Cloth,
            Binding::Arm(side),
            SHIRT,
            sleeve_region,
            Box::new(move |p| sleeve(side.mirror(p))),
        ),
        Part::solid(
            Material::Leather,
            Binding::Arm(side),
            CUFF,
            cuff_region,
            Box::new(move |p| cuff(side.mirror(p))),
        )
        .with_detail(Detail::FINE),
        Part::solid(
            Material::Leather,
            Binding::Hand(side),
            GLOVE,
            glove_region,
            Box::new(move |p| glove(side.mirror(p))),
        )
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

fn gauntlet(p: DVec3, grown: f64) -> f64 {
    let start = ELBOW.lerp(WRIST, GAUNTLET_START);
    let mantle = cone(p, [(start, 0.052 + grown), (WRIST, 0.036 + grown)]);
    meet(mantle, (start - p).dot((WRIST - ELBOW).normalize()), 0.006)
}

fn cuff(p: DVec3) -> f64 {
    let start = ELBOW.lerp(WRIST, GAUNTLET_START);
    let past = (p - start).dot((WRIST - ELBOW).normalize());
    let mantle = cone(p, [(start, 0.0595), (WRIST, 0.041)]);
    meet(mantle, (past - 0.030).max(-0.006 - past), 0.010)
}

fn glove(p: DVec3) -> f64 {
    let q = to_hand(p);
    let palm = ellipsoid(q, dvec3(-0.001, 0.044, 0.002), dvec3(0.046, 0.058, 0.023));
    let ball = ellipsoid(q, dvec3(0.022, 0.030, 0.010), dvec3(0.024, 0.030, 0.020));
    let wrist = cone(
        q,
        [
            (dvec3(0.0, -0.02, 0.0), 0.034),
            (dvec3(0.0, 0.02, 0.001), 0.028),
        ],
    );
    let mut hand = join(join(palm, ball, 0.015), wrist, 0.03);
    let mut fingers = f64::MAX;
    for finger in &FINGERS {
        let points = finger.points();
        let (thick, thin) = finger.radii;
        let digit = tube(
            p,
            &[
                (points[0], thick),
                (points[1], thick),
                (points[2], (thick + thin) * 0.5),
                (points[3], thin),
            ],
        );
        hand = join(
            hand,
            cone(p, [(points[0], thick), (points[1], thick)]),
            0.016,
        );
        fingers = fingers.min(digit);
    }
    join(join(hand, fingers, 0.003), gauntlet(p, 0.0), 0.012)
}
