//! `canter inspect FILE`: what is in a file.

mod motion;
mod summary;
mod text;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::Output;
pub(crate) use motion::Motion;
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
                                                 How fast each clip walks, and when feet come down")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` and `sword` are part of the program.
    file: PathBuf,

    /// Show the nodes as a tree.
    #[arg(long)]
    tree: bool,

    /// JSON for programs instead of tables for people.
    #[arg(long, conflicts_with = "tree")]
    json: bool,

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let asset = embedded::asset(&arguments.file, &arguments.loading.options())?;
    let summary = Summary::new(&arguments.file, &asset);
    if arguments.json {
        output.json(&summary)?;
        return Ok(ExitCode::SUCCESS);
    }
    text::write(&summary, output)?;
    if arguments.tree {
        tree::write(&asset, output)?;
    }
    Ok(ExitCode::SUCCESS)
}
