//! Morph weights over time.

use std::ops::Range;
use std::sync::Arc;

use super::reader::CurveReader;
use super::{Curve, Interpolation};

/// What a clip does with one set of morph weights.
#[derive(Clone, Debug)]
pub(crate) struct MorphRows {
    /// The set's weights among those of all sets.
    pub(crate) weights: Range<usize>,
    reader: CurveReader,
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
        Self { weights, reader: CurveReader::new(curve) }
    }

    pub(crate) fn curve(&self) -> &Curve {
        self.reader.curve()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.reader.bytes()
    }

    /// Writes the weights at a time.
    pub(crate) fn sample(&self, secs: f32, out: &mut [f32]) {
        self.reader.each(secs, out, |out, weight| *out = weight);
    }

    /// Adds the weights at a time, scaled.
    pub(crate) fn accumulate(&self, secs: f32, factor: f32, out: &mut [f32]) {
        self.reader.each(secs, out, |out, weight| *out += weight * factor);
    }
}
