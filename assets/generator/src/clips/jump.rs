//! Up and down on the spot: crouch (to 0.26 s), take-off (0.36 s), apex (0.60 s), landing (0.84 s), recovery.

use glam::dvec3;

use super::{Clip, KEY_RATE, RootMotion, idle};
use crate::controls::{Controls, Foot, turn};
use crate::footfall::Footfall;
use crate::math::{curve, hermite};
use crate::side::Side;

pub(super) const CLIP: Clip = Clip {
    name: "Jump",
    duration_secs: 1.25,
    gait: None,
    root: RootMotion::Still,
    looping: false,
    key_rate: KEY_RATE,
    leg_keys: 38,
    controls,
    landings: footfalls,
};

const TAKE_OFF_SECS: f64 = 0.36;
const LANDING_SECS: f64 = 0.84;
const GRAVITY: f64 = 9.81;
/// Hips above their standing height at take-off and landing: on the toes, legs stretched.
const STRETCH: f64 = 0.035;

/// Height of the hips in flight, above where they left: a thrown body's parabola.
fn flight(time_secs: f64) -> f64 {
    let (up, down) = (time_secs - TAKE_OFF_SECS, LANDING_SECS - time_secs);
    0.5 * GRAVITY * up * down
}

fn controls(time_secs: f64) -> Controls {
    let at = |keys: &[(f64, f64)]| curve(keys, time_secs);
    let mut controls = idle::start();
    let flying = (TAKE_OFF_SECS..LANDING_SECS).contains(&time_secs);
    controls.hips.y += if flying { STRETCH + flight(time_secs) } else { hips_on_ground(time_secs) };
    controls.hips.z +=
        at(&[(0.0, 0.0), (0.22, -0.05), (0.36, 0.01), (0.84, 0.0), (0.95, -0.05), (1.25, 0.0)]);
    let fold =
        at(&[(0.0, 0.0), (0.22, 0.55), (0.36, -0.12), (0.56, 0.02), (0.80, 0.08), (0.94, 0.50), (1.25, 0.0)]);
    // The idle pose is turned a little; a jump is straight.
    let straight = at(&[(0.0, 0.0), (0.25, 1.0), (0.95, 1.0), (1.25, 0.0)]);
    controls.hips_turn = controls.hips_turn * (1.0 - straight) + turn(fold * 0.45, 0.0, 0.0);
    controls.spine = controls.spine * (1.0 - straight) + turn(fold * 0.45, 0.0, 0.0);
    controls.chest = controls.chest * (1.0 - straight) + turn(fold * 0.35, 0.0, 0.0);
    let look = at(&[
        (0.0, 0.0),
        (0.22, -0.30),
        (0.40, -0.18),
        (0.62, 0.16),
        (0.84, 0.12),
        (0.95, -0.32),
        (1.25, 0.0),
    ]);
    controls.neck = controls.neck * (1.0 - straight) + turn(look * 0.5 - fold * 0.3, 0.0, 0.0);
    controls.head = controls.head * (1.0 - straight) + turn(look * 0.7 - fold * 0.3, 0.0, 0.0);
    controls.blink = at(&[(0.80, 0.0), (0.88, 1.0), (0.94, 1.0), (1.06, 0.0)]);
    arms(&mut controls, time_secs);
    feet(&mut controls, time_secs);
    controls
}

/// Ends with the speed of the flight at both of its ends, so that the hips neither stick nor jerk.
fn hips_on_ground(time_secs: f64) -> f64 {
    const LOW: f64 = -0.20;
    const LOW_SECS: f64 = 0.22;
    const SOFT: f64 = -0.17;
    const SOFT_SECS: f64 = 0.95;
    let speed = 0.5 * GRAVITY * (LANDING_SECS - TAKE_OFF_SECS);
    if time_secs < LOW_SECS {
        hermite([0.0, 0.0], [LOW, 0.0], time_secs / LOW_SECS)
    } else if time_secs < TAKE_OFF_SECS {
        let span = TAKE_OFF_SECS - LOW_SECS;
        hermite([LOW, 0.0], [STRETCH, speed * span], (time_secs - LOW_SECS) / span)
    } else if time_secs < SOFT_SECS {
        let span = SOFT_SECS - LANDING_SECS;
        hermite([STRETCH, -speed * span], [SOFT, 0.0], (time_secs - LANDING_SECS) / span)
    } else {
        let span = CLIP.duration_secs - SOFT_SECS;
        hermite([SOFT, 0.0], [0.0, 0.0], (time_secs - SOFT_SECS) / span)
    }
}

/// Back in the crouch, thrown up at take-off, out for balance, down again with the landing.
fn arms(controls: &mut Controls, time_secs: f64) {
    let at = |keys: &[(f64, f64)]| curve(keys, time_secs);
    let swing = at(&[
        (0.0, 0.0),
        (0.22, -0.95),
        (0.40, 1.55),
        (0.60, 1.20),
        (0.84, 0.35),
        (0.97, -0.30),
        (1.25, 0.0),
    ]);
    let spread =
        at(&[(0.0, 0.0), (0.22, 0.10), (0.42, 0.30), (0.62, 0.75), (0.84, 0.65), (0.97, 0.30), (1.25, 0.0)]);
    let elbow =
        at(&[(0.0, 0.0), (0.22, 0.10), (0.40, 0.30), (0.62, 0.35), (0.84, 0.15), (0.97, 0.55), (1.25, 0.0)]);
    // The sword must neither scrape the ground nor swing up over the head.
    for (arm, share) in controls.arms.iter_mut().zip([1.0, 0.55]) {
        arm.swing += swing * share;
        arm.spread += spread;
        arm.elbow += elbow;
        arm.shrug +=
            0.12 * at(&[(0.0, 0.0), (0.22, -0.3), (0.42, 1.0), (0.84, 0.6), (0.97, -0.2), (1.25, 0.0)]);
    }
    let raise = at(&[(0.0, 0.0), (0.16, 0.65), (0.36, 0.1), (0.84, 0.1), (0.95, 0.75), (1.25, 0.0)]);
    controls.arms[Side::Right as usize].wrist_tilt += raise;
}

fn footfalls() -> Vec<Footfall> {
    Side::BOTH.map(|side| Footfall { side, time_secs: LANDING_SECS }).into()
}

/// On the toes at take-off, knees drawn up at the apex, toes first at landing.
fn feet(controls: &mut Controls, time_secs: f64) {
    let at = |keys: &[(f64, f64)]| curve(keys, time_secs);
    let flying = (TAKE_OFF_SECS..LANDING_SECS).contains(&time_secs);
    let tuck = at(&[(0.36, 0.0), (0.58, 0.13), (0.84, 0.0)]);
    for (foot, more) in controls.feet.iter_mut().zip([1.0, 0.45]) {
        let raise = if flying { flight(time_secs) + tuck * more } else { 0.0 };
        let pitch =
            at(&[(0.24, 0.0), (0.36, -0.72), (0.48, -0.95), (0.70, -0.35), (0.84, -0.30), (0.90, 0.0)]);
        let back = at(&[(0.36, 0.0), (0.55, -0.05), (0.84, 0.0)]);
        *foot = Foot {
            place: foot.place + dvec3(0.0, raise, back),
            pitch,
            toes_flat: at(&[(0.0, 1.0), (0.36, 1.0), (0.46, 0.3), (0.80, 1.0)]),
            ..*foot
        };
    }
}
