//! What is said of one file.

use std::io;
use std::path::Path;

use canter_gltf::{LoadOptions, Severity};
use serde::Serialize;

use crate::batch::{Finding, Record, Verdict};
use crate::embedded;
use crate::output::{ERROR, GOOD, NAME, NOTE, Output, WARNING, count, printable};

/// All that is said of a file.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    path: String,
    verdict: Verdict,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    notes: Vec<Finding>,
}

impl Report {
    fn new(path: &Path, verdict: Verdict) -> Self {
        let path = path.to_string_lossy().into_owned();
        Self { path, verdict, errors: Vec::new(), warnings: Vec::new(), notes: Vec::new() }
    }

    /// Loads a file.
    pub(super) fn of_file(path: &Path, options: &LoadOptions) -> Self {
        let asset = match embedded::load(path, options) {
            Ok(asset) => asset,
            Err(error) => return Self::failed(path, Verdict::of_error(&error), (&error).into()),
        };
        let mut report = Self::new(path, Verdict::Fine);
        for warning in asset.warnings {
            let list = match warning.severity {
                Severity::Warning => &mut report.warnings,
                Severity::Note => &mut report.notes,
            };
            list.push(warning.into());
        }
        if !report.warnings.is_empty() {
            report.verdict = Verdict::Warnings;
        }
        report
    }
}

impl Record for Report {
    fn failed(path: &Path, verdict: Verdict, error: Finding) -> Self {
        Self { errors: vec![error], ..Self::new(path, verdict) }
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }

    fn line(&self) -> String {
        serde_json::to_string(self).expect("its keys are texts")
    }

    fn write(&self, output: &mut Output) -> io::Result<()> {
        let mut verdict = match self.verdict {
            Verdict::Fine => format!("{GOOD}fine{GOOD:#}"),
            Verdict::Warnings => format!("{WARNING}{}{WARNING:#}", count(self.warnings.len(), "warning")),
            other => format!("{ERROR}{}{ERROR:#}", other.words()),
        };
        if !self.notes.is_empty() {
            verdict += &format!(", {}", count(self.notes.len(), "note"));
        }
        output.line(format_args!("{NAME}{}{NAME:#}: {verdict}", printable(&self.path)))?;
        let lists = [
            (&self.errors, ERROR, "error"),
            (&self.warnings, WARNING, "warning"),
            (&self.notes, NOTE, "note"),
        ];
        for (list, style, kind) in lists {
            for finding in list {
                let text = printable(&finding.to_string());
                output.line(format_args!("  {style}{kind}{style:#}: {text}"))?;
            }
        }
        Ok(())
    }
}
