//! A cut from over the right shoulder down to the left, with a step behind it.
//!
//! Wind up (to 0.34 s), strike (to 0.50 s), follow through (to 0.64 s), recover.

use glam::{DVec3, dvec3};

use super::{Clip, KEY_RATE, RootMotion, idle};
use crate::controls::{Controls, Foot, Reach, turn};
use crate::footfall::{Footfall, landings};
use crate::math::{curve, lerp};
use crate::side::Side;

pub(super) const CLIP: Clip = Clip {
    name: "Attack",
    duration_secs: 1.0,
    gait: None,
    root: RootMotion::Still,
    looping: false,
    key_rate: KEY_RATE,
    leg_keys: 30,
    controls,
    landings: footfalls,
};

/// The sword arm at one moment; all in model space.
struct Key {
    secs: f64,
    wrist: DVec3,
    blade: DVec3,
    /// Where the edge looks that cuts.
    edge: DVec3,
    /// Where the elbow stands out to.
    elbow: DVec3,
}

const fn key(secs: f64, wrist: [f64; 3], blade: [f64; 3], edge: [f64; 3], elbow: [f64; 3]) -> Key {
    Key {
        secs,
        wrist: DVec3::from_array(wrist),
        blade: DVec3::from_array(blade),
        edge: DVec3::from_array(edge),
        elbow: DVec3::from_array(elbow),
    }
}

/// The first and last key stand near the idle pose, which takes over there.
#[rustfmt::skip]
const CUT: [Key; 9] = [
    key(0.00, [-0.33, 0.80, 0.12], [0.0, -0.2, 1.0], [0.0, -1.0, -0.2], [-0.4, -0.1, -1.0]),
    key(0.14, [-0.36, 0.98, 0.10], [-0.2, 0.75, 0.65], [0.0, -0.6, 0.8], [-0.7, -0.5, -0.7]),
    key(0.27, [-0.33, 1.36, -0.10], [0.15, 0.55, -0.8], [0.0, 0.8, 0.55], [-1.0, 0.1, 0.1]),
    key(0.34, [-0.30, 1.40, -0.13], [0.30, 0.25, -0.9], [0.0, 0.95, 0.25], [-1.0, 0.2, 0.2]),
    key(0.42, [-0.16, 1.34, 0.30], [-0.25, 0.85, 0.5], [0.3, -0.35, 0.9], [-1.0, -0.1, 0.0]),
    key(0.47, [0.04, 1.12, 0.48], [0.15, 0.20, 1.0], [0.5, -0.85, 0.1], [-0.9, -0.4, 0.0]),
    key(0.52, [0.17, 0.90, 0.42], [0.75, -0.40, 0.55], [0.1, -0.85, -0.5], [-0.8, -0.6, 0.0]),
    key(0.64, [0.20, 0.82, 0.34], [0.95, -0.40, -0.10], [-0.1, -0.8, -0.5], [-0.7, -0.7, 0.0]),
    key(1.00, [-0.33, 0.80, 0.12], [0.0, -0.2, 1.0], [0.0, -1.0, -0.2], [-0.4, -0.1, -1.0]),
];

fn controls(time_secs: f64) -> Controls {
    let at = |keys: &[(f64, f64)]| curve(keys, time_secs);
    let mut controls = idle::start();
    // Turned to the right (negative) while winding up, to the left in the cut; hips lead, chest follows.
    let hips = at(&[(0.0, 0.0), (0.28, -0.38), (0.34, -0.36), (0.46, 0.30), (0.60, 0.34), (1.0, 0.0)]);
    let chest = at(&[(0.0, 0.0), (0.31, -0.50), (0.36, -0.50), (0.49, 0.46), (0.62, 0.52), (1.0, 0.0)]);
    let bend = at(&[(0.0, 0.0), (0.30, -0.14), (0.36, -0.14), (0.50, 0.24), (0.62, 0.22), (1.0, 0.0)]);
    let lean = at(&[(0.0, 0.0), (0.30, 0.10), (0.49, -0.06), (1.0, 0.0)]);
    let crouch = at(&[(0.0, 0.0), (0.16, -0.03), (0.32, 0.0), (0.50, -0.105), (0.62, -0.105), (1.0, 0.0)]);
    let advance = at(&[(0.0, 0.0), (0.30, -0.05), (0.50, 0.16), (0.64, 0.16), (1.0, 0.0)]);
    controls.hips += dvec3(at(&[(0.0, 0.0), (0.3, -0.02), (0.5, 0.03), (1.0, 0.0)]), crouch, advance);
    controls.hips_turn = controls.hips_turn + turn(bend * 0.25, hips, lean * 0.2);
    controls.spine = controls.spine + turn(bend * 0.4, chest * 0.4, lean * 0.4);
    controls.chest = controls.chest + turn(bend * 0.5, chest * 0.6, lean * 0.4);
    // The eyes stay on the target.
    controls.neck = controls.neck + turn(-bend * 0.4, -(hips + chest) * 0.38, -lean * 0.4);
    controls.head = controls.head + turn(-bend * 0.45, -(hips + chest) * 0.42, -lean * 0.5);
    step(&mut controls, time_secs);
    left_arm(&mut controls, time_secs);
    sword_arm(&mut controls, time_secs);
    controls
}

