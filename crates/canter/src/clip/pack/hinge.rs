//! Rotations about an axis that does not change: of fingers, elbows and knees, wheels and doors.
//!
//! Their quaternions lie on a great circle: `m cos h + n sin h`, with two quaternions m and n at right angles. One number
//! tells all, and since slerp runs evenly along that circle, what lies between two keys is the straight way between
//! their angles.

use glam::DVec4;

use super::channel::{Channel, bounds};
use crate::clip::packed::{Form, WIDEST_HINGE};
use crate::clip::prepare::Prepared;
use crate::math::{atan2_f64, sin_cos_f64};

/// A great circle near all keys of a track.
pub(super) struct Hinge {
    /// In the middle of all keys, and a quarter of the circle from there.
    middle: DVec4,
    aside: DVec4,
    angles: Vec<f64>,
    /// How far keys are from it at most.
    off: f64,
}

impl Hinge {
    /// `None` if keys are so far from each other that no hinge could be packed.
    pub(super) fn of(track: &Prepared) -> Option<Self> {
        let keys: Vec<DVec4> =
            track.values.iter().map(|value| DVec4::from_array(value.map(f64::from))).collect();
        let middle = keys.iter().sum::<DVec4>().try_normalize()?;
        let aside = main_direction(keys.iter().map(|key| *key - middle * key.dot(middle)))?;
        let aside = (aside - middle * aside.dot(middle)).try_normalize()?;
        let angle = |key: &DVec4| atan2_f64(key.dot(aside), key.dot(middle));
        let angles: Vec<f64> = keys.iter().map(angle).collect();
        let (low, high) = bounds(&angles);
        let center = 0.5 * (low + high);
        let (sin, cos) = sin_cos_f64(center);
        let off = |key: &DVec4| (*key - middle * key.dot(middle) - aside * key.dot(aside)).length();
        let hinge = Self {
            off: keys.iter().map(off).fold(0.0, f64::max),
            angles: angles.iter().map(|angle| angle - center).collect(),
            middle: middle * cos + aside * sin,
            aside: aside * cos - middle * sin,
        };
        (high - center <= f64::from(WIDEST_HINGE)).then_some(hinge)
    }

    pub(super) fn channel(self) -> Channel {
        #[expect(clippy::cast_possible_truncation, reason = "constants are in single precision")]
        let single = |number: f64| number as f32;
        let origin = self.middle.to_array().into_iter().chain(self.aside.to_array()).map(single);
        Channel { form: Form::Hinge, parts: vec![self.angles], origin: origin.collect(), off: self.off }
    }
}

/// The direction along which some vectors differ most.
fn main_direction(vectors: impl Iterator<Item = DVec4> + Clone) -> Option<DVec4> {
    const ROUNDS: usize = 24;
    let longest = |a: DVec4, b: DVec4| if b.length_squared() > a.length_squared() { b } else { a };
    let mut direction = vectors.clone().fold(DVec4::ZERO, longest).try_normalize()?;
    for _ in 0..ROUNDS {
        let sum: DVec4 = vectors.clone().map(|vector| vector * vector.dot(direction)).sum();
        direction = sum.try_normalize()?;
    }
    Some(direction)
}
