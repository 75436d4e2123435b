//! Why a clip has no additive version.

use std::fmt;

use crate::clip::TrackTarget;

/// Why a clip has no additive version: which clip, what is wrong, what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdditiveError {
    /// The clip has deltas already.
    AlreadyAdditive {
        /// The clip's name.
        clip: String,
    },
    /// The reference clip has deltas, which are no pose.
    ReferenceIsAdditive {
        /// The clip's name.
        clip: String,
        /// The name of the reference clip.
        reference: String,
    },
    /// The reference clip was built for another skeleton.
    OtherSkeleton {
        /// The clip's name.
        clip: String,
        /// The name of the reference clip.
        reference: String,
    },
    /// A delta is too large to calculate with.
    TooLarge {
        /// The clip's name.
        clip: String,
        /// What is driven by it.
        target: TrackTarget,
        /// Which key.
        key: usize,
    },
}

impl fmt::Display for AdditiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyAdditive { clip } => {
                write!(f, "clip \"{clip}\" is additive already; expected one of full poses")
            }
            Self::ReferenceIsAdditive { clip, reference } => write!(
                f,
                "clip \"{clip}\": the reference clip \"{reference}\" is additive; expected one of full poses"
            ),
            Self::OtherSkeleton { clip, reference } => write!(
                f,
                "clip \"{clip}\": the reference clip \"{reference}\" is of another skeleton; expected one of \
                 the same"
            ),
            Self::TooLarge { clip, target, key } => {
                let what = match target {
                    TrackTarget::Joint(joint, property) => format!("{property} of joint {}", joint.index()),
                    TrackTarget::Morph(morph) => format!("weights of morph set {}", morph.index()),
                };
                write!(
                    f,
                    "clip \"{clip}\", {what}: key {key} is too far from the reference; expected deltas of at \
                     most 10¹⁸"
                )
            }
        }
    }
}

impl std::error::Error for AdditiveError {}
