//! `canter check FILE…`: errors and warnings, with their places.

mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::batch::{Batch, Nothing, Verdict};
use crate::failure::Failure;
use crate::graph;
use crate::loading::Loading;
use crate::output::Output;
use report::Report;

/// Check glTF files: a list of errors and warnings with their places in the file.
///
/// A warning is about something that breaks the specification and was mended; a note is about something that
/// is not used. The exit code is 0, 1 (warnings, with --strict), 2 (errors) or 3 (it could not run).
///
/// A file with errors is broken, not supported (another version of glTF, or required extensions that are not
/// supported and could move something), not found or unreadable.
#[derive(Debug, Args)]
#[command(after_help = "\
The JSON, one line for each file:
  path           the path
  verdict        fine, warnings, not-supported, broken, not-found or unreadable
  errors, warnings, notes
                 what was found: code (such as weights-sum), place in the file, message

Examples:
  canter check hero.glb                 One file
  canter check assets/ more/*.gltf      All models in a folder and below, and some more
  canter check --strict assets/         For a build: warnings fail, too
  canter check hero.graph.json --model hero.glb
                                        An animation graph, with the model that it is for
  canter check --json assets/ | jq -c '.warnings[]? | [.code, .place]'
                                        For a program
  find /library -name '*.glb' | canter check --files-from - --log checked.jsonl --resume
                                        A library; what is in the log is not checked again")]
pub(crate) struct Arguments {
    #[command(flatten)]
    batch: Batch,

    /// The files are animation graphs, for this model.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files_from", "log"])]
    model: Option<PathBuf>,

    /// Warnings count: exit with 1 if there are any.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    loading: Loading,
}

const WARNINGS: u8 = 1;

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let batch = &arguments.batch;
    let options = arguments.loading.options();
    if let Some(model) = &arguments.model {
        return graph::check(&batch.paths, model, &options, arguments.strict, batch.json, output);
    }
    let work = |path: &Path| Report::of_file(path, &options);
    let tally = batch.run(&batch.files()?, output, work, |_| ())?;
    let always = [Verdict::Fine, Verdict::Warnings, Verdict::Broken];
    let code = batch.summarize(&tally, output, &always, (Nothing {}, ""))?;
    let has_only_warnings = !tally.has_failures() && tally.number(Verdict::Warnings) > 0;
    Ok(if arguments.strict && has_only_warnings { ExitCode::from(WARNINGS) } else { code })
}
