//! What became of a file, in the words that all commands share.

use std::collections::BTreeMap;
use std::io;

use canter_gltf::{LoadError, Warning};
use serde::{Deserialize, Serialize};

use crate::failure::words;
use crate::output::count;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// It loads, perhaps with notes.
    Fine,
    /// It loads, and something was mended.
    Warnings,
    /// It was made smaller.
    Smaller,
    /// Nothing could be gained.
    Unchanged,
    /// It is not of the kind that is read here.
    NotSupported,
    Broken,
    /// There is no such file.
    NotFound,
    /// The system does not let it be read.
    Unreadable,
    /// What came of it could not be written.
    NotWritten,
    /// The program has a defect that this file shows.
    Crashed,
}

impl Verdict {
    /// What is said of a file that does not load.
    pub(crate) fn of_error(error: &LoadError) -> Self {
        match error {
            LoadError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => Self::NotFound,
            LoadError::Read { .. } => Self::Unreadable,
            error if error.is_unsupported() => Self::NotSupported,
            _ => Self::Broken,
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Warnings => "with warnings",
            Self::Smaller => "smaller",
            Self::Unchanged => "unchanged",
            Self::NotSupported => "not supported",
            Self::Broken => "broken",
            Self::NotFound => "not found",
            Self::Unreadable => "unreadable",
            Self::NotWritten => "not written",
            Self::Crashed => "crashed the program",
        }
    }

    pub(crate) fn is_error(self) -> bool {
        !matches!(self, Self::Fine | Self::Warnings | Self::Smaller | Self::Unchanged)
    }

    /// Nothing is said about the file itself: it is tried again when a run is resumed.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::NotFound | Self::Unreadable | Self::NotWritten)
    }
}

/// An error, a warning or a note.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) code: &'static str,
    pub(crate) place: String,
    pub(crate) message: String,
}

impl Finding {
    /// About the whole file.
    pub(crate) fn new(code: &'static str, message: String) -> Self {
        Self { code, place: String::new(), message }
    }
}

impl From<Warning> for Finding {
    fn from(warning: Warning) -> Self {
        Self { code: warning.code.name(), place: warning.place, message: warning.message }
    }
}

impl From<&LoadError> for Finding {
    fn from(error: &LoadError) -> Self {
        let place = error.place().to_owned();
        let message = match error {
            // The record says the path already.
            LoadError::Read { source, .. } => format!("cannot be read: {source}"),
            LoadError::RequiredExtensions { .. } => {
                format!("{}; --ignore-required-extensions loads the file without", words(error))
            }
            error => words(error),
        };
        let message =
            message.strip_prefix(&format!("{place}: ")).map_or_else(|| message.clone(), str::to_owned);
        Self { code: error.code(), place, message }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.place.is_empty() {
            write!(formatter, "{}: ", self.place)?;
        }
        formatter.write_str(&self.message)
    }
}

/// How many files got which verdict.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Tally {
    files: usize,
    failed: usize,
    /// Files that the log has a record of.
    skipped: usize,
    verdicts: BTreeMap<Verdict, usize>,
}

impl Tally {
    pub(super) fn new(skipped: usize) -> Self {
        Self { skipped, ..Self::default() }
    }

    pub(super) fn add(&mut self, verdict: Verdict) {
        self.files += 1;
        self.failed += usize::from(verdict.is_error());
        *self.verdicts.entry(verdict).or_default() += 1;
    }

    pub(crate) fn number(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// Whether there is more than one file, those that were done before among them.
    pub(super) fn is_about_several(&self) -> bool {
        self.files + self.skipped > 1
    }

    pub(crate) fn has_failures(&self) -> bool {
        self.failed > 0
    }

    /// `3 files: 1 fine, 2 broken`: those that are `always` told, and the others if there are any.
    pub(super) fn words(&self, always: &[Verdict]) -> String {
        let mut told: BTreeMap<Verdict, usize> = always.iter().map(|&verdict| (verdict, 0)).collect();
        told.extend(&self.verdicts);
        let parts = told.iter().map(|(verdict, number)| format!("{number} {}", verdict.words()));
        let mut words = format!("{}: {}", count(self.files, "file"), parts.collect::<Vec<_>>().join(", "));
        if self.skipped > 0 {
            words += &format!("; {} done before", self.skipped);
        }
        words
    }
}
