//! A quarter turn on the spot in two steps: the near foot opens, the far one follows.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec3, dvec3};

use super::{Clip, KEY_RATE, RootMotion, idle};
use crate::controls::{Controls, Foot, turn};
use crate::footfall::{Footfall, landings};
use crate::math::{curve, ramp, rot_y};
use crate::side::Side;

pub(super) const LEFT: Clip = Clip {
    name: "TurnLeft",
    duration_secs: 0.9,
    gait: None,
    root: RootMotion::Turning(|time_secs| yaw(Side::Left, time_secs)),
    looping: false,
    key_rate: KEY_RATE,
    leg_keys: 45,
    controls: |time_secs| controls(Side::Left, time_secs),
    landings: || footfalls(Side::Left),
};

pub(super) const RIGHT: Clip = Clip {
    name: "TurnRight",
    root: RootMotion::Turning(|time_secs| yaw(Side::Right, time_secs)),
    controls: |time_secs| controls(Side::Right, time_secs),
    landings: || footfalls(Side::Right),
    ..LEFT
};

/// `(seconds, metres)` of the foot that steps first, and of the other.
const LIFTS: [&[(f64, f64)]; 2] =
    [&[(0.08, 0.0), (0.24, 0.055), (0.42, 0.0)], &[(0.42, 0.0), (0.58, 0.055), (0.76, 0.0)]];

/// A foot turns in the air only: this long after it leaves and before it lands.
const CLEAR_SECS: f64 = 0.03;

/// How much earlier than the root the head turns.
const LEAD_SECS: f64 = 0.10;

/// Of the root, radians to the left.
fn yaw(toward: Side, time_secs: f64) -> f64 {
    toward.sign() * FRAC_PI_2 * ramp(time_secs, LEAD_SECS, 0.74)
}

/// Which of [`LIFTS`] is a foot's.
fn step(toward: Side, side: Side) -> usize {
    usize::from(side != toward)
}

fn footfalls(toward: Side) -> Vec<Footfall> {
    let of_side =
        |side: Side| landings(LIFTS[step(toward, side)]).map(move |time_secs| Footfall { side, time_secs });
    Side::BOTH.into_iter().flat_map(of_side).collect()
}

fn controls(toward: Side, time_secs: f64) -> Controls {
    let at = |keys: &[(f64, f64)]| curve(keys, time_secs);
    let sign = toward.sign();
    let mut controls = idle::start();
    for (foot, side) in controls.feet.iter_mut().zip(Side::BOTH) {
        *foot = stepping(foot, side, toward, time_secs);
    }
    // The weight is on the foot that stands.
    let [first, second] = [toward, toward.other()].map(|side| controls.feet[side as usize].place);
    let on_second = at(&[(0.0, 0.0), (0.16, 1.0), (0.30, 1.0), (0.44, 0.0)]);
    let on_first = at(&[(0.36, 0.0), (0.50, 1.0), (0.64, 1.0), (0.86, 0.0)]);
    let weight = (second * on_second + first * on_first) * 0.30;
    let dip = at(&[(0.0, 0.0), (0.20, -0.020), (0.42, -0.042), (0.60, -0.022), (0.76, -0.030), (0.9, 0.0)]);
    controls.hips += dvec3(weight.x, dip, weight.z);
    // Eyes first, then the chest; the hips come with the root, and the arms are dragged along.
    let ahead = |lead: f64| yaw(toward, time_secs + lead) - yaw(toward, time_secs);
    let (look, lead, drag) = (ahead(LEAD_SECS), ahead(0.05), ahead(-0.06));
    let lean = sign * at(&[(0.0, 0.0), (0.30, 0.03), (0.55, -0.04), (0.9, 0.0)]);
    controls.hips_turn = controls.hips_turn + turn(0.03 * on_second, 0.0, lean);
    controls.spine = controls.spine + turn(0.03 * on_first, lead * 0.4, -lean * 0.5);
    controls.chest = controls.chest + turn(0.0, lead * 0.6, -lean * 0.5);
    controls.neck = controls.neck + turn(0.0, look * 0.5, 0.0);
    controls.head = controls.head + turn(0.0, look * 0.9, -lean * 0.6);
    for (arm, side) in controls.arms.iter_mut().zip(Side::BOTH) {
        arm.swing += drag * side.sign() * 0.9;
        arm.spread += drag.abs() * 0.45;
        arm.elbow += drag.abs() * 0.5;
    }
    controls.blink = at(&[(0.06, 0.0), (0.13, 1.0), (0.17, 1.0), (0.28, 0.0)]);
    controls
}

/// The foot of the idle pose, turned about the root by what it is ahead of it.
fn stepping(rest: &Foot, side: Side, toward: Side, time_secs: f64) -> Foot {
    let lift = LIFTS[step(toward, side)];
    let (leave, land) = (lift[0].0, lift[lift.len() - 1].0);
    let turned = toward.sign() * FRAC_PI_2 * ramp(time_secs, leave + CLEAR_SECS, land - CLEAR_SECS);
    let ahead = turned - yaw(toward, time_secs);
    let pitch = curve(&[(leave, 0.0), (leave + 0.08, -0.38), (land - 0.10, -0.16), (land, 0.0)], time_secs);
    Foot {
        place: rot_y(ahead) * rest.place + DVec3::Y * curve(lift, time_secs),
        pitch,
        out: rest.out + ahead * side.sign(),
        toes_flat: 1.0,
    }
}
