//! Keyframes of one property of one joint, as they come from a file.

use std::fmt;

use glam::{Quat, Vec3};

use crate::shown::Shown;
use crate::transform::{LARGEST, are_tame, normalized};

/// How a track runs from one keyframe to the next: the three ways of glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// Holds the left key until the next one.
    Step,
    /// In a straight line; rotations on the shortest arc at constant speed (slerp).
    Linear,
    /// On a cubic Hermite spline with a tangent on either side of each key; rotations are normalised.
    CubicSpline,
}

/// Keyframes of one property: times in seconds and the values at them.
///
/// There is one value per time. With [`Interpolation::CubicSpline`] there are three per time: in-tangent,
/// value, out-tangent, the tangents per second, as in glTF. Two keys at the same time are a jump, at which the later
/// key holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<T> {
    /// How it runs between keys.
    pub interpolation: Interpolation,
    /// The times of the keys in seconds, not descending.
    pub times: Vec<f32>,
    /// The values at the keys.
    pub values: Vec<T>,
}

impl<T> Track<T> {
    /// A track of any kind.
    #[must_use]
    pub const fn new(interpolation: Interpolation, times: Vec<f32>, values: Vec<T>) -> Self {
        Self { interpolation, times, values }
    }

    /// A track that holds each key until the next.
    #[must_use]
    pub const fn step(times: Vec<f32>, values: Vec<T>) -> Self {
        Self::new(Interpolation::Step, times, values)
    }

    /// A track that runs in straight lines, or on shortest arcs.
    #[must_use]
    pub const fn linear(times: Vec<f32>, values: Vec<T>) -> Self {
        Self::new(Interpolation::Linear, times, values)
    }

    /// A track on a cubic spline: in-tangent, value and out-tangent for each time.
    #[must_use]
    pub const fn cubic(times: Vec<f32>, values: Vec<T>) -> Self {
        Self::new(Interpolation::CubicSpline, times, values)
    }
}

/// A property of a joint that a track can drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Property {
    /// Metres.
    Translation,
    /// A unit quaternion.
    Rotation,
    /// One factor per axis.
    Scale,
}

impl Property {
    /// How many numbers a value has.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::Rotation => 4,
            Self::Translation | Self::Scale => 3,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
        })
    }
}

/// A value that a joint's track can hold, as plain numbers.
pub(crate) trait Numbers: Copy {
    fn append_to(self, numbers: &mut Vec<f32>);
}

impl Numbers for Vec3 {
    fn append_to(self, numbers: &mut Vec<f32>) {
        numbers.extend(self.to_array());
    }
}

impl Numbers for Quat {
    fn append_to(self, numbers: &mut Vec<f32>) {
        numbers.extend(self.to_array());
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
        /// How many numbers there are.
        found: usize,
        /// How many there should be.
        expected: usize,
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
                let secs = Shown((*secs).into());
                write!(f, "key {key} is at {secs} s; expected a finite time from 0")
            }
            Self::Unsorted { key, secs, previous_secs } => {
                let (secs, previous) = (Shown((*secs).into()), Shown((*previous_secs).into()));
                write!(f, "key {key} at {secs} s follows one at {previous} s; expected sorted times")
            }
            Self::WrongValueCount { found, expected } => {
                write!(f, "it has {found} numbers for its keys; expected {expected}")
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

/// Checks times and values; `width` numbers make a value.
pub(crate) fn check(
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
    width: usize,
) -> Result<(), TrackError> {
    if times.is_empty() {
        return Err(TrackError::NoKeys);
    }
    // Sums of answers instead of early exits: the loops run over many numbers at once, and hardly ever find fault.
    let sound = times.iter().fold(true, |sound, &secs| sound & (secs.abs() <= LARGEST) & (secs >= 0.0));
    let sorted = times.windows(2).fold(true, |sorted, pair| sorted & (pair[0] <= pair[1]));
    if !(sound && sorted) {
        return Err(bad_times(times));
    }
    let numbers_per_key = width * values_per_key(interpolation);
    let expected = times.len() * numbers_per_key;
    if values.len() != expected {
        return Err(TrackError::WrongValueCount { found: values.len(), expected });
    }
    if values.iter().fold(true, |tame, number| tame & (number.abs() <= LARGEST)) {
        return Ok(());
    }
    let number = values.iter().position(|&number| !are_tame(&[number])).unwrap_or(0);
    Err(TrackError::BadValue { key: number / numbers_per_key })
}

/// The first time that is wrong, or out of order.
fn bad_times(times: &[f32]) -> TrackError {
    let mut previous_secs = 0.0;
    for (key, &secs) in times.iter().enumerate() {
        if !are_tame(&[secs]) || secs < 0.0 {
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
pub(crate) fn check_rotations(interpolation: Interpolation, values: &[f32]) -> Result<(), TrackError> {
    let per_key = values_per_key(interpolation);
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

pub(crate) const fn values_per_key(interpolation: Interpolation) -> usize {
    match interpolation {
        Interpolation::CubicSpline => 3,
        Interpolation::Step | Interpolation::Linear => 1,
    }
}
