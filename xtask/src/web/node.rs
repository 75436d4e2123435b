//! npm, the TypeScript compiler, and programs that run in Node.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::test::finish;

/// Installs the tools of package-lock.json, unless they are there.
pub(super) fn install(root: &Path) -> Result<()> {
    let age = |path: &str| root.join(path).metadata().and_then(|file| file.modified());
    if let (Ok(installed), Ok(locked)) = (age("node_modules/.package-lock.json"), age("package-lock.json"))
        && installed >= locked
    {
        return Ok(());
    }
    println!("npm ci");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    command.current_dir(root).args(["ci", "--silent"]);
    finish(command).context("the tools of package-lock.json cannot be installed; is Node 20 or newer there?")
}

/// Compiles the TypeScript of a folder, as its tsconfig.json says.
pub(super) fn compile(root: &Path, folder: &str) -> Result<()> {
    println!("tsc -p {folder}");
    run(root, &["node_modules/typescript/bin/tsc", "-p", folder])
}

pub(super) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("node");
    command.current_dir(root).args(arguments);
    finish(command)
}
