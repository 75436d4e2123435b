//! Makes a joint's track fit for rows: no needless keys, unit quaternions, signs along the shortest arc.

use std::sync::Arc;

use super::slerp::slerp_f64;
use super::{Curve, Interpolation, Property};
use crate::skeleton::JointId;
use crate::transform::normalized;

/// A track's keys, cleaned. A value has four numbers, the last unused but for rotations.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) joint: usize,
    pub(crate) property: Property,
    pub(crate) interpolation: Interpolation,
    pub(crate) secs: Arc<[f32]>,
    /// One per key.
    pub(crate) values: Vec<[f32; 4]>,
    /// One per key of a cubic spline, else none.
    pub(crate) tangents: Vec<Tangents>,
}

/// What a spline has before and after a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tangents {
    pub(crate) before: [f32; 4],
    pub(crate) after: [f32; 4],
}

impl Prepared {
    pub(crate) fn new(joint: JointId, property: Property, curve: &Curve, sign_slack: f64) -> Self {
        let (values, tangents) = match property {
            Property::Rotation => read::<4>(curve, unit),
            Property::Translation | Property::Scale => read::<3>(curve, |[x, y, z]| [x, y, z, 0.0]),
        };
        let mut prepared = Self {
            joint: joint.index(),
            property,
            interpolation: curve.interpolation,
            secs: Arc::clone(&curve.times),
            values,
            tangents,
        };
        prepared.drop_hidden_keys();
        if sign_slack > 0.0 && property == Property::Rotation {
            prepared.start_near_no_turn();
        }
        // A spline runs through its quaternions as they are.
        if property == Property::Rotation && prepared.interpolation != Interpolation::CubicSpline {
            prepared.align_signs(sign_slack);
        }
        prepared
    }

    /// Whether all keys are the same: then the track is a constant.
    pub(crate) fn constant(&self) -> Option<[f32; 4]> {
        let [first, others @ ..] = self.values.as_slice() else { return None };
        let is_level = |tangents: &Tangents| tangents.before == [0.0; 4] && tangents.after == [0.0; 4];
        let is_still = others.is_empty()
            || (others.iter().all(|value| value == first) && self.tangents.iter().all(is_level));
        is_still.then_some(*first)
    }

    /// Whether the last rotation is the opposite of the one that lies near the first.
    pub(crate) fn has_opposite_ends(&self) -> bool {
        let (Some(first), Some(last)) = (self.values.first(), self.values.last()) else { return false };
        let dot: f64 = first.iter().zip(last).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        self.property == Property::Rotation && dot < 0.0
    }

    /// Of three or more keys at one time only the first and the last can be seen.
    fn drop_hidden_keys(&mut self) {
        // Times are sorted: what is equal at both ends is so in between.
        let is_hidden = |secs: &[f32], key: usize| {
            key > 0 && key + 1 < secs.len() && secs[key - 1].to_bits() == secs[key + 1].to_bits()
        };
        let secs = Arc::clone(&self.secs);
        if !(0..secs.len()).any(|key| is_hidden(&secs, key)) {
            return;
        }
        let seen = || (0..secs.len()).filter(|&key| !is_hidden(&secs, key));
        self.values = seen().map(|key| self.values[key]).collect();
        if !self.tangents.is_empty() {
            self.tangents = seen().map(|key| self.tangents[key]).collect();
        }
        self.secs = seen().map(|key| secs[key]).collect();
    }

    /// Flips all quaternions if the first lies on the far side of no rotation: half of a difference must be
    /// the shorter half.
    fn start_near_no_turn(&mut self) {
        if self.values.first().is_some_and(|value| value[3] < 0.0) {
            let tangents =
                self.tangents.iter_mut().flat_map(|tangents| [&mut tangents.before, &mut tangents.after]);
            self.values.iter_mut().chain(tangents).flatten().for_each(|number| *number = -*number);
        }
    }

    /// Flips quaternions so that each lies on the same side as the one before: the shorter arc.
    fn align_signs(&mut self, slack: f64) {
        for index in 1..self.values.len() {
            self.values[index] = same_side(self.values[index - 1], self.values[index], slack);
        }
    }

    /// The same motion with keys at other times, which include all of its own. Not for splines.
    pub(crate) fn with_keys_at(&self, secs: &Arc<[f32]>) -> Self {
        let mut values = Vec::with_capacity(secs.len());
        let mut left = None;
        for &at in &**secs {
            // At most one key further per time: of two at one time (a jump) each gets its own.
            let next = left.map_or(0, |left: usize| left + 1);
            if self.secs.get(next).is_some_and(|own| own.to_bits() == at.to_bits()) {
                left = Some(next);
            }
            values.push(self.value_between(left, at));
        }
        Self { secs: Arc::clone(secs), values, tangents: Vec::new(), ..*self }
    }

    /// The value at a time from key `left` on and before the next key.
    fn value_between(&self, left: Option<usize>, at: f32) -> [f32; 4] {
        let Some(left) = left else { return self.values[0] };
        let a = self.values[left];
        let Some(&b) = self.values.get(left + 1) else { return a };
        let interval = f64::from(self.secs[left + 1]) - f64::from(self.secs[left]);
        let since = f64::from(at) - f64::from(self.secs[left]);
        if since <= 0.0 || interval <= 0.0 || self.interpolation == Interpolation::Step {
            return a;
        }
        let t = since / interval;
        if self.property == Property::Rotation {
            slerp_f64(a, b, t)
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
            std::array::from_fn(|i| (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * t) as f32)
        }
    }
}

