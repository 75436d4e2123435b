//! npm, the TypeScript compiler, and programs that run in Node.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::progress;
use crate::test::finish;

/// Installs the tools of the project's package-lock.json, unless they are there.
pub(super) fn install(root: &Path) -> Result<()> {
    npm(root, &["ci", "--silent"])
}

/// Has npm install what a folder's package-lock.json says, unless it is there.
fn npm(folder: &Path, arguments: &[&str]) -> Result<()> {
    let age = |path: &str| folder.join(path).metadata().and_then(|file| file.modified());
    if let (Ok(installed), Ok(locked)) = (age("node_modules/.package-lock.json"), age("package-lock.json"))
        && installed >= locked
    {
        return Ok(());
    }
    progress::say(&format!("npm {} ({})", arguments[0], folder.display()));
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    command.current_dir(folder).args(arguments);
    finish(command).context("the tools of package-lock.json cannot be installed; is Node 20 or newer there?")
}

/// Installs the bundlers that tests build with, or another list of tools in a folder of `web`, apart from all else:
/// where others than these look for packages, there must be none of theirs.
pub(super) fn install_apart(root: &Path, list: &str) -> Result<()> {
    let folder = root.join("target/web").join(list);
    fs::create_dir_all(&folder)?;
    for name in ["package.json", "package-lock.json"] {
        let wanted = fs::read(root.join("web").join(list).join(name))?;
        // What is the same keeps its age, by which `install` decides.
        if fs::read(folder.join(name)).ok().as_ref() != Some(&wanted) {
            fs::write(folder.join(name), wanted)?;
        }
    }
    // Not `npm ci`: the bundlers' parts for other systems are not in the lock file, which it takes for a fault.
    npm(&folder, &["install", "--no-save", "--silent"])
}

/// Compiles the TypeScript of a folder, as its tsconfig.json says.
pub(super) fn compile(root: &Path, folder: &str) -> Result<()> {
    progress::say(&format!("tsc -p {folder}"));
    run(root, &["node_modules/typescript/bin/tsc", "-p", folder])
}

pub(super) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("node");
    command.current_dir(root).args(arguments);
    finish(command)
}
