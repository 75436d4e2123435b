//! `cargo xtask bench`: Canter and its peers side by side, written to `docs/performance.md`.

mod document;
mod plot;
mod report;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde::de::DeserializeOwned;

use document::Web;
use report::{Report, Row};

/// `canter/three` beside three's own mixer: prints a table, and the machine.
const THREE_BENCH: &str = "web/bench/three-adapter.mjs";

/// Crowds whose members are mostly far away: prints a table, and the machine.
const FAR_BENCH: &str = "web/bench/crowd-rates.mjs";
/// What a visitor downloads: prints a line for each module.
const SIZES: &str = "web/size.mjs";

/// The JavaScript half: prints rows as the Rust half does, `[{ tracks, characters, nanos: [{ name, nanos }]
/// }]`.
const WEB_BENCH: &str = "web/bench/report.mjs";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if let Some(unknown) = arguments.first() {
        bail!("cargo xtask bench takes no arguments; found \"{unknown}\"");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    // Compilers run before anything is measured.
    let has_node = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok();
    if has_node {
        crate::web::build(&root)?;
    } else {
        println!("Node.js is not there: the JavaScript half is left out");
    }
    let report = peers(&root)?;
    let web = if has_node {
        Some(Web {
            rows: web(&root)?,
            three: node(&root, THREE_BENCH)?,
            far: node(&root, FAR_BENCH)?,
            sizes: node(&root, SIZES)?,
        })
    } else {
        None
    };
    let docs = root.join("docs");
    for sizes in &report.sizes {
        fs::write(docs.join(plot::file_name(sizes)), plot::svg(sizes))?;
    }
    let lock = fs::read_to_string(root.join("benches/peers/Cargo.lock"))?;
    let package = fs::read_to_string(root.join("package.json"))?;
    let document = docs.join("performance.md");
    let tables = Tables { memory: core_table(&root, "library")?, layers: core_table(&root, "counts")? };
    fs::write(&document, document::write(&report, web.as_ref(), &tables, &lock, &package))?;
    println!("wrote {}", document.display());
    Ok(())
}

/// Builds and runs the crate of the Rust peers, which is outside of the workspace.
fn peers(root: &Path) -> Result<Report> {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["run", "--release", "--locked", "--manifest-path"]);
    command.arg(root.join("benches/peers/Cargo.toml")).arg("--target-dir").arg(root.join("target/peers"));
    json(command)
}

/// Tables that the core's benchmark prints.
struct Tables {
    /// What clips take, packed and not.
    memory: String,
    /// What layers and kinds of fades cost.
    layers: String,
}

fn core_table(root: &Path, which: &str) -> Result<String> {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["bench", "-p", "canter", "--bench", "crossfade", "--", which]);
    let text = printed(command)?;
    Ok(text.lines().filter(|line| line.starts_with('|')).collect::<Vec<_>>().join("\n"))
}

/// What a script prints, with the package that was built.
fn node(root: &Path, script: &str) -> Result<String> {
    let mut command = Command::new("node");
    command.current_dir(root).arg(script);
    printed(command)
}

/// What a program prints; its progress goes to the terminal.
fn printed(mut command: Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("{program} does not start"))?;
    ensure!(output.status.success(), "{program} ended with {}", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the JavaScript half with the package that was built.
fn web(root: &Path) -> Result<Vec<Row>> {
    let mut command = Command::new("node");
    command.current_dir(root).args([WEB_BENCH, "--json"]);
    json(command)
}

/// What a program prints as JSON.
fn json<T: DeserializeOwned>(command: Command) -> Result<T> {
    let program = command.get_program().to_string_lossy().into_owned();
    serde_json::from_str(&printed(command)?).with_context(|| format!("{program} printed no report"))
}
