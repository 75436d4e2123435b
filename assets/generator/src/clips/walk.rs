//! A brisk, cheerful walk.

use glam::DVec3;

use super::locomotion::Manner;
use super::{Clip, KEY_RATE, RootMotion};
use crate::controls::Controls;
use crate::gait::Gait;
use crate::side::Side;

pub(super) const CLIP: Clip = Clip {
    name: "Walk",
    duration_secs: MANNER.gait.period_secs,
    gait: Some(&MANNER.gait),
    root: RootMotion::Still,
    looping: true,
    key_rate: KEY_RATE,
    leg_keys: 50,
    controls,
    landings: Vec::new,
};

pub(super) const MANNER: Manner = Manner {
    gait: Gait {
        period_secs: 1.0,
        speed: 1.02,
        heading: DVec3::Z,
        first: Side::Left,
        stance: 0.60,
        contact: 0.25,
        track_x: 0.075,
        toes_out: 0.12,
        pitch: &[
            (0.0, 0.38),
            (0.10, 0.0),
            (0.32, 0.0),
            (0.48, -0.30),
            (0.60, -0.85),
            (0.68, -0.95),
            (0.86, 0.0),
            (0.95, 0.36),
            (1.0, 0.38),
        ],
        lift: &[(0.60, 0.0), (0.72, 0.075), (0.86, 0.055), (1.0, 0.0)],
        toes_flat: &[(0.0, 1.0), (0.60, 1.0), (0.74, 0.3), (0.9, 1.0)],
    },
    crouch: 0.029,
    bob: 0.015,
    bob_phase: 0.08,
    sway: 0.022,
    pelvis_twist: 0.14,
    pelvis_drop: 0.06,
    lean: 0.08,
    chest_twist: 0.12,
    arm_swing: 0.48,
    arm_swing_mean: 0.04,
    spread: 0.20,
    elbow: 0.42,
    elbow_swing: 0.22,
};

fn controls(time_secs: f64) -> Controls {
    MANNER.controls(time_secs)
}
