//! Why the root motion of a clip cannot be taken out of its pose.

use std::fmt;

/// A clip cannot be split; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMotionError {
    /// The clip's name.
    pub clip: String,
    /// Why.
    pub fault: RootMotionFault,
}

/// Why a clip cannot be split.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootMotionFault {
    /// The clip was built for another skeleton.
    OtherSkeleton,
    /// The skeleton has no such joint.
    NoSuchJoint {
        /// How many joints there are.
        joints: usize,
    },
    /// It was split before.
    AlreadySplit,
    /// Its values are deltas: split the clip first, then make it additive.
    Additive,
    /// The clip moves a joint above the root joint, too.
    ParentMoves {
        /// The name of that joint.
        parent: String,
    },
    /// What is above the root joint is scaled by different factors along its axes, or to nothing.
    ParentIsUneven {
        /// The root joint's name.
        joint: String,
    },
}

impl fmt::Display for RootMotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clip \"{}\" has no root motion to split off: ", self.clip)?;
        match &self.fault {
            RootMotionFault::OtherSkeleton => write!(f, "it was built for another skeleton"),
            RootMotionFault::NoSuchJoint { joints } => write!(f, "the skeleton has only {joints} joints"),
            RootMotionFault::AlreadySplit => {
                write!(f, "it was split before; expected the clip as it was loaded")
            }
            RootMotionFault::Additive => {
                write!(f, "it is additive; expected it to be split first, and then made additive")
            }
            RootMotionFault::ParentMoves { parent } => write!(
                f,
                "it moves joint \"{parent}\", which the root joint hangs on; expected the topmost joint that moves"
            ),
            RootMotionFault::ParentIsUneven { joint } => write!(
                f,
                "what joint \"{joint}\" hangs on is scaled unevenly, or to nothing; expected one factor for all axes"
            ),
        }
    }
}

impl std::error::Error for RootMotionError {}
