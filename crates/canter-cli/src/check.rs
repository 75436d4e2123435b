//! `canter check FILE…`: errors and warnings, with their places.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use canter_gltf::{LoadError, Severity, Warning};
use clap::Args;
use serde::Serialize;

use crate::batch::{Batch, Record, SOME_FAILED};
use crate::failure::Failure;
use crate::output::{ERROR, GOOD, NAME, NOTE, Output, WARNING, count, printable};

/// Check glTF files: a list of errors and warnings with their places in the file.
///
/// A warning is about something that breaks the specification and was mended; a note is about something that
/// is not used. The exit code is 0, 1 (warnings, with --strict), 2 (files that are broken or cannot be read)
/// or 3 (it could not run).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter check hero.glb                 One file
  canter check assets/ more/*.gltf      All models in a folder and below, and some more
  canter check --strict assets/         For a build: warnings fail, too
  canter check assets/ --json | jq -r 'select(.status == \"broken\") | .path'
  find /library -name '*.glb' | canter check --files-from - --log checked.jsonl --resume
                                        A library; what is in the log is not checked again")]
pub(crate) struct Arguments {
    #[command(flatten)]
    batch: Batch,

    /// Warnings count: exit with 1 if there are any.
    #[arg(long)]
    strict: bool,
}

const WARNINGS: u8 = 1;

/// How many files there are of each kind.
#[derive(Default, Serialize)]
struct Summary {
    files: usize,
    fine: usize,
    warnings: usize,
    broken: usize,
    unreadable: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Fine,
    Warnings,
    Broken,
    Unreadable,
}

/// What is to be said about a file.
#[derive(Serialize)]
struct Verdict {
    path: String,
    status: Status,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    notes: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    message: String,
    /// Both, for people.
    #[serde(skip)]
    text: String,
}

impl From<&Warning> for Finding {
    fn from(warning: &Warning) -> Self {
        Self { place: warning.place.clone(), message: warning.message.clone(), text: warning.to_string() }
    }
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let batch = &arguments.batch;
    let files = batch.files()?;
    let mut summary = Summary { files: files.len(), ..Summary::default() };
    for (folder, error) in &files.closed {
        summary.unreadable += 1;
        let verdict = Verdict::unreadable(folder, format!("cannot read the folder: {error}"));
        if batch.is_for_programs() { output.json(&verdict)? } else { verdict.write(output)? }
    }
    batch.run(&files, output, Verdict::of, |verdict| match verdict.status {
        Status::Fine => summary.fine += 1,
        Status::Warnings => summary.warnings += 1,
        Status::Broken => summary.broken += 1,
        Status::Unreadable => summary.unreadable += 1,
    })?;
    let (fine, odd, broken) = (summary.fine, summary.warnings, summary.broken);
    let mut text =
        format!("{}: {fine} fine, {odd} with warnings, {broken} broken", count(summary.files, "file"));
    if summary.unreadable > 0 {
        text += &format!(", {} unreadable", summary.unreadable);
    }
    batch.summarize(&files, output, &summary, &text)?;
    Ok(match (summary.broken + summary.unreadable, odd) {
        (1.., _) => ExitCode::from(SOME_FAILED),
        (0, 1..) if arguments.strict => ExitCode::from(WARNINGS),
        _ => ExitCode::SUCCESS,
    })
}

impl Verdict {
    fn of(path: &Path) -> Self {
        let asset = match canter_gltf::load(path) {
            Ok(asset) => asset,
            Err(LoadError::Read { source, .. }) => {
                return Self::unreadable(path, format!("cannot be read: {source}"));
            }
            Err(error) => {
                let error =
                    Finding { place: String::new(), message: error.to_string(), text: error.to_string() };
                return Self { status: Status::Broken, errors: vec![error], ..Self::new(path) };
            }
        };
        let of = |severity: Severity| {
            asset.warnings.iter().filter(|warning| warning.severity == severity).map(Finding::from).collect()
        };
        let warnings: Vec<Finding> = of(Severity::Warning);
        let status = if warnings.is_empty() { Status::Fine } else { Status::Warnings };
        Self { status, warnings, notes: of(Severity::Note), ..Self::new(path) }
    }

    fn new(path: &Path) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            status: Status::Fine,
            errors: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn unreadable(path: &Path, message: String) -> Self {
        let error = Finding { place: String::new(), text: message.clone(), message };
        Self { status: Status::Unreadable, errors: vec![error], ..Self::new(path) }
    }
}

impl Record for Verdict {
    fn is_open(&self) -> bool {
        self.status == Status::Unreadable
    }

    fn write(&self, output: &mut Output) -> io::Result<()> {
        let mut verdict = match self.status {
            Status::Fine => format!("{GOOD}fine{GOOD:#}"),
            Status::Warnings => format!("{WARNING}{}{WARNING:#}", count(self.warnings.len(), "warning")),
            Status::Broken => format!("{ERROR}broken{ERROR:#}"),
            Status::Unreadable => format!("{ERROR}unreadable{ERROR:#}"),
        };
        if !self.notes.is_empty() {
            verdict += &format!(", {}", count(self.notes.len(), "note"));
        }
        output.line(format_args!("{NAME}{}{NAME:#}: {verdict}", printable(&self.path)))?;
        let kinds = [
            (ERROR, "error", &self.errors),
            (WARNING, "warning", &self.warnings),
            (NOTE, "note", &self.notes),
        ];
        for (style, kind, findings) in kinds {
            for finding in findings {
                output.line(format_args!("  {style}{kind}{style:#}: {}", printable(&finding.text)))?;
            }
        }
        Ok(())
    }
}
