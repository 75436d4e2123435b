//! Keyframes of one property of one joint, as they come from a file.

use std::fmt;

use glam::{Quat, Vec3};

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

impl Interpolation {
    /// How many values a key has: with tangents, three.
    pub(crate) const fn values_per_key(self) -> usize {
        match self {
            Self::CubicSpline => 3,
            Self::Step | Self::Linear => 1,
        }
    }
}

/// Keyframes of one property: times in seconds and the values at them.
///
/// There is one value per time. With [`Interpolation::CubicSpline`] there are three per time: in-tangent,
/// value, out-tangent, the tangents per second, as in glTF. Two keys at the same time are a jump, at which
/// the later key holds.
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
