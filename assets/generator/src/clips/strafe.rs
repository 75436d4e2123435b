//! Sidesteps of a fencer: the near foot steps out, the far one closes up without passing it.

use std::f64::consts::TAU;

use glam::DVec3;

use super::locomotion::Manner;
use super::{Clip, KEY_RATE, RootMotion};
use crate::controls::{Controls, turn};
use crate::gait::Gait;
use crate::math::cos;
use crate::side::Side;

pub(super) const LEFT: Clip = Clip {
    name: "StrafeLeft",
    duration_secs: LEFT_MANNER.gait.period_secs,
    gait: Some(&LEFT_MANNER.gait),
    root: RootMotion::Steady,
    looping: true,
    key_rate: KEY_RATE,
    leg_keys: 40,
    controls: |time_secs| controls(&LEFT_MANNER, time_secs),
    landings: Vec::new,
};

pub(super) const RIGHT: Clip = Clip {
    name: "StrafeRight",
    gait: Some(&RIGHT_MANNER.gait),
    controls: |time_secs| controls(&RIGHT_MANNER, time_secs),
    ..LEFT
};

const LEFT_MANNER: Manner = manner(DVec3::X, Side::Left);
const RIGHT_MANNER: Manner = manner(DVec3::NEG_X, Side::Right);

const fn manner(heading: DVec3, first: Side) -> Manner {
    Manner {
        gait: Gait {
            period_secs: 0.64,
            speed: 0.9,
            heading,
            first,
            stance: 0.58,
            contact: 0.155,
            // In a period the feet come nearer by its whole way, 0.58 m, and part again.
            track_x: 0.205,
            toes_out: 0.18,
            pitch: &[
                (0.0, -0.22),
                (0.10, 0.0),
                (0.40, 0.0),
                (0.58, -0.42),
                (0.68, -0.50),
                (0.86, -0.22),
                (1.0, -0.22),
            ],
            lift: &[(0.58, 0.0), (0.74, 0.050), (0.88, 0.030), (1.0, 0.0)],
            toes_flat: &[(0.0, 1.0), (0.58, 1.0), (0.72, 0.6), (0.9, 1.0)],
        },
        crouch: 0.105,
        // More, at three steps a second, would whirl the scarf up.
        bob: 0.004,
        bob_phase: 0.17,
        sway: 0.004,
        pelvis_twist: 0.0,
        pelvis_drop: 0.020,
        lean: 0.20,
        chest_twist: 0.0,
        arm_swing: 0.0,
        arm_swing_mean: 0.22,
        spread: 0.38,
        elbow: 0.85,
        elbow_swing: 0.0,
    }
}

fn controls(manner: &Manner, time_secs: f64) -> Controls {
    let gait = &manner.gait;
    let sign = gait.heading.x;
    // Wide when the near foot lands, narrow when the far one does; shoulders and arms come late.
    let wide = |lag: f64| cos((time_secs / gait.period_secs - lag) * TAU);
    let bounce = |lag: f64| cos((2.0 * time_secs / gait.period_secs - lag) * TAU);
    let mut controls = manner.controls(time_secs);
    controls.hips.z -= 0.03;
    controls.hips_turn = controls.hips_turn + turn(0.0, 0.04 * sign * wide(0.1), 0.0);
    controls.chest = controls.chest + turn(0.0, -0.04 * sign * wide(0.15), 0.0);
    // The eyes go where the way leads.
    controls.neck = controls.neck + turn(0.0, 0.08 * sign, 0.0);
    controls.head = controls.head + turn(0.0, 0.12 * sign, 0.02 * sign * wide(0.3));
    for (arm, side) in controls.arms.iter_mut().zip(Side::BOTH) {
        arm.spread += 0.08 * wide(0.12) * sign * side.sign() + 0.03 * bounce(0.3);
        arm.swing += 0.03 * bounce(0.25);
        arm.elbow += 0.05 * bounce(0.35);
        arm.shrug += 0.03 * bounce(0.2);
    }
    controls
}
