//! What is kept of a transition once it has seen what it leads to. Joint by joint: this happens once.

use super::{AHEAD_SECS, FadeKind, JointEntry, MorphEntry, Transition};
use crate::math;
use crate::pose::{JointGroup, LANES, Lanes, Pose};

/// The velocity of the old pose dies in at most this part of the fade, and in at most so many seconds, or it would
/// run away from the target;
const LONGEST: (f32, f32) = (1.0 / 2.0, 0.5);
/// and in no less than these, or it would stop dead.
const SHORTEST: (f32, f32) = (1.0 / 8.0, 0.1);

#[expect(clippy::cast_possible_truncation, reason = "1/120")]
const PER_AHEAD: f32 = (1.0 / AHEAD_SECS) as f32;

impl Transition {
    /// Sees the pose that it leads to, and what that will be a little later.
    pub(super) fn aim(&mut self, target: &Pose, ahead: &Pose) {
        self.is_aimed = true;
        let Some(tween) = self.tween else { return };
        let is_inertial = self.kind == FadeKind::Inertial;
        for (index, entry) in self.joints.iter_mut().enumerate() {
            let (target, ahead) = (&target.groups[index], &ahead.groups[index]);
            // What is at one place without moving. What moves is led even if both are at one place and move alike: only
            // rounding decides whether they are there to the bit.
            let is_same = |places: [&[Lanes; 3]; 4]| places.iter().all(|place| *place == places[0]);
            let is_still = [
                is_same([&entry.from, &entry.by, target, ahead].map(|group| &group.translation)),
                false,
                is_same([&entry.from, &entry.by, target, ahead].map(|group| &group.scale)),
            ];
            for lane in 0..LANES {
                if is_inertial {
                    aim_inertial(entry, lane, tween.secs, target, ahead);
                } else {
                    aim_dead(entry, lane, tween.secs, target);
                }
            }
            for (rates, _) in entry.rates.iter_mut().zip(is_still).filter(|(_, is_still)| *is_still) {
                *rates = Lanes::default();
            }
        }
        let weights = target.morph_weights.iter().zip(&ahead.morph_weights);
        for (entry, (target, ahead)) in self.morphs.iter_mut().zip(weights) {
            let (from, then) = (entry.from, entry.by[0]);
            *entry = if is_inertial {
                let (along, by, rate) = decay([from - target], [then - ahead], tween.secs);
                MorphEntry { from: along[0], by, rate }
            } else {
                let velocity = (then - from) * PER_AHEAD;
                MorphEntry {
                    from,
                    by: [velocity, 0.0, 0.0],
                    rate: dying([velocity], [target - from], tween.secs),
                }
            };
        }
    }
}

/// From two poses of the old to its pose and velocity.
fn aim_dead(entry: &mut JointEntry, lane: usize, secs: f32, target: &JointGroup) {
    fn aim<const N: usize>(
        from: &[Lanes; N],
        by: &mut [Lanes; N],
        target: [f32; N],
        lane: usize,
        secs: f32,
    ) -> f32 {
        let now = column(from, lane);
        let mut then = column(by, lane);
        if N == 4 {
            then = on_side_of(now, then);
        }
        let velocity: [f32; N] = std::array::from_fn(|i| (then[i] - now[i]) * PER_AHEAD);
        put(by, lane, velocity);
        dying(velocity, std::array::from_fn(|i| target[i] - now[i]), secs)
    }
    let rotation = on_side_of(column(&entry.from.rotation, lane), column(&target.rotation, lane));
    put(&mut entry.target, lane, rotation);
    let JointEntry { from, by, rates, .. } = entry;
    let translation = column(&target.translation, lane);
    rates[0].0[lane] = aim(&from.translation, &mut by.translation, translation, lane, secs);
    rates[1].0[lane] = aim(&from.rotation, &mut by.rotation, rotation, lane, secs);
    rates[2].0[lane] = aim(&from.scale, &mut by.scale, column(&target.scale, lane), lane, secs);
}

/// The rate at which a velocity dies: soon if it leads away, in time if it leads to the target.
fn dying<const N: usize>(velocity: [f32; N], way: [f32; N], fade_secs: f32) -> f32 {
    let secs_to_target = dot(velocity, way) / dot(velocity, velocity);
    let [shortest, longest] = [SHORTEST, LONGEST].map(|(part, most)| (part * fade_secs).min(most));
    // Without a velocity, or with one beyond all bounds, there is no such time.
    let secs = if secs_to_target.is_finite() { secs_to_target.clamp(shortest, longest) } else { shortest };
    1.0 / secs.max(f32::MIN_POSITIVE)
}

