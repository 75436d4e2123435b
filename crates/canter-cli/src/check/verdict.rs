//! What is said of one file.

use std::io;
use std::path::Path;

use canter_gltf::{LoadError, LoadOptions, Severity, Warning};
use serde::Serialize;

use crate::output::{ERROR, GOOD, NAME, NOTE, Output, WARNING, count, printable};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    /// It loads, perhaps with notes.
    Fine,
    /// It loads, and something was mended.
    Warnings,
    /// It is not of the kind that is read here.
    NotSupported,
    Broken,
    /// There is no such file.
    NotFound,
    /// The system does not let it be read.
    Unreadable,
}

impl Verdict {
    pub(super) const ALL: [Self; 6] =
        [Self::Fine, Self::Warnings, Self::NotSupported, Self::Broken, Self::NotFound, Self::Unreadable];

    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Warnings => "with warnings",
            Self::NotSupported => "not supported",
            Self::Broken => "broken",
            Self::NotFound => "not found",
            Self::Unreadable => "unreadable",
        }
    }

    pub(super) fn is_error(self) -> bool {
        !matches!(self, Self::Fine | Self::Warnings)
    }
}

/// All that is said of a file.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    file: String,
    pub(super) verdict: Verdict,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    notes: Vec<Finding>,
}

/// An error, a warning or a note.
#[derive(Debug, Serialize)]
struct Finding {
    code: &'static str,
    place: String,
    message: String,
}

impl Finding {
    fn warning(warning: Warning) -> Self {
        Self { code: warning.code.name(), place: warning.place, message: warning.message }
    }

    fn error(error: &LoadError) -> Self {
        let place = error.place().to_owned();
        let message = match error {
            // The report says the path already.
            LoadError::Read { source, .. } => format!("cannot be read: {source}"),
            error => error.to_string(),
        };
        let message =
            message.strip_prefix(&format!("{place}: ")).map_or_else(|| message.clone(), str::to_owned);
        Self { code: error.code(), place, message }
    }
}

impl Report {
    /// Loads a file.
    pub(super) fn of_file(path: &Path, options: &LoadOptions) -> Self {
        let file = path.display().to_string();
        let mut report = Self {
            file,
            verdict: Verdict::Fine,
            errors: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
        };
        match canter_gltf::load_with(path, options) {
            Ok(asset) => {
                for warning in asset.warnings {
                    let list = match warning.severity {
                        Severity::Warning => &mut report.warnings,
                        Severity::Note => &mut report.notes,
                    };
                    list.push(Finding::warning(warning));
                }
                if !report.warnings.is_empty() {
                    report.verdict = Verdict::Warnings;
                }
            }
            Err(error) => {
                report.verdict = match &error {
                    LoadError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                        Verdict::NotFound
                    }
                    LoadError::Read { .. } => Verdict::Unreadable,
                    error if error.is_unsupported() => Verdict::NotSupported,
                    _ => Verdict::Broken,
                };
                report.errors.push(Finding::error(&error));
            }
        }
        report
    }

    /// A folder that cannot be looked into.
    pub(super) fn of_closed_folder(path: &Path, error: &io::Error) -> Self {
        let message = format!("cannot read the folder: {error}");
        Self {
            file: path.display().to_string(),
            verdict: Verdict::Unreadable,
            errors: vec![Finding { code: "unreadable", place: String::new(), message }],
            warnings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// For people.
    pub(super) fn write(&self, output: &mut Output) -> io::Result<()> {
        let path = printable(&self.file);
        let mut verdict = match self.verdict {
            Verdict::Fine => format!("{GOOD}fine{GOOD:#}"),
            Verdict::Warnings => format!("{WARNING}{}{WARNING:#}", count(self.warnings.len(), "warning")),
            other => format!("{ERROR}{}{ERROR:#}", other.words()),
        };
        if !self.notes.is_empty() {
            verdict += &format!(", {}", count(self.notes.len(), "note"));
        }
        output.line(format_args!("{NAME}{path}{NAME:#}: {verdict}"))?;
        let lists = [
            (&self.errors, ERROR, "error"),
            (&self.warnings, WARNING, "warning"),
            (&self.notes, NOTE, "note"),
        ];
        for (list, style, kind) in lists {
            for Finding { place, message, .. } in list {
                let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
                let text = printable(&format!("{place}{message}"));
                output.line(format_args!("  {style}{kind}{style:#}: {text}"))?;
            }
        }
        Ok(())
    }
}
