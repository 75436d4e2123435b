//! Backing off: short steps that feel for the ground with the toes, knees soft, a glance over the shoulder.

use glam::DVec3;

use super::locomotion::Manner;
use super::{Clip, KEY_RATE, RootMotion};
use crate::controls::{Controls, turn};
use crate::gait::Gait;
use crate::side::Side;

pub(super) const CLIP: Clip = Clip {
    name: "WalkBack",
    duration_secs: MANNER.gait.period_secs,
    gait: Some(&MANNER.gait),
    root: RootMotion::Steady,
    looping: true,
    key_rate: KEY_RATE,
    leg_keys: 40,
    controls,
    landings: Vec::new,
};

const MANNER: Manner = Manner {
    gait: Gait {
        period_secs: 0.9,
        speed: 0.8,
        heading: DVec3::NEG_Z,
        first: Side::Left,
        stance: 0.62,
        contact: 0.235,
        track_x: 0.085,
        toes_out: 0.16,
        pitch: &[
            (0.0, -0.55),
            (0.15, 0.0),
            (0.45, 0.0),
            (0.62, 0.24),
            (0.72, 0.10),
            (0.86, -0.45),
            (1.0, -0.55),
        ],
        lift: &[(0.62, 0.0), (0.78, 0.060), (0.90, 0.035), (1.0, 0.0)],
        toes_flat: &[(0.0, 1.0), (0.70, 1.0), (0.82, 0.6), (0.95, 1.0)],
    },
    crouch: 0.050,
    bob: 0.008,
    bob_phase: 0.12,
    sway: 0.026,
    pelvis_twist: 0.09,
    pelvis_drop: 0.05,
    lean: 0.13,
    chest_twist: 0.05,
    arm_swing: 0.22,
    arm_swing_mean: 0.10,
    spread: 0.32,
    elbow: 0.62,
    elbow_swing: 0.10,
};

fn controls(time_secs: f64) -> Controls {
    let mut controls = MANNER.controls(time_secs);
    controls.hips.z += 0.02;
    controls.chest = controls.chest + turn(0.0, 0.05, 0.0);
    controls.neck = controls.neck + turn(0.02, 0.12, 0.0);
    controls.head = controls.head + turn(0.05, 0.20, 0.03);
    controls
}
