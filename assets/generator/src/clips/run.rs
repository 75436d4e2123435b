//! A light run with a flight between the steps.

use glam::DVec3;

use super::locomotion::Manner;
use super::{Clip, FAST_KEY_RATE, RootMotion};
use crate::controls::Controls;
use crate::gait::Gait;
use crate::side::Side;

pub(super) const CLIP: Clip = Clip {
    name: "Run",
    duration_secs: MANNER.gait.period_secs,
    gait: Some(&MANNER.gait),
    root: RootMotion::Still,
    looping: true,
    key_rate: FAST_KEY_RATE,
    leg_keys: 200,
    controls,
    landings: Vec::new,
};

pub(super) const MANNER: Manner = Manner {
    gait: Gait {
        period_secs: 0.7,
        speed: 2.9,
        heading: DVec3::Z,
        first: Side::Left,
        stance: 0.31,
        contact: 0.215,
        track_x: 0.055,
        toes_out: 0.06,
        pitch: &[
            (0.0, 0.14),
            (0.05, 0.0),
            (0.14, 0.0),
            (0.31, -0.95),
            (0.44, -1.35),
            (0.62, -0.8),
            (0.85, 0.12),
            (1.0, 0.14),
        ],
        lift: &[(0.31, 0.0), (0.46, 0.22), (0.66, 0.20), (1.0, 0.0)],
        toes_flat: &[(0.0, 1.0), (0.31, 1.0), (0.42, 0.2), (0.8, 1.0)],
    },
    crouch: 0.060,
    bob: 0.032,
    bob_phase: 0.15,
    sway: 0.012,
    pelvis_twist: 0.20,
    pelvis_drop: 0.07,
    lean: 0.34,
    chest_twist: 0.22,
    arm_swing: 0.85,
    arm_swing_mean: -0.05,
    spread: 0.24,
    elbow: 1.30,
    elbow_swing: 0.35,
};

fn controls(time_secs: f64) -> Controls {
    MANNER.controls(time_secs)
}
