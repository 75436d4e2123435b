//! Why a solver cannot be made.

use std::fmt;

use canter::{JointId, Skeleton};

/// Why a solver cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub enum RigError {
    /// A joint does not hang on the one before it in the list.
    NotInLine {
        /// The joint that should hang on the other.
        joint: String,
        /// The one before it.
        parent: String,
    },
    /// There are too few or too many joints for this solver.
    JointCount {
        /// How many were given.
        count: usize,
        /// How few and how many it takes.
        takes: (usize, usize),
    },
    /// A number is infinite, NaN or out of range.
    Number {
        /// Which setting.
        setting: &'static str,
    },
    /// Joints constrain each other in a circle.
    Cycle {
        /// One of them.
        joint: String,
    },
    /// A joint is in two chains.
    Twice {
        /// Which.
        joint: String,
    },
    /// A list names a place that is not there.
    Missing {
        /// What it names.
        what: &'static str,
        /// The place.
        index: usize,
    },
}

impl fmt::Display for RigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInLine { joint, parent } => write!(f, "joint \"{joint}\" does not hang on \"{parent}\""),
            Self::JointCount { count, takes: (min, max) } => {
                write!(f, "{count} joints where {min} to {max} are needed")
            }
            Self::Number { setting } => write!(f, "{setting} is infinite, NaN or out of range"),
            Self::Cycle { joint } => {
                write!(f, "joint \"{joint}\" is constrained by itself, by way of others")
            }
            Self::Twice { joint } => write!(f, "joint \"{joint}\" is in two chains"),
            Self::Missing { what, index } => write!(f, "there is no {what} {index}"),
        }
    }
}

impl std::error::Error for RigError {}

/// Refuses joints that do not hang on each other, one after the other; others may lie between.
pub(crate) fn check_line(skeleton: &Skeleton, joints: &[JointId]) -> Result<(), RigError> {
    for pair in joints.windows(2) {
        let (parent, joint) = (pair[0], pair[1]);
        let mut above = skeleton.parent(joint);
        while let Some(other) = above.filter(|&other| other != parent) {
            above = skeleton.parent(other);
        }
        if above.is_none() {
            let name = |joint| skeleton.name(joint).to_owned();
            return Err(RigError::NotInLine { joint: name(joint), parent: name(parent) });
        }
    }
    Ok(())
}

/// Refuses what is not finite and from `min` to `max`.
pub(crate) fn check_range(setting: &'static str, number: f32, min: f32, max: f32) -> Result<f32, RigError> {
    if (min..=max).contains(&number) { Ok(number) } else { Err(RigError::Number { setting }) }
}

/// A direction at length one; refuses one without length.
pub(crate) fn check_direction(
    setting: &'static str,
    direction: canter::glam::Vec3,
) -> Result<canter::glam::Vec3, RigError> {
    direction.try_normalize().ok_or(RigError::Number { setting })
}
