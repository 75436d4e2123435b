//! `canter check FILE…`: errors and warnings, with their places.

mod verdict;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;
use crate::graph;
use crate::loading::Loading;
use crate::output::{Output, count};
use verdict::{Report, Verdict};

/// Check glTF files: a list of errors and warnings with their places in the file.
///
/// A warning is about something that breaks the specification and was mended; a note is about something that
/// is not used. The exit code is 0, 1 (warnings, with --strict) or 2 (errors).
///
/// A file with errors is broken, not supported (another version of glTF, or required extensions that are not
/// supported and could move something), not found or unreadable.
#[derive(Debug, Args)]
#[command(after_help = "\
The JSON, one line for each file:
  file           the path
  verdict        fine, warnings, not-supported, broken, not-found or unreadable
  errors, warnings, notes
                 what was found: code (such as weights-sum), place in the file, message

Examples:
  canter check hero.glb                 One file
  canter check assets/ more/*.gltf      All models in a folder and below, and some more
  canter check --strict assets/         For a build: warnings fail, too
  canter check hero.graph.json --model hero.glb
                                        An animation graph, with the model that it is for
  canter check --json assets/ | jq -c '.warnings[] | [.code, .place]'
                                        For a program")]
pub(crate) struct Arguments {
    /// Files, and folders to be searched for .glb, .gltf and .vrm files.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,

    /// The files are animation graphs, for this model.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Warnings count: exit with 1 if there are any.
    #[arg(long)]
    strict: bool,

    /// JSON for programs: a line for each file.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    loading: Loading,
}

const WARNINGS: u8 = 1;
const ERRORS: u8 = 2;

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    if let Some(model) = &arguments.model {
        let options = arguments.loading.options();
        return graph::check(&arguments.paths, model, &options, arguments.strict, arguments.json, output);
    }
    let (mut files, mut closed) = (Vec::new(), Vec::new());
    for path in &arguments.paths {
        collect(path, &mut files, &mut closed);
    }
    if files.is_empty() && closed.is_empty() {
        let paths: Vec<String> = arguments.paths.iter().map(|path| path.display().to_string()).collect();
        let message = format!("there are no .glb, .gltf or .vrm files in {}", paths.join(", "));
        return Err(Failure::new(message, "give files, or a folder that has some").with_code(ERRORS));
    }
    let write = |report: &Report, output: &mut Output| {
        if arguments.json { output.json(report) } else { report.write(output) }
    };
    let mut verdicts = Vec::with_capacity(files.len() + closed.len());
    for (folder, error) in closed {
        let report = Report::of_closed_folder(&folder, &error);
        write(&report, output)?;
        verdicts.push(report.verdict);
    }
    let bar = progress_bar(files.len());
    let options = arguments.loading.options();
    for path in &files {
        bar.set_message(path.display().to_string());
        let report = Report::of_file(path, &options);
        verdicts.push(report.verdict);
        // To the terminal at once, while the bar is away.
        bar.suspend(|| write(&report, output).and_then(|()| output.flush()))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    if verdicts.len() > 1 && !arguments.json {
        output.line(format_args!("\n{}", summary(&verdicts)))?;
    }
    Ok(if verdicts.iter().any(|verdict| verdict.is_error()) {
        ExitCode::from(ERRORS)
    } else if arguments.strict && verdicts.contains(&Verdict::Warnings) {
        ExitCode::from(WARNINGS)
    } else {
        ExitCode::SUCCESS
    })
}

/// How many files got which verdict; the rarer ones only if there are any.
fn summary(verdicts: &[Verdict]) -> String {
    let number = |of: Verdict| verdicts.iter().filter(|&&verdict| verdict == of).count();
    let is_told =
        |of: &Verdict| matches!(of, Verdict::Fine | Verdict::Warnings | Verdict::Broken) || number(*of) > 0;
    let parts = Verdict::ALL.into_iter().filter(is_told).map(|of| format!("{} {}", number(of), of.words()));
    format!("{}: {}", count(verdicts.len(), "file"), parts.collect::<Vec<_>>().join(", "))
}

/// Adds a file, or the models in a folder and below in the order of their names. Links to folders are not
/// followed: they may lead in circles. A folder that cannot be read does not hide the others.
fn collect(path: &Path, files: &mut Vec<PathBuf>, closed: &mut Vec<(PathBuf, io::Error)>) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let mut folders = vec![path.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        if let Err(error) = look_into(&folder, &mut folders, &mut found) {
            closed.push((folder, error));
        }
    }
    found.sort();
    files.append(&mut found);
}

fn look_into(folder: &Path, folders: &mut Vec<PathBuf>, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            folders.push(path);
        } else if is_model(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    ["glb", "gltf", "vrm"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// A bar on the standard error output, if that is a terminal and there is something to wait for.
fn progress_bar(files: usize) -> ProgressBar {
    if files < 2 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(files as u64).with_style(style)
}
