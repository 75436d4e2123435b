//! The facts about a file as a line for programs, or why there are none.

use std::io;
use std::path::Path;

use canter_gltf::{Asset, LoadOptions, Severity};
use serde::Serialize;

use super::summary::Summary;
use crate::batch::{Finding, Record, Verdict};
use crate::embedded;
use crate::output::{NAME, Output, printable};

/// A line; what it was made of is not kept, since lines wait for those before them.
pub(super) struct Facts {
    path: String,
    verdict: Verdict,
    line: String,
}

#[derive(Serialize)]
struct Line<'a> {
    path: &'a str,
    verdict: Verdict,
    errors: Vec<Finding>,
    #[serde(flatten)]
    summary: Option<Summary<'a>>,
}

impl Facts {
    pub(super) fn of(path: &Path, options: &LoadOptions) -> Self {
        match embedded::load(path, options) {
            Ok(asset) => {
                let is_odd = asset.warnings.iter().any(|warning| warning.severity == Severity::Warning);
                let verdict = if is_odd { Verdict::Warnings } else { Verdict::Fine };
                Self::new(path, verdict, Vec::new(), Some(&asset))
            }
            Err(error) => Self::failed(path, Verdict::of_error(&error), (&error).into()),
        }
    }

    fn new(path: &Path, verdict: Verdict, errors: Vec<Finding>, asset: Option<&Asset>) -> Self {
        let name = path.to_string_lossy().into_owned();
        let summary = asset.map(|asset| Summary::new(path, asset));
        let line = Line { path: &name, verdict, errors, summary };
        let line = serde_json::to_string(&line).expect("its keys are texts");
        Self { path: name, verdict, line }
    }
}

impl Record for Facts {
    fn failed(path: &Path, verdict: Verdict, error: Finding) -> Self {
        Self::new(path, verdict, vec![error], None)
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }

    fn line(&self) -> String {
        self.line.clone()
    }

    fn write(&self, output: &mut Output) -> io::Result<()> {
        output.line(format_args!("{NAME}{}{NAME:#}: {}", printable(&self.path), self.verdict.words()))
    }
}
