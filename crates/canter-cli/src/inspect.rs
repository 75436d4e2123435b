//! `canter inspect FILE`: what is in a file.

mod motion;
mod record;
mod summary;
mod text;
mod tree;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use crate::batch::{Batch, COULD_NOT_RUN, Nothing, SOME_FAILED, Verdict};
use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::Output;
pub(crate) use motion::Motion;
use record::Facts;
use summary::Summary;

/// Show what is in a file: nodes, skins, clips with their markers and root motion, meshes, materials,
/// extensions, sizes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter inspect hero.glb                        Tables of what is in it
  canter inspect hero.glb --tree                 The tree of its nodes, too, with joints and meshes marked
  canter inspect hero.glb --json | jq '.clips[].name'
  canter inspect hero.glb --json | jq '.clips[] | {name, ground_speed, markers}'
                                                 How fast each clip walks, and when feet come down
  canter inspect assets/ --json | jq -r 'select(.skins[0]) | .path'
                                                 The models of a folder that have skins

`hero` and `sword` are part of the program.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    batch: Batch,

    /// Show the nodes as a tree.
    #[arg(long, conflicts_with_all = ["json", "log"])]
    tree: bool,

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let batch = &arguments.batch;
    let Some(file) = batch.single().filter(|_| !batch.is_for_programs()) else {
        return run_all(arguments, output);
    };
    let asset = embedded::asset(file, &arguments.loading.options());
    let asset = asset.map_err(|failure| failure.with_code(SOME_FAILED))?;
    text::write(&Summary::new(file, &asset), output)?;
    if arguments.tree {
        tree::write(&asset, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// For programs, and many files.
fn run_all(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let batch = &arguments.batch;
    if !batch.is_for_programs() {
        let message = match batch.only_folder() {
            Some(folder) => {
                format!("{} is a folder; there are tables of one file at a time", folder.display())
            }
            None => "there are tables of one file at a time".to_owned(),
        };
        return Err(Failure::new(message, "add --json, or inspect one file").with_code(COULD_NOT_RUN));
    }
    let options = arguments.loading.options();
    let tally = batch.run(&batch.files()?, output, |path: &Path| Facts::of(path, &options), |_| ())?;
    batch.summarize(&tally, output, &[Verdict::Fine], (Nothing {}, ""))
}