/// `(seconds, metres)` of the left foot.
const LIFT: [(f64, f64); 7] =
    [(0.0, 0.0), (0.25, 0.0), (0.35, 0.07), (0.45, 0.0), (0.70, 0.0), (0.82, 0.05), (0.96, 0.0)];

fn footfalls() -> Vec<Footfall> {
    landings(&LIFT).map(|time_secs| Footfall { side: Side::Left, time_secs }).collect()
}

/// The left foot steps into the cut and back.
fn step(controls: &mut Controls, time_secs: f64) {
    let at = |keys: &[(f64, f64)]| curve(keys, time_secs);
    let [left, right] = controls.feet;
    let ahead = at(&[(0.0, 0.0), (0.28, 0.0), (0.43, 0.28), (0.73, 0.28), (0.93, 0.0), (1.0, 0.0)]);
    let lift = at(&LIFT);
    let pitch = at(&[(0.27, 0.0), (0.38, 0.22), (0.46, 0.0), (0.70, 0.0), (0.77, -0.25), (0.94, 0.0)]);
    controls.feet[0] = Foot { place: left.place + dvec3(0.0, lift, ahead), pitch, toes_flat: 1.0, ..left };
    let heel_up = at(&[(0.34, 0.0), (0.48, -0.55), (0.66, -0.55), (0.92, 0.0)]);
    controls.feet[1] = Foot { pitch: heel_up, toes_flat: 1.0, ..right };
}

/// The free arm balances: ahead while winding up, thrown back by the cut.
fn left_arm(controls: &mut Controls, time_secs: f64) {
    let at = |keys: &[(f64, f64)]| curve(keys, time_secs);
    let arm = &mut controls.arms[0];
    arm.swing += at(&[(0.0, 0.0), (0.30, 0.75), (0.37, 0.75), (0.52, -0.65), (0.64, -0.70), (1.0, 0.0)]);
    arm.spread += at(&[(0.0, 0.0), (0.30, 0.25), (0.52, 0.42), (0.64, 0.42), (1.0, 0.0)]);
    arm.elbow += at(&[(0.0, 0.0), (0.30, 0.55), (0.52, 0.30), (1.0, 0.0)]);
    arm.grip += at(&[(0.0, 0.0), (0.30, 0.35), (0.64, 0.35), (1.0, 0.0)]);
}

fn sword_arm(controls: &mut Controls, time_secs: f64) {
    let track = |vector: fn(&Key) -> DVec3| {
        let along = |axis: usize| {
            let keys: Vec<_> = CUT.iter().map(|key| (key.secs, vector(key)[axis])).collect();
            curve(&keys, time_secs)
        };
        dvec3(along(0), along(1), along(2))
    };
    let reach = Reach {
        wrist: track(|key| key.wrist),
        blade: track(|key| key.blade),
        edge: track(|key| key.edge),
        elbow_toward: track(|key| key.elbow).normalize(),
    };
    let arm = &mut controls.arms[1];
    arm.shrug += curve(&[(0.0, 0.0), (0.30, 0.35), (0.42, 0.25), (0.55, -0.05), (1.0, 0.0)], time_secs);
    arm.advance += curve(&[(0.0, 0.0), (0.30, -0.20), (0.50, 0.35), (0.62, 0.35), (1.0, 0.0)], time_secs);
    arm.grip = lerp(arm.grip, 1.0, curve(&[(0.0, 0.0), (0.2, 1.0), (0.8, 1.0), (1.0, 0.0)], time_secs));
    // In and out of the idle arm, which is described by angles.
    arm.reach = Some(reach);
    arm.reach_share = curve(&[(0.0, 0.0), (0.14, 1.0), (0.66, 1.0), (1.0, 0.0)], time_secs);
}
