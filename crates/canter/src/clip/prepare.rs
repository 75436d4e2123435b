//! Makes a joint's track fit for rows: no needless keys, unit quaternions, signs along the shortest arc.

use super::slerp::slerp_f64;
use super::track::values_per_key;
use super::{Interpolation, JointTrack, Property};
use crate::transform::normalized;

/// A track's keys, cleaned. A value has four numbers, the last unused but for rotations.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) joint: usize,
    pub(crate) property: Property,
    pub(crate) interpolation: Interpolation,
    pub(crate) secs: Vec<f32>,
    pub(crate) keys: Vec<Key>,
}

/// A value and its tangents, which are zero unless the track is a cubic spline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Key {
    pub(crate) in_tangent: [f32; 4],
    pub(crate) value: [f32; 4],
    pub(crate) out_tangent: [f32; 4],
}

impl Prepared {
    pub(crate) fn new(track: &JointTrack) -> Self {
        let mut prepared = Self {
            joint: track.joint.index(),
            property: track.property,
            interpolation: track.interpolation,
            secs: track.secs.to_vec(),
            keys: keys(track),
        };
        prepared.drop_hidden_keys();
        if prepared.property == Property::Rotation && prepared.interpolation == Interpolation::Linear {
            prepared.align_signs();
        }
        prepared
    }

    /// Whether all keys are the same: then the track is a constant.
    pub(crate) fn constant(&self) -> Option<[f32; 4]> {
        let [first, rest @ ..] = self.keys.as_slice() else { return None };
        let straight = first.in_tangent == [0.0; 4] && first.out_tangent == [0.0; 4];
        let still = rest.is_empty() || (straight && rest.iter().all(|key| key == first));
        still.then_some(first.value)
    }

    /// Of three or more keys at one time only the first and the last can be seen.
    fn drop_hidden_keys(&mut self) {
        let secs = &self.secs;
        let hidden = |key: usize| {
            key > 0
                && key + 1 < secs.len()
                && secs[key - 1].to_bits() == secs[key].to_bits()
                && secs[key + 1].to_bits() == secs[key].to_bits()
        };
        let seen: Vec<usize> = (0..secs.len()).filter(|&key| !hidden(key)).collect();
        if seen.len() < secs.len() {
            self.keys = seen.iter().map(|&key| self.keys[key]).collect();
            self.secs = seen.iter().map(|&key| self.secs[key]).collect();
        }
    }

    /// Flips quaternions so that each lies on the same side as the one before: the shorter arc.
    fn align_signs(&mut self) {
        for index in 1..self.keys.len() {
            let before = self.keys[index - 1].value;
            let key = &mut self.keys[index].value;
            let dot: f64 = (0..4).map(|i| f64::from(before[i]) * f64::from(key[i])).sum();
            if dot < 0.0 {
                *key = key.map(|x| -x);
            }
        }
    }

    /// The same motion with keys at other times, which include all of its own. Not for splines.
    pub(crate) fn with_keys_at(&self, secs: &[f32]) -> Self {
        let mut keys = Vec::with_capacity(secs.len());
        let mut left = None;
        for &at in secs {
            // At most one key further per time: of two at one time (a jump) each gets its own.
            let next = left.map_or(0, |left: usize| left + 1);
            if self.secs.get(next).is_some_and(|own| own.to_bits() == at.to_bits()) {
                left = Some(next);
            }
            keys.push(self.key_between(left, at));
        }
        Self { secs: secs.to_vec(), keys, ..self.clone() }
    }

    /// The value at a time from key `left` on and before the next key.
    fn key_between(&self, left: Option<usize>, at: f32) -> Key {
        let Some(left) = left else { return self.keys[0] };
        let Some(right) = self.keys.get(left + 1) else { return self.keys[left] };
        let interval = f64::from(self.secs[left + 1]) - f64::from(self.secs[left]);
        let since = f64::from(at) - f64::from(self.secs[left]);
        if since <= 0.0 || interval <= 0.0 || self.interpolation == Interpolation::Step {
            return self.keys[left];
        }
        let (a, b, t) = (self.keys[left].value, right.value, since / interval);
        let value = if self.property == Property::Rotation {
            slerp_f64(a, b, t)
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
            std::array::from_fn(|i| (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * t) as f32)
        };
        Key { value, ..self.keys[left] }
    }
}

