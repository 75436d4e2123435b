//! Why the tree cannot be changed so.

use std::fmt;

/// Why a change of a scene was refused. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// The node was removed.
    Gone,
    /// No character stands at the node, or it has no such joint.
    NoSuchJoint,
    /// The node would hang on itself.
    Cycle,
    /// A transform has a number that is not finite, or above 10¹⁸ in magnitude.
    NotFinite,
    /// The new parent is squashed flat, or nearly so: no local transform keeps the node in its place.
    Flat,
    /// There are 2³² - 1 nodes already.
    Full,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gone => "the node is gone: it was removed, or is of another scene",
            Self::NoSuchJoint => "no character with such a joint stands at the parent",
            Self::Cycle => "the node would hang on itself",
            Self::NotFinite => "the transform has a number that is not finite, or above 10¹⁸",
            Self::Flat => "the parent is squashed flat; expected one that can be inverted to keep the place in the world",
            Self::Full => "there are 2³² - 1 nodes already",
        })
    }
}

impl std::error::Error for SceneError {}
