//! Animation graphs and the models that they are for.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use canter_gltf::{Asset, LoadOptions};
use canter_graph::{Graph, GraphData, GraphError};
use canter_rig::mirror;
use serde::Serialize;

use crate::embedded;
use crate::failure::Failure;
use crate::output::{ERROR, GOOD, Output, WARNING, printable};

/// What was found in a graph.
#[derive(Serialize)]
struct Report {
    path: String,
    verdict: &'static str,
    errors: Vec<String>,
    warnings: Vec<String>,
}

/// Loads the model that a graph is for.
pub(crate) fn load_model(model: &Path, options: &LoadOptions) -> Result<Asset, Failure> {
    embedded::asset(model, options)
}

fn read(path: &Path) -> Result<String, Failure> {
    embedded::graph(path).map_err(|error| {
        Failure::new(format!("cannot read {}: {error}", path.display()), "is the path right?").with_code(2)
    })
}

/// With a mirror by the names of joints, for states that play left for right.
fn build(json: &str, asset: &Asset) -> Result<Graph, GraphError> {
    let mirror = mirror::find(&asset.skeleton);
    Graph::with_mirror(GraphData::from_json(json)?, &asset.skeleton, &asset.clips, |clip| {
        mirror::clip(mirror.as_ref().map_err(Clone::clone)?, clip)
    })
}

/// Reads a graph for a model.
pub(crate) fn load_graph(path: &Path, asset: &Asset) -> Result<Graph, Failure> {
    build(&read(path)?, asset).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        Failure::new(message, "the format is in crates/canter-graph/graph.schema.json").with_code(2)
    })
}

/// `canter check GRAPH… --model FILE`.
pub(crate) fn check(
    paths: &[PathBuf],
    model: &Path,
    options: &LoadOptions,
    is_strict: bool,
    json: bool,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let asset = load_model(model, options)?;
    let mut worst = 0;
    for path in paths {
        let mut report = Report {
            path: path.display().to_string(),
            verdict: "fine",
            errors: Vec::new(),
            warnings: Vec::new(),
        };
        match build(&read(path)?, &asset) {
            Ok(graph) => report.warnings.extend(graph.warnings().iter().map(ToString::to_string)),
            Err(error) => report.errors.push(error.to_string()),
        }
        if !report.errors.is_empty() {
            (report.verdict, worst) = ("broken", 2);
        } else if !report.warnings.is_empty() {
            (report.verdict, worst) = ("warnings", worst.max(u8::from(is_strict)));
        }
        if json {
            output.json(&report)?;
            continue;
        }
        let style = match report.verdict {
            "fine" => GOOD,
            "broken" => ERROR,
            _ => WARNING,
        };
        output.line(format_args!("{style}{}{style:#}  {}", report.verdict, printable(&report.path)))?;
        for error in &report.errors {
            output.line(format_args!("  {ERROR}error{ERROR:#}: {}", printable(error)))?;
        }
        for warning in &report.warnings {
            output.line(format_args!("  {WARNING}warning{WARNING:#}: {}", printable(warning)))?;
        }
    }
    Ok(ExitCode::from(worst))
}