fn keys(track: &JointTrack) -> Vec<Key> {
    let width = track.property.width();
    let value = |numbers: &[f32]| {
        let mut value = [0.0; 4];
        value[..width].copy_from_slice(numbers);
        value
    };
    let unit = |numbers: &[f32]| match track.property {
        Property::Rotation => normalized(value(numbers)).unwrap_or([0.0, 0.0, 0.0, 1.0]),
        Property::Translation | Property::Scale => value(numbers),
    };
    let key = |numbers: &[f32]| match track.interpolation {
        Interpolation::CubicSpline => Key {
            in_tangent: value(&numbers[..width]),
            value: unit(&numbers[width..2 * width]),
            out_tangent: value(&numbers[2 * width..]),
        },
        Interpolation::Step | Interpolation::Linear => {
            Key { in_tangent: [0.0; 4], value: unit(numbers), out_tangent: [0.0; 4] }
        }
    };
    track.values.chunks_exact(width * values_per_key(track.interpolation)).map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::JointId;

    fn translation(interpolation: Interpolation, secs: &[f32], xs: &[f32]) -> Prepared {
        Prepared::new(&JointTrack {
            joint: JointId(0),
            property: Property::Translation,
            interpolation,
            secs: secs.into(),
            values: xs.iter().flat_map(|&x| [x, 0.0, 0.0]).collect(),
        })
    }

    fn xs(prepared: &Prepared) -> Vec<f32> {
        prepared.keys.iter().map(|key| key.value[0]).collect()
    }

    #[test]
    fn inserted_keys_lie_on_the_line() {
        let track = translation(Interpolation::Linear, &[1.0, 3.0], &[10.0, 30.0]);
        assert_eq!(xs(&track.with_keys_at(&[0.0, 1.0, 2.0, 3.0, 4.0])), [10.0, 10.0, 20.0, 30.0, 30.0]);
    }

    #[test]
    fn inserted_keys_of_a_step_hold_the_left_one() {
        let track = translation(Interpolation::Step, &[1.0, 3.0], &[10.0, 30.0]);
        assert_eq!(xs(&track.with_keys_at(&[0.0, 1.0, 2.0, 3.0])), [10.0, 10.0, 10.0, 30.0]);
    }

    #[test]
    fn a_jump_stays_a_jump() {
        let track = translation(Interpolation::Linear, &[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 6.0]);
        let finer = track.with_keys_at(&[0.0, 0.5, 1.0, 1.0, 1.5, 2.0]);
        assert_eq!(xs(&finer), [0.0, 0.5, 1.0, 5.0, 5.5, 6.0]);
        // A jump of another track at a time where this one has none.
        let plain = translation(Interpolation::Linear, &[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0]);
        assert_eq!(
            xs(&plain.with_keys_at(&[0.0, 0.5, 0.5, 1.0, 1.0, 2.0, 2.0])),
            [0.0, 0.5, 0.5, 1.0, 1.0, 2.0, 2.0]
        );
        // A jump at the very start: before it the first key holds.
        let start = translation(Interpolation::Linear, &[0.5, 0.5], &[1.0, 2.0]);
        assert_eq!(xs(&start.with_keys_at(&[0.0, 0.5, 0.5, 1.0])), [1.0, 1.0, 2.0, 2.0]);
    }

    #[test]
    fn of_many_keys_at_one_time_two_remain() {
        let track = translation(
            Interpolation::Linear,
            &[0.0, 1.0, 1.0, 1.0, 1.0, 2.0],
            &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        );
        assert_eq!(track.secs, [0.0, 1.0, 1.0, 2.0]);
        assert_eq!(xs(&track), [0.0, 1.0, 4.0, 5.0]);
    }

    #[test]
    fn equal_keys_are_a_constant() {
        assert!(translation(Interpolation::Linear, &[0.0, 1.0], &[2.0, 2.0]).constant().is_some());
        assert!(translation(Interpolation::Linear, &[0.0, 1.0], &[2.0, 3.0]).constant().is_none());
    }
}
