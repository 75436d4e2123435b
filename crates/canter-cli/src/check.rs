//! `canter check FILE…`: errors and warnings, with their places.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use canter_gltf::{LoadError, Severity, Warning};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{ERROR, GOOD, NAME, NOTE, Output, WARNING, count, printable};

/// Check glTF files: a list of errors and warnings with their places in the file.
///
/// A warning is about something that breaks the specification and was mended; a note is about something that
/// is not used. The exit code is 0, 1 (warnings, with --strict) or 2 (errors).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter check hero.glb                 One file
  canter check assets/ more/*.gltf      All models in a folder and below, and some more
  canter check --strict assets/         For a build: warnings fail, too")]
pub(crate) struct Arguments {
    /// Files, and folders to be searched for .glb, .gltf and .vrm files.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,

    /// Warnings count: exit with 1 if there are any.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    loading: Loading,
}

const WARNINGS: u8 = 1;
const ERRORS: u8 = 2;

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let (mut files, mut closed) = (Vec::new(), Vec::new());
    for path in &arguments.paths {
        collect(path, &mut files, &mut closed);
    }
    let unreadable = closed.len();
    for (folder, error) in closed {
        report(output, &folder, &Err(format!("cannot read the folder: {error}")))?;
    }
    if files.is_empty() && unreadable == 0 {
        let paths: Vec<String> = arguments.paths.iter().map(|path| path.display().to_string()).collect();
        let message = format!("there are no .glb, .gltf or .vrm files in {}", paths.join(", "));
        return Err(Failure::new(message, "give files, or a folder that has some").with_code(ERRORS));
    }

    let bar = progress_bar(files.len());
    let (mut good, mut with_warnings, mut broken) = (0_usize, 0_usize, unreadable);
    for path in &files {
        bar.set_message(path.display().to_string());
        let result =
            canter_gltf::load_with(path, &arguments.loading.options()).map(|asset| asset.warnings).map_err(|error| without_path(&error));
        match &result {
            Err(_) => broken += 1,
            Ok(warnings) if warnings.iter().any(|warning| warning.severity == Severity::Warning) => {
                with_warnings += 1;
            }
            Ok(_) => good += 1,
        }
        // To the terminal at once, while the bar is away.
        bar.suspend(|| report(output, path, &result).and_then(|()| output.flush()))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    if files.len() + unreadable > 1 {
        let files = count(files.len() + unreadable, "file");
        output
            .line(format_args!("\n{files}: {good} fine, {with_warnings} with warnings, {broken} broken"))?;
    }
    Ok(match (broken, with_warnings) {
        (1.., _) => ExitCode::from(ERRORS),
        (0, 1..) if arguments.strict => ExitCode::from(WARNINGS),
        _ => ExitCode::SUCCESS,
    })
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

/// The heading of the file says the path already.
fn without_path(error: &LoadError) -> String {
    match error {
        LoadError::Read { source, .. } => format!("cannot be read: {source}"),
        error => error.to_string(),
    }
}

fn report(output: &mut Output, path: &Path, result: &Result<Vec<Warning>, String>) -> io::Result<()> {
    let path = printable(&path.display().to_string());
    let line = |output: &mut Output, style: anstyle::Style, kind: &str, text: &str| {
        output.line(format_args!("  {style}{kind}{style:#}: {}", printable(text)))
    };
    let warnings = match result {
        Ok(warnings) => warnings,
        Err(error) => {
            output.line(format_args!("{NAME}{path}{NAME:#}: {ERROR}broken{ERROR:#}"))?;
            return line(output, ERROR, "error", error);
        }
    };
    let number = |severity| warnings.iter().filter(|warning| warning.severity == severity).count();
    let mut verdict = match number(Severity::Warning) {
        0 => format!("{GOOD}fine{GOOD:#}"),
        warnings => format!("{WARNING}{}{WARNING:#}", count(warnings, "warning")),
    };
    if number(Severity::Note) > 0 {
        verdict += &format!(", {}", count(number(Severity::Note), "note"));
    }
    output.line(format_args!("{NAME}{path}{NAME:#}: {verdict}"))?;
    for warning in warnings {
        let (style, kind) = match warning.severity {
            Severity::Warning => (WARNING, "warning"),
            Severity::Note => (NOTE, "note"),
        };
        line(output, style, kind, &warning.to_string())?;
    }
    Ok(())
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
