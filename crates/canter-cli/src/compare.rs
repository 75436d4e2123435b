//! `canter compare A B`: how far the clips of two files are apart.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{Output, name_or_dash};
use crate::table::{self, Table};

/// Tell how far the clips of two files are apart, in millimetres: what a tool that made one of the other changed.
///
/// Measured in double precision at points 3 cm around every joint that both files have by name, at keys and at
/// three times between any two. A unit is a metre, as glTF says.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter compare hero.glb small.glb              Each clip, and the joint that is farthest off
  canter compare hero.glb small.glb --json | jq .error_mm")]
pub(crate) struct Arguments {
    /// The original.
    file: PathBuf,

    /// What became of it.
    other: PathBuf,

    /// The unit of both files, in metres.
    #[arg(long, value_name = "METRES", default_value_t = 1.0, value_parser = crate::optimize::positive)]
    unit: f64,

    /// JSON for programs instead of a table for people.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    loading: Loading,
}

#[derive(Serialize)]
struct Comparison {
    /// The largest of all clips.
    error_mm: f64,
    clips: Vec<ClipFacts>,
}

#[derive(Serialize)]
struct ClipFacts {
    name: String,
    error_mm: Option<f64>,
    joint: String,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let options = arguments.loading.options().without_images();
    let asset = embedded::asset(&arguments.file, &options)?;
    let other = embedded::asset(&arguments.other, &options)?;
    let clips = canter_gltf::compare(&asset, &other, arguments.unit);
    let facts = clips.into_iter().map(|clip| ClipFacts {
        name: clip.name,
        error_mm: clip.error_mm,
        joint: clip.joint,
    });
    let clips: Vec<ClipFacts> = facts.collect();
    let error_mm = clips.iter().filter_map(|clip| clip.error_mm).fold(0.0, f64::max);
    let comparison = Comparison { error_mm, clips };
    if arguments.json {
        output.json(&comparison)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(["clip", "error in mm", "joint"]);
    for clip in &comparison.clips {
        let error = clip.error_mm.map_or_else(|| "-".to_owned(), |error| format!("{error:.4}"));
        table.row([name_or_dash(Some(&clip.name)), error, name_or_dash(Some(&clip.joint))]);
    }
    table::section(output, "Clips", &table)?;
    output.line(format_args!("\nAt most {error_mm:.4} mm apart"))?;
    Ok(ExitCode::SUCCESS)
}
