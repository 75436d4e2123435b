//! `cargo xtask test`: everything that must hold before a change lands.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

/// The steps in order: quick answers first.
const STEPS: &[(&str, &[&str])] = &[
    ("format", &["fmt", "--all", "--check"]),
    (
        "lints",
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--",
            "-Dwarnings",
        ],
    ),
    (
        "lints, core as it comes",
        &[
            "clippy",
            "-p",
            "canter",
            "--all-targets",
            "--",
            "-Dwarnings",
        ],
    ),
    ("tests", &["test", "--workspace", "--all-features"]),
];

pub(crate) fn run(_arguments: &[String]) -> Result<()> {
    for (name, arguments) in STEPS {
        println!("\n== {name}: cargo {}", arguments.join(" "));
        let start = Instant::now();
        let status = Command::new("cargo")
            .args(*arguments)
            .status()
            .context("cargo does not start")?;
        if !status.success() {
            bail!("{name}: cargo {} failed", arguments.join(" "));
        }
        println!("== {name}: {:.1} s", start.elapsed().as_secs_f32());
    }
    Ok(())
}
