//! What is odd about a file that loads.

mod code;

use std::cell::RefCell;
use std::fmt;

use crate::place::Place;

pub use code::WarningCode;

/// How much a [`Warning`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file is fine; something in it is not used here.
    Note,
    /// The file breaks the specification, and was mended.
    Warning,
}

/// Something odd about a file that loads nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// How much it matters.
    pub severity: Severity,
    /// What it is about, for programs.
    pub code: WarningCode,
    /// The JSON place, such as `meshes[0].primitives[1].attributes.WEIGHTS_0`; empty for the whole file.
    pub place: String,
    /// What is odd, and what was done about it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

/// Collects the warnings of one file while it loads.
#[derive(Debug, Default)]
pub(crate) struct Report {
    warnings: RefCell<Vec<Warning>>,
}

impl Report {
    /// A hostile file could otherwise fill the memory with warnings about itself.
    const MOST: usize = 1000;

    pub(crate) fn warn(&self, place: &Place<'_>, code: WarningCode, message: impl fmt::Display) {
        self.push(Severity::Warning, place, code, &message);
    }

    pub(crate) fn note(&self, place: &Place<'_>, code: WarningCode, message: impl fmt::Display) {
        self.push(Severity::Note, place, code, &message);
    }

    fn push(&self, severity: Severity, place: &Place<'_>, code: WarningCode, message: &dyn fmt::Display) {
        let mut warnings = self.warnings.borrow_mut();
        match warnings.len() {
            len if len < Self::MOST => {
                let (place, message) = (place.to_string(), message.to_string());
                warnings.push(Warning { severity, code, place, message });
            }
            len if len == Self::MOST => warnings.push(Warning {
                severity: Severity::Warning,
                code: WarningCode::TooMany,
                place: String::new(),
                message: format!("more than {} warnings: the rest is left out", Self::MOST),
            }),
            _ => {}
        }
    }

    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        self.warnings.into_inner()
    }
}
