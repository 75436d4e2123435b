//! Standing: a slow breath, weight shifted from leg to leg, a look around and a blink.

use std::f64::consts::TAU;

use glam::dvec3;

use super::{Clip, KEY_RATE, RootMotion};
use crate::controls::{Arm, Controls, Foot, turn};
use crate::math::{curve, sin};

pub(super) const CLIP: Clip = Clip {
    name: "Idle",
    duration_secs: 3.0,
    gait: None,
    root: RootMotion::Still,
    looping: true,
    key_rate: KEY_RATE,
    leg_keys: 90,
    controls,
    landings: Vec::new,
};

/// Other clips begin and end here.
pub(super) fn start() -> Controls {
    controls(0.0)
}

fn controls(time_secs: f64) -> Controls {
    let phase = time_secs / CLIP.duration_secs * TAU;
    // Breath in two waves per clip would pant; one is calm. Arms and head follow the chest late.
    let breath = sin(phase);
    let late_breath = sin(phase - 0.6);
    let sway = sin(phase + 1.1);
    let arm = Arm {
        shrug: 0.02 + 0.025 * breath,
        swing: 0.06 + 0.02 * late_breath,
        spread: 0.21 + 0.02 * late_breath,
        twist: 0.25,
        elbow: 0.32 + 0.04 * late_breath,
        pronate: 0.1,
        wrist_bend: 0.08,
        grip: 0.28,
        ..Arm::default()
    };
    Controls {
        hips: dvec3(-0.008 + 0.018 * sway, -0.011 + 0.003 * breath, -0.005),
        hips_turn: turn(0.03, 0.10 + 0.015 * sway, 0.02 - 0.03 * sway),
        spine: turn(-0.02 - 0.015 * breath, -0.03, -0.01 + 0.02 * sway),
        chest: turn(0.02 - 0.035 * breath, -0.05 - 0.01 * sway, -0.01 + 0.016 * sway),
        neck: turn(0.02 + 0.02 * late_breath, -0.01, 0.0),
        head: turn(0.0 + 0.02 * late_breath, -0.01 + 0.05 * sin(phase - 1.9), 0.02 * sin(phase - 1.2)),
        feet: [
            Foot { place: dvec3(0.125, 0.0, 0.045), out: 0.20, ..Foot::default() },
            Foot { place: dvec3(-0.125, 0.0, -0.055), out: 0.32, ..Foot::default() },
        ],
        arms: [
            arm,
            Arm {
                // Turned out, so that the blade clears the leg.
                twist: -0.12,
                swing: 0.10 + 0.02 * late_breath,
                spread: 0.27 + 0.02 * late_breath,
                elbow: 0.34 + 0.04 * late_breath,
                wrist_tilt: -0.55,
                grip: 0.96,
                ..arm
            },
        ],
        blink: curve(&[(2.05, 0.0), (2.12, 1.0), (2.16, 1.0), (2.28, 0.0)], time_secs),
    }
}
