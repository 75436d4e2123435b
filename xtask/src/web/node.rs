//! npm, the TypeScript compiler, and programs that run in Node.

use std::fs;
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

/// Makes the package's scripts: small, since every visitor waits for them, with maps that lead back to the sources.
pub(super) fn bundle(root: &Path) -> Result<()> {
    println!("esbuild packages/canter");
    let dist = root.join("packages/canter/dist");
    for entry in fs::read_dir(&dist)? {
        let path = entry?.path();
        // What is shared has a hash for a name: the last build's would stay.
        if [".js", ".js.map"].iter().any(|end| path.to_string_lossy().ends_with(end)) {
            fs::remove_file(path)?;
        }
    }
    let sources = ["index", "three", "shaders"].map(|name| format!("packages/canter/src/{name}.ts"));
    let mut arguments = vec!["node_modules/esbuild/bin/esbuild"];
    arguments.extend(sources.iter().map(String::as_str));
    arguments.extend([
        "--bundle",
        "--splitting",
        "--format=esm",
        "--target=es2022",
        "--minify",
        "--sourcemap",
    ]);
    arguments.extend(["--external:three", "--outdir=packages/canter/dist", "--chunk-names=shared-[hash]"]);
    arguments.push("--log-level=warning");
    run(root, &arguments)
}

pub(super) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("node");
    command.current_dir(root).args(arguments);
    finish(command)
}
