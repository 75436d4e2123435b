//! Keyframes as a clip keeps them: one shape for joints, morph weights and whatever else changes over time.

use std::fmt;
use std::sync::Arc;

use super::{Interpolation, Property};
use crate::float_text::FloatText;
use crate::transform::{LARGEST, in_range, normalized};

/// Keyframes of one value over time, checked: sorted finite times, and as many values as these call for.
///
/// A value is one or several numbers: three for a translation or a scale, four for a rotation, one for each
/// target of a morph set. Keys are as they were given, so that tools can read, mirror, retarget and write
/// them.
///
/// ```
/// # use canter::{Clip, Skeleton, Track, Transform, glam::Vec3};
/// # let mut joints = Skeleton::builder();
/// # joints.joint("lift", None, Transform::IDENTITY);
/// # let skeleton = joints.build()?;
/// # let mut clip = Clip::builder("Rise", &skeleton);
/// # let lift = skeleton.joint("lift").unwrap();
/// # clip.translation(lift, Track::linear(vec![0.0, 2.0], vec![Vec3::ZERO, Vec3::Y * 4.0]));
/// # let rise = clip.build()?;
/// let track = rise.tracks().next().unwrap();
/// assert_eq!(track.curve.times(), [0.0, 2.0]);
/// assert_eq!(track.curve.value(1), [0.0, 4.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub(super) interpolation: Interpolation,
    /// Many tracks share them.
    pub(super) times: Arc<[f32]>,
    pub(super) values: Arc<[f32]>,
    /// Numbers per value.
    pub(super) width: usize,
}

impl Curve {
    /// How it runs between keys.
    #[must_use]
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The times of the keys in seconds, not descending.
    #[must_use]
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// How many numbers a value has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// All numbers, key by key; with a cubic spline in-tangent, value and out-tangent for each key.
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        &self.values
    }

    /// The value of a key.
    ///
    /// # Panics
    /// If there is no such key.
    #[must_use]
    pub fn value(&self, key: usize) -> &[f32] {
        // With tangents the value is the middle one of three, without them the only one.
        self.part(key, self.interpolation.values_per_key() / 2)
    }

    /// The tangent on the left of a key, per second; `None` unless it is a cubic spline.
    ///
    /// # Panics
    /// If there is no such key.
    #[must_use]
    pub fn in_tangent(&self, key: usize) -> Option<&[f32]> {
        (self.interpolation == Interpolation::CubicSpline).then(|| self.part(key, 0))
    }

    /// The tangent on the right of a key, per second; `None` unless it is a cubic spline.
    ///
    /// # Panics
    /// If there is no such key.
    #[must_use]
    pub fn out_tangent(&self, key: usize) -> Option<&[f32]> {
        (self.interpolation == Interpolation::CubicSpline).then(|| self.part(key, 2))
    }

    fn part(&self, key: usize, part: usize) -> &[f32] {
        let first = (key * self.interpolation.values_per_key() + part) * self.width;
        &self.values[first..first + self.width]
    }

    /// Whether it can be played: as a property of a joint, or as morph weights.
    pub(super) fn check(&self, property: Option<Property>) -> Result<(), TrackError> {
        check(self.interpolation, &self.times, &self.values, self.width)?;
        if property == Some(Property::Rotation) {
            check_rotations(self.interpolation, &self.values)?;
        }
        Ok(())
    }
}

/// Why a track cannot be played.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TrackError {
    /// It has no keys.
    NoKeys,
    /// A time is not a number, infinite, negative, or astronomically large.
    BadTime {
        /// Which key.
        key: usize,
        /// Its time.
        secs: f32,
    },
    /// A time is before the one of the key before it.
    Unsorted {
        /// Which key.
        key: usize,
        /// Its time.
        secs: f32,
        /// The time of the key before it.
        previous_secs: f32,
    },
    /// There are not as many values as the times call for.
    WrongValueCount {
        /// How many values there are.
        found: usize,
        /// How many keys there are.
        keys: usize,
        /// How many values there should be.
        expected: usize,
    },
    /// The numbers of a track that was given number by number do not make whole values.
    PartialValue {
        /// How many numbers there are.
        numbers: usize,
        /// How many numbers a value has.
        width: usize,
    },
    /// A value is not a number, infinite, or astronomically large.
    BadValue {
        /// Which key.
        key: usize,
    },
    /// A rotation is a quaternion of length zero.
    ZeroRotation {
        /// Which key.
        key: usize,
    },
}

