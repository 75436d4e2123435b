//! Morph weights over time.

use std::ops::Range;
use std::sync::Arc;

use super::rows::hermite;
use super::times::KeyTimes;
use super::{Interpolation, MorphTrack};

/// What a clip does with one set of morph weights.
#[derive(Clone, Debug)]
pub(crate) struct MorphRows {
    /// The set's weights among those of all sets.
    pub(crate) weights: Range<usize>,
    times: KeyTimes,
    interpolation: Interpolation,
    /// Key by key: the weights, or in-tangents, weights and out-tangents.
    values: Vec<f32>,
}

impl MorphRows {
    /// Without a track the set is at rest, which is a single key.
    pub(crate) fn new(weights: Range<usize>, rest: &[f32], track: Option<&MorphTrack>) -> Self {
        match track {
            Some(track) => Self {
                weights,
                times: KeyTimes::new(Arc::clone(&track.secs)),
                interpolation: track.interpolation,
                values: track.values.clone(),
            },
            None => Self {
                weights,
                times: KeyTimes::new(vec![0.0]),
                interpolation: Interpolation::Step,
                values: rest.to_vec(),
            },
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.values.as_slice()) + 2 * size_of_val(self.times.secs())
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
        let width = self.weights.len();
        let right_key = (place.key + 1).min(self.times.secs().len() - 1);
        match self.interpolation {
            Interpolation::Step => {
                for (out, &value) in out.iter_mut().zip(&self.values[place.key * width..]) {
                    put(out, value);
                }
            }
            Interpolation::Linear => {
                let left = &self.values[place.key * width..];
                let right = &self.values[right_key * width..];
                for ((out, &a), &b) in out.iter_mut().zip(left).zip(right) {
                    put(out, a + (b - a) * place.alpha);
                }
            }
            Interpolation::CubicSpline => {
                let [of_left, of_out_tangent, of_right, of_in_tangent] =
                    hermite(place.alpha, place.interval_secs);
                let left = &self.values[place.key * 3 * width..];
                let right = &self.values[right_key * 3 * width..];
                for (index, out) in out.iter_mut().enumerate() {
                    let value = (left[width + index] * of_left + left[2 * width + index] * of_out_tangent)
                        + (right[width + index] * of_right + right[index] * of_in_tangent);
                    put(out, value);
                }
            }
        }
    }
}
