//! Many files: what `check`, `optimize` and `inspect` share.
//!
//! - [`list`]: which files there are, from arguments, folders and lists.
//! - [`log`]: records of those that are done, a line of JSON each.
//! - [`workers`]: all cores at work, and results in the order of the files.

mod list;
mod log;
mod workers;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;
use log::Log;

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

/// What became of a file.
pub(crate) trait Record: Serialize + Send {
    /// Nothing can be said about the file: it is tried again when the run is resumed.
    fn is_open(&self) -> bool;
    /// For people.
    fn write(&self, output: &mut Output) -> io::Result<()>;
}

/// What is left to do, and what was found on the way there.
pub(crate) struct Files {
    pub(crate) paths: Vec<PathBuf>,
    /// Folders that could not be read.
    pub(crate) closed: Vec<(PathBuf, io::Error)>,
    /// Files that the log has a record of.
    pub(crate) skipped: usize,
}

impl Files {
    pub(crate) fn len(&self) -> usize {
        self.paths.len() + self.closed.len()
    }
}

impl Batch {
    /// One file, named as an argument.
    pub(crate) fn single(&self) -> Option<&Path> {
        match (self.paths.as_slice(), &self.files_from) {
            ([path], None) if !path.is_dir() => Some(path),
            _ => None,
        }
    }

    /// Whether records go to a file.
    pub(crate) fn has_log(&self) -> bool {
        self.log.is_some()
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
        let (mut paths, mut closed) = (Vec::new(), Vec::new());
        for path in self.paths.iter().cloned().chain(self.listed()?) {
            list::collect(&path, &mut paths, &mut closed);
        }
        if paths.is_empty() && closed.is_empty() {
            let mut places: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
            places.extend(self.files_from.as_ref().map(|list| list.display().to_string()));
            let message = format!("there are no .glb, .gltf or .vrm files in {}", places.join(", "));
            let failure = Failure::new(message, "give files, or a folder that has some");
            return Err(failure.with_code(COULD_NOT_RUN));
        }
        let before = paths.len();
        if let (true, Some(log)) = (self.resume, &self.log) {
            let done = log::done(log)?;
            paths.retain(|path| !done.contains(&*path.to_string_lossy()));
        }
        let skipped = before - paths.len();
        Ok(Files { paths, closed, skipped })
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
    ) -> Result<(), Failure> {
        let mut log = self.log.as_deref().map(Log::open).transpose()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or(cores, usize::from);
        let bar = progress_bar(files.paths.len());
        workers::run(&files.paths, jobs, work, |path, record| {
            done(&record);
            match &mut log {
                Some(log) => log.append(&record)?,
                // To the terminal at once, while the bar is away.
                None => bar.suspend(|| {
                    let written = if self.json { output.json(&record) } else { record.write(output) };
                    written.and_then(|()| output.flush())
                })?,
            }
            bar.set_message(path.display().to_string());
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        Ok(())
    }

    /// The last line, if there are several files.
    pub(crate) fn summarize(
        &self,
        files: &Files,
        output: &mut Output,
        summary: &impl Serialize,
        text: &str,
    ) -> io::Result<()> {
        if files.len() + files.skipped < 2 && self.log.is_none() {
            return Ok(());
        }
        let skipped = match files.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} done before"),
        };
        if self.json {
            return output.json(&serde_json::json!({ "summary": summary, "skipped": files.skipped }));
        }
        let gap = if self.log.is_some() { "" } else { "\n" };
        output.line(format_args!("{gap}{text}{skipped}"))
    }
}

/// The exit code of a run.
pub(crate) fn exit_code(failed: usize) -> ExitCode {
    if failed > 0 { ExitCode::from(SOME_FAILED) } else { ExitCode::SUCCESS }
}

/// A bar on the standard error output, if that is a terminal and there is something to wait for.
fn progress_bar(files: usize) -> ProgressBar {
    if files < 2 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(files as u64).with_style(style)
}
