//! Many files: what `check`, `optimize` and `inspect` share.
//!
//! - [`list`]: which files there are, from arguments, folders and lists.
//! - [`verdict`]: what became of each, and how many there are of each kind.
//! - [`log`]: records of those that are done, a line of JSON each.
//! - [`workers`]: all cores at work, and results in the order of the files.

mod list;
mod log;
mod verdict;
mod workers;

use std::io;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;
use log::Log;
pub(crate) use verdict::{Finding, Tally, Verdict};

/// Some files failed.
pub(crate) const SOME_FAILED: u8 = 2;
/// Nothing was done: the arguments are wrong, a list cannot be read, or a log not be written.
pub(crate) const COULD_NOT_RUN: u8 = 3;

/// Which files, and where records of them go.
#[derive(Debug, Args)]
pub(crate) struct Batch {
    /// Files, and folders to be searched for .glb, .gltf and .vrm files.
    #[arg(required_unless_present = "files_from", value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,

    /// A text file with a path on each line; - is the standard input.
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,

    /// How many files at the same time. [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,

    /// JSON for programs: a line for each file, and a summary if there are several.
    #[arg(long)]
    pub(crate) json: bool,

    /// Append the lines of JSON to a file; they are not printed then.
    #[arg(long, value_name = "LOG")]
    log: Option<PathBuf>,

    /// Skip files that the log has a record of. Those that could not be read or written are tried again.
    #[arg(long, requires = "log")]
    resume: bool,
}

/// What is said of a file.
pub(crate) trait Record: Send {
    /// A file that could not be done.
    fn failed(path: &Path, verdict: Verdict, error: Finding) -> Self;
    fn verdict(&self) -> Verdict;
    /// For programs: a line of JSON with at least `path` and `verdict`.
    fn line(&self) -> String;
    /// For people.
    fn write(&self, output: &mut Output) -> io::Result<()>;
}

/// What is to be done.
#[derive(Default)]
pub(crate) struct Files {
    pub(crate) paths: Vec<PathBuf>,
    /// Folders that could not be read.
    closed: Vec<(PathBuf, io::Error)>,
    /// How many the log has a record of.
    skipped: usize,
}

impl Batch {
    /// One file, named as an argument.
    pub(crate) fn single(&self) -> Option<&Path> {
        match (self.paths.as_slice(), &self.files_from) {
            ([path], None) if !path.is_dir() => Some(path),
            _ => None,
        }
    }

    /// One folder, and nothing else.
    pub(crate) fn only_folder(&self) -> Option<&Path> {
        match (self.paths.as_slice(), &self.files_from) {
            ([path], None) => Some(path),
            _ => None,
        }
    }

    /// Whether the lines are for programs.
    pub(crate) fn is_for_programs(&self) -> bool {
        self.json || self.log.is_some()
    }

    /// All files that are to be done.
    ///
    /// # Errors
    /// If there are none, or a list or a log cannot be read.
    pub(crate) fn files(&self) -> Result<Files, Failure> {
        let mut files = Files::default();
        for path in self.paths.iter().cloned().chain(self.listed()?) {
            list::collect(&path, &mut files.paths, &mut files.closed);
        }
        if files.paths.is_empty() && files.closed.is_empty() {
            let mut places: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
            places.extend(self.files_from.as_ref().map(|list| list.display().to_string()));
            let message = format!("there are no .glb, .gltf or .vrm files in {}", places.join(", "));
            let failure = Failure::new(message, "give files, or a folder that has some");
            return Err(failure.with_code(COULD_NOT_RUN));
        }
        if let (true, Some(log)) = (self.resume, &self.log) {
            let (before, done) = (files.paths.len(), log::done(log)?);
            files.paths.retain(|path| !done.contains(&*path.to_string_lossy()));
            files.skipped = before - files.paths.len();
        }
        Ok(files)
    }

    fn listed(&self) -> Result<Vec<PathBuf>, Failure> {
        let Some(path) = &self.files_from else { return Ok(Vec::new()) };
        list::read(path).map_err(|error| {
            let message = format!("the list {} cannot be read: {error}", path.display());
            Failure::new(message, "a list has a path on each line").with_code(COULD_NOT_RUN)
        })
    }

    /// Does all files, and calls `done` with each record, in the order of the files.
    ///
    /// # Errors
    /// If a record cannot be written.
    pub(crate) fn run<R: Record>(
        &self,
        files: &Files,
        output: &mut Output,
        work: impl Fn(&Path) -> R + Sync,
        mut done: impl FnMut(&R),
    ) -> Result<Tally, Failure> {
        let mut log = self.log.as_deref().map(Log::open).transpose()?;
        let mut tally = Tally::new(files.skipped);
        let bar = progress_bar(files.paths.len());
        let mut hand_over = |record: R| {
            done(&record);
            tally.add(record.verdict());
            if let Some(log) = &mut log {
                return log.append(&record);
            }
            // To the terminal at once, while the bar is away.
            let written = bar.suspend(|| {
                let written = if self.json { output.line(record.line()) } else { record.write(output) };
                written.and_then(|()| output.flush())
            });
            written.map_err(|error| Failure::from(error).with_code(COULD_NOT_RUN))
        };
        for (folder, error) in &files.closed {
            let error = Finding::new("unreadable", format!("cannot read the folder: {error}"));
            hand_over(R::failed(folder, Verdict::Unreadable, error))?;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let guarded = |path: &Path| {
            // One file must not end a run over a library; the message of the panic is on the standard error output.
            std::panic::catch_unwind(AssertUnwindSafe(|| work(path))).unwrap_or_else(|_| {
                let message = "the program has a defect that this file shows: please report it".to_owned();
                R::failed(path, Verdict::Crashed, Finding::new("crashed", message))
            })
        };
        workers::run(&files.paths, self.jobs.map_or(cores, usize::from), guarded, |path, record| {
            hand_over(record)?;
            bar.set_message(path.display().to_string());
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        Ok(tally)
    }

    /// The last line, if there are several files: how many got which verdict, of which some are `always` told, and
    /// `more` about all of them, for programs and for people.
    pub(crate) fn summarize(
        &self,
        tally: &Tally,
        output: &mut Output,
        always: &[Verdict],
        (more, more_words): (impl Serialize, &str),
    ) -> Result<ExitCode, Failure> {
        if tally.is_about_several() || self.log.is_some() {
            if self.json {
                output.json(&Last { summary: Summary { tally, more } })?;
            } else {
                let gap = if self.log.is_some() { "" } else { "\n" };
                output.line(format_args!("{gap}{}{more_words}", tally.words(always)))?;
            }
        }
        Ok(if tally.has_failures() { ExitCode::from(SOME_FAILED) } else { ExitCode::SUCCESS })
    }
}

/// The last line for programs.
#[derive(Serialize)]
struct Last<'a, T> {
    summary: Summary<'a, T>,
}

#[derive(Serialize)]
struct Summary<'a, T> {
    #[serde(flatten)]
    tally: &'a Tally,
    #[serde(flatten)]
    more: T,
}

/// Nothing more.
#[derive(Serialize)]
pub(crate) struct Nothing {}

/// A bar on the standard error output, if that is a terminal and there is something to wait for.
fn progress_bar(files: usize) -> ProgressBar {
    if files < 2 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(files as u64).with_style(style)
}

#[cfg(test)]
mod tests;
