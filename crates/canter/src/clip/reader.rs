//! Reads a curve at any time, number by number: for what no joint's lanes hold.

use std::sync::Arc;

use glam::DQuat;

use super::rows::hermite;
use super::slerp::slerp_exact;
use super::times::KeyTimes;
use super::{Curve, Interpolation};

/// A curve, and the table that finds its keys at once.
#[derive(Clone, Debug)]
pub(crate) struct CurveReader {
    times: KeyTimes,
    curve: Curve,
}

impl CurveReader {
    pub(crate) fn new(curve: Curve) -> Self {
        Self { times: KeyTimes::new(Arc::clone(&curve.times)), curve }
    }

    pub(crate) fn curve(&self) -> &Curve {
        &self.curve
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.curve.numbers()) + 2 * size_of_val(self.times.secs())
    }

    /// The last key that is not after a time; the first before that.
    #[inline(always)]
    pub(crate) fn key_before(&self, secs: f32) -> usize {
        self.times.key_before(secs)
    }

    /// Puts the numbers at a time, one after the other.
    #[inline]
    pub(crate) fn each(&self, secs: f32, out: &mut [f32], put: impl Fn(&mut f32, f32)) {
        let place = self.times.place(secs);
        let (width, values) = (self.curve.width, self.curve.numbers());
        let right_key = (place.key + 1).min(self.times.secs().len() - 1);
        match self.curve.interpolation {
            Interpolation::Step => {
                for (out, &value) in out.iter_mut().zip(&values[place.key * width..]) {
                    put(out, value);
                }
            }
            Interpolation::Linear => {
                let left = &values[place.key * width..];
                let right = &values[right_key * width..];
                for ((out, &a), &b) in out.iter_mut().zip(left).zip(right) {
                    put(out, a + (b - a) * place.alpha);
                }
            }
            Interpolation::CubicSpline => {
                let [of_left, of_out_tangent, of_right, of_in_tangent] =
                    hermite(place.alpha, place.interval_secs);
                let left = &values[place.key * 3 * width..];
                let right = &values[right_key * 3 * width..];
                for (index, out) in out.iter_mut().enumerate() {
                    let value = (left[width + index] * of_left + left[2 * width + index] * of_out_tangent)
                        + (right[width + index] * of_right + right[index] * of_in_tangent);
                    put(out, value);
                }
            }
        }
    }
    /// The rotation at a time, of a curve of quaternions: in double precision, for what is worked out once.
    pub(crate) fn rotation(&self, secs: f32) -> DQuat {
        if self.curve.interpolation != Interpolation::Linear {
            let mut numbers = [0.0; 4];
            self.each(secs, &mut numbers, |out, number| *out = number);
            return DQuat::from_array(numbers.map(f64::from)).normalize();
        }
        let place = self.times.place(secs);
        let right_key = (place.key + 1).min(self.times.secs().len() - 1);
        let key = |key: usize| {
            let numbers: [f32; 4] = std::array::from_fn(|number| self.curve.value(key)[number]);
            DQuat::from_array(numbers.map(f64::from)).normalize()
        };
        let (left, right) = (key(place.key), key(right_key));
        let right = if left.dot(right) < 0.0 { -right } else { right };
        DQuat::from_array(slerp_exact(left.to_array(), right.to_array(), place.alpha.into())).normalize()
    }
}
