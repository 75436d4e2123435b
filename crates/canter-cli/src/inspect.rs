//! `canter inspect FILE`: what is in a file.

mod motion;
mod summary;
mod text;
mod tree;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use canter_gltf::{LoadError, LoadOptions};
use clap::Args;
use serde::Serialize;

use crate::batch::{self, Batch, COULD_NOT_RUN, Record, SOME_FAILED};
use crate::embedded;
use crate::failure::Failure;
use crate::output::{ERROR, NAME, Output, count, printable};
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
                                                 How fast each clip walks, and when feet come down
  canter inspect assets/ --json | jq -r 'select(.skins != []) | .file.path'
                                                 The models of a folder that have skins

`hero` and `sword` are part of the program.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    batch: Batch,

    /// Show the nodes as a tree.
    #[arg(long, conflicts_with_all = ["json", "log"])]
    tree: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let batch = &arguments.batch;
    let Some(file) = batch.single().filter(|_| !batch.has_log()) else { return run_all(batch, output) };
    let asset = embedded::asset(file, &LoadOptions::default());
    let asset = asset.map_err(|failure| failure.with_code(SOME_FAILED))?;
    let summary = Summary::new(file, &asset);
    if batch.json {
        output.json(&summary)?;
        return Ok(ExitCode::SUCCESS);
    }
    text::write(&summary, output)?;
    if arguments.tree {
        tree::write(&asset, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Many files, for programs.
fn run_all(batch: &Batch, output: &mut Output) -> Result<ExitCode, Failure> {
    if !batch.is_for_programs() {
        let message = "the tables of several files would not tell which is which";
        return Err(Failure::new(message, "add --json, or inspect one file").with_code(COULD_NOT_RUN));
    }
    let files = batch.files()?;
    let mut failed = files.closed.len();
    for (folder, error) in &files.closed {
        output.json(&Facts::failed(folder, format!("cannot read the folder: {error}"), true))?;
    }
    batch.run(&files, output, Facts::of, |facts| failed += usize::from(facts.error.is_some()))?;
    let summary = serde_json::json!({ "files": files.len(), "failed": failed });
    let text = format!("{}: {failed} failed", count(files.len(), "file"));
    batch.summarize(&files, output, &summary, &text)?;
    Ok(batch::exit_code(failed))
}

/// The facts about one file of many, or why there are none.
#[derive(Serialize)]
struct Facts {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    summary: Option<serde_json::Value>,
    #[serde(skip)]
    is_open: bool,
}

impl Facts {
    fn of(path: &Path) -> Self {
        match canter_gltf::load(path) {
            Ok(asset) => Self {
                path: path.to_string_lossy().into_owned(),
                error: None,
                summary: serde_json::to_value(Summary::new(path, &asset)).ok(),
                is_open: false,
            },
            Err(error) => Self::failed(path, error.to_string(), matches!(error, LoadError::Read { .. })),
        }
    }

    fn failed(path: &Path, error: String, is_open: bool) -> Self {
        Self { path: path.to_string_lossy().into_owned(), error: Some(error), summary: None, is_open }
    }
}

impl Record for Facts {
    fn is_open(&self) -> bool {
        self.is_open
    }

    fn write(&self, output: &mut Output) -> io::Result<()> {
        let error = self.error.as_deref().unwrap_or("");
        output.line(format_args!(
            "{NAME}{}{NAME:#}: {ERROR}{}{ERROR:#}",
            printable(&self.path),
            printable(error)
        ))
    }
}
