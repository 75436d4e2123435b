//! Morph weights over time.

use std::ops::Range;
use std::sync::Arc;

use super::rows::hermite;
use super::times::KeyTimes;
use super::{Curve, Interpolation};

/// What a clip does with one set of morph weights.
#[derive(Clone, Debug)]
pub(crate) struct MorphRows {
    /// The set's weights among those of all sets.
    pub(crate) weights: Range<usize>,
    times: KeyTimes,
    curve: Curve,
}

impl MorphRows {
    /// Without a track the set is at rest, which is a single key.
    pub(crate) fn new(weights: Range<usize>, rest: &[f32], track: Option<&Curve>) -> Self {
        let curve = track.cloned().unwrap_or_else(|| Curve {
            interpolation: Interpolation::Step,
            times: Arc::new([0.0]),
            values: rest.into(),
            width: rest.len(),
        });
        Self { weights, times: KeyTimes::new(Arc::clone(&curve.times)), curve }
    }

    pub(crate) fn bytes(&self) -> usize {
        2 * size_of_val(self.times.secs())
    }

    /// Writes the weights at a time.
    pub(crate) fn sample(&self, secs: f32, out: &mut [f32]) {
        self.each(secs, out, |out, weight| *out = weight);
    }

    /// Adds the weights at a time, scaled.
    pub(crate) fn accumulate(&self, secs: f32, factor: f32, out: &mut [f32]) {
        self.each(secs, out, |out, weight| *out += weight * factor);
    }

    #[inline]
    fn each(&self, secs: f32, out: &mut [f32], put: impl Fn(&mut f32, f32)) {
        let place = self.times.place(secs);
        let (width, values) = (self.weights.len(), self.curve.numbers());
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
}
