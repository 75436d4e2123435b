//! Why a clip is not packed.

use std::fmt;

use crate::float_text::FloatText;

/// Why a clip is not packed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PackError {
    /// The clip was built for another skeleton.
    OtherSkeleton {
        /// The clip's name.
        clip: String,
    },
    /// The error that is allowed is not a positive number.
    BadError {
        /// In millimetres.
        error_mm: f32,
    },
    /// The length of a unit is not a positive number.
    BadUnit {
        /// In metres.
        metres_per_unit: f32,
    },
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherSkeleton { clip } => write!(f, "clip \"{clip}\" was built for another skeleton"),
            Self::BadError { error_mm } => {
                let text = FloatText((*error_mm).into());
                write!(f, "the error to pack with is {text} mm; expected a number above 0")
            }
            Self::BadUnit { metres_per_unit } => {
                let text = FloatText((*metres_per_unit).into());
                write!(f, "a unit is {text} m long; expected a number above 0")
            }
        }
    }
}

impl std::error::Error for PackError {}