/// From two poses of the old and two of the target to the curves of their differences.
fn aim_inertial(entry: &mut JointEntry, lane: usize, secs: f32, target: &JointGroup, ahead: &JointGroup) {
    fn aim(
        [from, by]: [&mut [Lanes; 3]; 2],
        target: &[Lanes; 3],
        ahead: &[Lanes; 3],
        lane: usize,
        secs: f32,
    ) -> f32 {
        let now = difference(column(from, lane), column(target, lane));
        let then = difference(column(by, lane), column(ahead, lane));
        let (along, curve, rate) = decay(now, then, secs);
        put(from, lane, along);
        put(by, lane, curve);
        rate
    }
    let JointEntry { from, by, rates, .. } = entry;
    let translation = [&mut from.translation, &mut by.translation];
    rates[0].0[lane] = aim(translation, &target.translation, &ahead.translation, lane, secs);
    rates[2].0[lane] = aim([&mut from.scale, &mut by.scale], &target.scale, &ahead.scale, lane, secs);
    // The rotation that is to be made before the target's, and the same a little later.
    let now = quotient(column(&from.rotation, lane), column(&target.rotation, lane));
    let then = quotient(column(&by.rotation, lane), column(&ahead.rotation, lane));
    let now = on_side_of([0.0, 0.0, 0.0, 1.0], now);
    let [x, y, z, w] = now;
    let sin = dot([x, y, z], [x, y, z]).sqrt();
    let axis = if sin > 1e-9 { [x / sin, y / sin, z / sin] } else { [0.0; 3] };
    let angle = 2.0 * math::atan2(sin, w);
    // How far it will have turned about the same axis.
    let [x, y, z, w] = on_side_of(now, then);
    let then_angle = 2.0 * math::atan2(dot([x, y, z], axis), w);
    let velocity = (then_angle - angle) * PER_AHEAD;
    let (curve, rate) = curve(angle, velocity, secs);
    let curve = curve.map(|number| number / 2.0);
    put(&mut from.rotation, lane, [axis[0], axis[1], axis[2], 0.0]);
    put(&mut by.rotation, lane, [curve[0], curve[1], curve[2], 0.0]);
    rates[1].0[lane] = rate;
}

/// The direction of a difference, its curve to zero and the rate of that.
fn decay<const N: usize>(now: [f32; N], then: [f32; N], secs: f32) -> ([f32; N], [f32; 3], f32) {
    let length = dot(now, now).sqrt();
    if length <= f32::MIN_POSITIVE || !length.is_finite() {
        return ([0.0; N], [0.0; 3], 1.0);
    }
    let along = now.map(|number| number / length);
    let velocity = dot(difference(then, now), along) * PER_AHEAD;
    let (curve, rate) = curve(length, velocity, secs);
    (along, curve, rate)
}

/// What a curve of fifth degree is made of that leads from a start with a velocity to zero, and one over the
/// time that it takes. It is (1 - t)³ (start + first t + second t²), so that it ends softly. Clamped so that
/// it neither overshoots nor turns back: a velocity away from zero is left out, and a high one towards it
/// takes less time.
fn curve(start: f32, velocity: f32, secs: f32) -> ([f32; 3], f32) {
    let velocity = if velocity.is_finite() { velocity.min(0.0) } else { 0.0 };
    let mut secs = secs;
    if velocity < 0.0 {
        secs = secs.min(-5.0 * start / velocity).max(1e-30);
    }
    let velocity = velocity * secs;
    let acceleration = (-8.0 * velocity - 20.0 * start).max(0.0);
    // As derivatives of the product at 0 say.
    let first = velocity + 3.0 * start;
    let second = acceleration / 2.0 + 3.0 * velocity + 6.0 * start;
    ([start, first, second], 1.0 / secs)
}

fn dot<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// A quaternion or its opposite, whichever is nearer.
fn on_side_of<const N: usize>(other: [f32; N], quaternion: [f32; N]) -> [f32; N] {
    if dot(other, quaternion) < 0.0 { quaternion.map(|part| -part) } else { quaternion }
}

/// The rotation that has to follow `b` to give `a`.
fn quotient(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b.map(|part| -part));
    let bw = -bw;
    [
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by + ay * bw) + (az * bx - ax * bz),
        (aw * bz + az * bw) + (ax * by - ay * bx),
        (aw * bw - ax * bx) - (ay * by + az * bz),
    ]
}

fn column<const N: usize>(lanes: &[Lanes; N], lane: usize) -> [f32; N] {
    lanes.each_ref().map(|lanes| lanes.0[lane])
}

fn put<const N: usize>(lanes: &mut [Lanes; N], lane: usize, numbers: [f32; N]) {
    for (lanes, number) in lanes.iter_mut().zip(numbers) {
        lanes.0[lane] = number;
    }
}
