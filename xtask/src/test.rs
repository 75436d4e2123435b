//! `cargo xtask test`: everything that must hold before a change lands.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::{api, assets, documents, driver, guide, licences, msrv, web};

/// A named part of the whole.
struct Step {
    name: &'static str,
    run: fn(&Path) -> Result<()>,
}

/// In order: quick answers first.
const STEPS: &[Step] = &[
    Step { name: "documents", run: documents::check },
    Step { name: "api", run: api::check_all },
    Step { name: "format", run: |root| cargo(root, "fmt --all --check") },
    Step { name: "licences", run: licences::check },
    Step { name: "lints", run: lints },
    Step { name: "msrv", run: msrv::check },
    Step { name: "docs", run: docs },
    Step { name: "tests", run: tests },
    Step { name: "web", run: web::test },
    Step { name: "assets", run: |_| assets::run(&["--check".to_owned()]) },
];

pub(crate) fn run(wanted: &[String]) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("there is no step \"{unknown}\"; the steps are {}", names.join(", "));
    }
    let start = Instant::now();
    for step in STEPS.iter().filter(|step| wanted.is_empty() || wanted.iter().any(|name| name == step.name)) {
        println!("\n== {}", step.name);
        let step_start = Instant::now();
        (step.run)(&root).with_context(|| format!("step \"{}\" failed", step.name))?;
        println!("== {}: {:.0} s", step.name, step_start.elapsed().as_secs_f32());
    }
    println!("\nAll is well, after {:.0} s.", start.elapsed().as_secs_f32());
    Ok(())
}

/// The features of the core each by itself, the crates that have default features without these, then everything
/// at once. Tests need the default features; those of the core are linted without any, too.
fn lints(root: &Path) -> Result<()> {
    cargo(root, "clippy -p canter --all-targets -- -Dwarnings")?;
    for feature in ["serde", "bytemuck", "rayon"] {
        cargo(root, &format!("clippy -p canter --features={feature} -- -Dwarnings"))?;
    }
    for name in ["canter-gltf", "canter-wgpu", "canter-cli"] {
        cargo(root, &format!("clippy -p {name} --no-default-features -- -Dwarnings"))?;
    }
    cargo(root, "clippy --workspace --all-targets --all-features -- -Dwarnings")
}

fn docs(root: &Path) -> Result<()> {
    let mut command = cargo_command(root, "doc --workspace --no-deps --all-features");
    command.env("RUSTDOCFLAGS", "-Dwarnings");
    finish(command)?;
    // Pages of the API are there now, which the guide links to.
    guide::build(root)
}

/// Allocations without features, too: a crowd is then updated on one thread, which some of these tests rely on.
fn tests(root: &Path) -> Result<()> {
    driver::install();
    cargo(root, "test -p canter --test allocations --test soak")?;
    cargo(root, "test --workspace --all-features")?;
    // The optimiser must not change a bit.
    cargo(root, "test --release -p canter-examples --test same_bits")
}

fn cargo(root: &Path, arguments: &str) -> Result<()> {
    finish(cargo_command(root, arguments))
}

fn cargo_command(root: &Path, arguments: &str) -> Command {
    println!("cargo {arguments}");
    let mut command = Command::new("cargo");
    command.current_dir(root).args(arguments.split(' '));
    command
}

pub(crate) fn finish(mut command: Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{program} does not start"))?;
    if !status.success() {
        bail!("{program} {:?} ended with {status}", command.get_args().collect::<Vec<_>>());
    }
    Ok(())
}