/// A key's quaternion as it is played.
pub(super) fn unit(quaternion: [f32; 4]) -> [f32; 4] {
    normalized(quaternion).unwrap_or([0.0, 0.0, 0.0, 1.0])
}

/// How far beyond half a turn neighbouring rotations of an additive clip may be, as a dot product, and still
/// have the signs that they were given. Of two keys half a turn apart rounding decides which way round is
/// shorter, and the rounding of a delta must not decide otherwise than that of the clip that it comes from:
/// that is at most 2e-7.
pub(super) const DELTA_SIGN_SLACK: f64 = 1e-6;

/// The one of the two quaternions of a rotation that lies on the same side as the rotation before.
pub(super) fn same_side(before: [f32; 4], value: [f32; 4], slack: f64) -> [f32; 4] {
    let dot: f64 = (0..4).map(|i| f64::from(before[i]) * f64::from(value[i])).sum();
    if dot < -slack { value.map(|x| -x) } else { value }
}

/// The values of a track, made of `N` numbers each, and the tangents if it has some.
fn read<const N: usize>(
    curve: &Curve,
    clean: impl Fn([f32; N]) -> [f32; 4],
) -> (Vec<[f32; 4]>, Vec<Tangents>) {
    let (numbers, _) = curve.numbers().as_chunks::<N>();
    match curve.interpolation {
        Interpolation::Step | Interpolation::Linear => {
            (numbers.iter().map(|value| clean(*value)).collect(), Vec::new())
        }
        Interpolation::CubicSpline => {
            let (keys, _) = numbers.as_chunks::<3>();
            let tangents = |[before, _, after]: &[[f32; N]; 3]| Tangents {
                before: padded(*before),
                after: padded(*after),
            };
            (keys.iter().map(|[_, value, _]| clean(*value)).collect(), keys.iter().map(tangents).collect())
        }
    }
}

fn padded<const N: usize>(numbers: [f32; N]) -> [f32; 4] {
    std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translation(interpolation: Interpolation, secs: &[f32], xs: &[f32]) -> Prepared {
        let values = xs.iter().flat_map(|&x| [x, 0.0, 0.0]).collect();
        let curve = Curve { interpolation, times: secs.into(), values, width: 3 };
        Prepared::new(JointId(0), Property::Translation, &curve, 0.0)
    }

    fn xs(prepared: &Prepared) -> Vec<f32> {
        prepared.values.iter().map(|value| value[0]).collect()
    }

    #[test]
    fn inserted_keys_lie_on_the_line() {
        let track = translation(Interpolation::Linear, &[1.0, 3.0], &[10.0, 30.0]);
        assert_eq!(
            xs(&track.with_keys_at(&[0.0, 1.0, 2.0, 3.0, 4.0].into())),
            [10.0, 10.0, 20.0, 30.0, 30.0]
        );
    }

    #[test]
    fn inserted_keys_of_a_step_hold_the_left_one() {
        let track = translation(Interpolation::Step, &[1.0, 3.0], &[10.0, 30.0]);
        assert_eq!(xs(&track.with_keys_at(&[0.0, 1.0, 2.0, 3.0].into())), [10.0, 10.0, 10.0, 30.0]);
    }

    #[test]
    fn a_jump_stays_a_jump() {
        let track = translation(Interpolation::Linear, &[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 6.0]);
        let finer = track.with_keys_at(&[0.0, 0.5, 1.0, 1.0, 1.5, 2.0].into());
        assert_eq!(xs(&finer), [0.0, 0.5, 1.0, 5.0, 5.5, 6.0]);
        // A jump of another track at a time where this one has none.
        let plain = translation(Interpolation::Linear, &[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0]);
        assert_eq!(
            xs(&plain.with_keys_at(&[0.0, 0.5, 0.5, 1.0, 1.0, 2.0, 2.0].into())),
            [0.0, 0.5, 0.5, 1.0, 1.0, 2.0, 2.0]
        );
        // A jump at the very start: before it the first key holds.
        let start = translation(Interpolation::Linear, &[0.5, 0.5], &[1.0, 2.0]);
        assert_eq!(xs(&start.with_keys_at(&[0.0, 0.5, 0.5, 1.0].into())), [1.0, 1.0, 2.0, 2.0]);
    }

    #[test]
    fn of_many_keys_at_one_time_two_remain() {
        let track = translation(
            Interpolation::Linear,
            &[0.0, 1.0, 1.0, 1.0, 1.0, 2.0],
            &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        );
        assert_eq!(*track.secs, [0.0, 1.0, 1.0, 2.0]);
        assert_eq!(xs(&track), [0.0, 1.0, 4.0, 5.0]);
    }

    #[test]
    fn equal_keys_are_a_constant() {
        assert!(translation(Interpolation::Linear, &[0.0, 1.0], &[2.0, 2.0]).constant().is_some());
        assert!(translation(Interpolation::Linear, &[0.0, 1.0], &[2.0, 3.0]).constant().is_none());
    }
}