impl fmt::Display for TrackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKeys => write!(f, "it has no keys; expected at least one"),
            Self::BadTime { key, secs } => {
                let secs = FloatText((*secs).into());
                write!(f, "key {key} is at {secs} s; expected a finite time from 0")
            }
            Self::Unsorted { key, secs, previous_secs } => {
                let (secs, previous) = (FloatText((*secs).into()), FloatText((*previous_secs).into()));
                write!(f, "key {key} at {secs} s follows one at {previous} s; expected sorted times")
            }
            Self::WrongValueCount { found, keys, expected } => {
                write!(f, "it has {found} values for {keys} keys; expected {expected}")
            }
            Self::PartialValue { numbers, width } => {
                write!(f, "it has {numbers} numbers; expected {width} for every value")
            }
            Self::BadValue { key } => {
                write!(f, "the value of key {key} is not a finite number of ordinary size")
            }
            Self::ZeroRotation { key } => {
                write!(f, "the rotation of key {key} is a quaternion of length zero")
            }
        }
    }
}

impl std::error::Error for TrackError {}

/// Checks times and values; `width` numbers make a value.
fn check(
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
    width: usize,
) -> Result<(), TrackError> {
    if times.is_empty() {
        return Err(TrackError::NoKeys);
    }
    // Without early exits the loops run over many numbers at once; they hardly ever find fault.
    let sound = times.iter().fold(true, |sound, &secs| sound & (secs.abs() <= LARGEST) & (secs >= 0.0));
    let sorted = times.windows(2).fold(true, |sorted, pair| sorted & (pair[0] <= pair[1]));
    if !(sound && sorted) {
        return Err(bad_times(times));
    }
    let numbers_per_key = width * interpolation.values_per_key();
    if values.len() != times.len() * numbers_per_key {
        return Err(wrong_count(interpolation, times.len(), values.len(), width));
    }
    if values.iter().fold(true, |sound, number| sound & (number.abs() <= LARGEST)) {
        return Ok(());
    }
    let number = values.iter().position(|&number| !in_range(&[number])).unwrap_or(0);
    Err(TrackError::BadValue { key: number / numbers_per_key })
}

/// The first time that is wrong, or out of order.
fn bad_times(times: &[f32]) -> TrackError {
    let mut previous_secs = 0.0;
    for (key, &secs) in times.iter().enumerate() {
        if !in_range(&[secs]) || secs < 0.0 {
            return TrackError::BadTime { key, secs };
        }
        if secs < previous_secs {
            return TrackError::Unsorted { key, secs, previous_secs };
        }
        previous_secs = secs;
    }
    TrackError::NoKeys
}

/// Checks that every key of a rotation has a direction.
fn check_rotations(interpolation: Interpolation, values: &[f32]) -> Result<(), TrackError> {
    let per_key = interpolation.values_per_key();
    let (quaternions, _) = values.as_chunks::<4>();
    // With tangents the value is the middle one of three, without them the only one.
    let keys = quaternions.iter().skip(per_key / 2).step_by(per_key);
    let squared = |q: &[f32; 4]| (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    // Only what is very short is looked at closely.
    if keys.clone().fold(true, |long, q| long & (squared(q) > 1e-12)) {
        return Ok(());
    }
    match keys.enumerate().find(|(_, q)| normalized(**q).is_none()) {
        Some((key, _)) => Err(TrackError::ZeroRotation { key }),
        None => Ok(()),
    }
}

fn wrong_count(interpolation: Interpolation, keys: usize, numbers: usize, width: usize) -> TrackError {
    // A set of no morph weights has values of no numbers.
    if width == 0 || !numbers.is_multiple_of(width) {
        return TrackError::PartialValue { numbers, width };
    }
    TrackError::WrongValueCount {
        found: numbers / width,
        keys,
        expected: keys * interpolation.values_per_key(),
    }
}
