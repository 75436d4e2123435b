//! Sneaking: low on bent knees, the trunk over the thighs, the head up.

use glam::DVec3;

use super::locomotion::Manner;
use super::{Clip, KEY_RATE, RootMotion};
use crate::controls::{Controls, turn};
use crate::gait::Gait;
use crate::side::Side;

pub(super) const CLIP: Clip = Clip {
    name: "CrouchWalk",
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
        period_secs: 1.1,
        speed: 0.6,
        heading: DVec3::Z,
        first: Side::Left,
        stance: 0.64,
        contact: 0.24,
        track_x: 0.105,
        toes_out: 0.20,
        pitch: &[
            (0.0, 0.16),
            (0.10, 0.0),
            (0.40, 0.0),
            (0.52, -0.28),
            (0.64, -0.75),
            (0.72, -0.80),
            (0.88, 0.0),
            (0.96, 0.15),
            (1.0, 0.16),
        ],
        lift: &[(0.64, 0.0), (0.76, 0.070), (0.88, 0.060), (1.0, 0.0)],
        toes_flat: &[(0.0, 1.0), (0.64, 1.0), (0.76, 0.4), (0.9, 1.0)],
    },
    crouch: 0.185,
    bob: 0.012,
    bob_phase: 0.10,
    sway: 0.030,
    pelvis_twist: 0.12,
    pelvis_drop: 0.04,
    lean: 0.62,
    chest_twist: 0.10,
    arm_swing: 0.26,
    arm_swing_mean: 0.28,
    spread: 0.30,
    elbow: 0.85,
    elbow_swing: 0.12,
};

fn controls(time_secs: f64) -> Controls {
    let mut controls = MANNER.controls(time_secs);
    // Behind the feet, or the trunk would fall forward.
    controls.hips.z -= 0.055;
    controls.neck = controls.neck + turn(-0.10, 0.0, 0.0);
    controls.head = controls.head + turn(-0.08, 0.0, 0.0);
    controls
}
