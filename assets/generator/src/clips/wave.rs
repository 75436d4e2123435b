//! A friendly wave with the left hand; the right one keeps the sword.

use std::f64::consts::TAU;

use super::{Clip, KEY_RATE, RootMotion, idle};
use crate::controls::{Arm, Controls, turn};
use crate::math::{curve, lerp, ramp, sin};

pub(super) const CLIP: Clip = Clip {
    name: "Wave",
    duration_secs: 2.0,
    gait: None,
    root: RootMotion::Still,
    looping: false,
    key_rate: KEY_RATE,
    leg_keys: 60,
    controls,
    landings: Vec::new,
};

fn controls(time_secs: f64) -> Controls {
    let up = curve(&[(0.0, 0.0), (0.12, -0.06), (0.45, 1.04), (0.6, 1.0), (1.5, 1.0), (2.0, 0.0)], time_secs);
    // Three waves while the arm is up.
    let waving = ramp(time_secs, 0.35, 0.55) * ramp(time_secs, 1.62, 1.42);
    let wave = waving * sin((time_secs - 0.45) / 0.36 * TAU);
    let late_wave = waving * sin((time_secs - 0.51) / 0.36 * TAU);
    let mut controls = idle::start();
    let rest = controls.arms[0];
    let mix = |from: f64, to: f64| lerp(from, to, up);
    controls.arms[0] = Arm {
        shrug: mix(rest.shrug, 0.34),
        advance: mix(rest.advance, 0.05),
        swing: mix(rest.swing, 0.35),
        spread: mix(rest.spread, 1.72),
        twist: mix(rest.twist, -1.15),
        elbow: mix(rest.elbow, 1.12) + 0.30 * wave,
        pronate: mix(rest.pronate, 0.5),
        wrist_bend: mix(rest.wrist_bend, -0.12),
        wrist_tilt: mix(rest.wrist_tilt, 0.0) - 0.28 * late_wave,
        grip: mix(rest.grip, 0.06),
        ..Arm::default()
    };
    controls.hips.x -= 0.018 * up;
    controls.hips_turn = controls.hips_turn + turn(0.0, -0.03, -0.04) * up;
    controls.spine = controls.spine + turn(-0.02, 0.03, 0.05) * up;
    controls.chest = controls.chest + turn(-0.04, 0.05, 0.07) * up;
    controls.neck = controls.neck + turn(0.0, 0.02, -0.03) * up;
    controls.head = controls.head + turn(-0.05, 0.05, -0.12) * up;
    controls.head.lean += 0.03 * late_wave;
    controls.chest.lean += 0.012 * wave;
    controls.blink = curve(&[(0.20, 0.0), (0.27, 1.0), (0.31, 1.0), (0.42, 0.0)], time_secs);
    controls
}
