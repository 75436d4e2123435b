//! Animation graphs and the models that they are for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use canter_gltf::{Asset, LoadOptions};
use canter_graph::Graph;
use serde::Serialize;

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
    canter_gltf::load_with(model, options).map_err(|error| Failure::load(model, &error))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| {
        Failure::new(format!("cannot read {}: {error}", path.display()), "is the path right?").with_code(2)
    })
}

/// Reads a graph for a model.
pub(crate) fn load_graph(path: &Path, asset: &Asset) -> Result<Graph, Failure> {
    Graph::from_json(&read(path)?, &asset.skeleton, &asset.clips).map_err(|error| {
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
        match Graph::from_json(&read(path)?, &asset.skeleton, &asset.clips) {
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
