//! `cargo xtask guide --pictures`: what the pages show, drawn by `canter render`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::test::finish;

/// A picture that is larger does not belong into a repository.
const MOST_BYTES: u64 = 500_000;

/// One picture per line of the list: its name, then the arguments of `canter render`.
pub(super) fn draw(root: &Path) -> Result<()> {
    let list = fs::read_to_string(root.join("docs/guide/pictures.txt"))?;
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, arguments) =
            line.split_once(' ').with_context(|| format!("{line}: a name, then arguments"))?;
        let path = root.join("docs/guide/src/pictures").join(name);
        let mut command = Command::new("cargo");
        // On the CPU: the same bytes everywhere.
        command.current_dir(root).args(["run", "--quiet", "-p", "canter-cli", "--", "render"]);
        command.args(arguments.split_whitespace()).arg("--software").arg("-o").arg(&path);
        finish(command)?;
        let bytes = path.metadata()?.len();
        ensure!(bytes <= MOST_BYTES, "{name} has {bytes} bytes; make it smaller than {MOST_BYTES}");
    }
    Ok(())
}
