//! Checks of what people read: that the architecture names every crate, and that files stay short.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

/// A file this long is more than one noun.
const MOST_LINES: usize = 600;

pub(crate) fn check(root: &Path) -> Result<()> {
    let architecture = read(&root.join("ARCHITECTURE.md"))?;
    let readme = read(&root.join("README.md"))?;
    for name in crates(root)? {
        ensure!(
            architecture.contains(&format!("`crates/{name}`")),
            "ARCHITECTURE.md does not name crates/{name}"
        );
        // The helpers of the tests are nothing for those who use Canter.
        let is_linked = name == "canter-testing" || readme.contains(&format!("(crates/{name})"));
        ensure!(is_linked, "README.md does not link crates/{name}");
    }
    let example = read(&root.join("examples/first.rs"))?;
    let code = example.split_once("\n\n").map_or("", |(_, code)| code);
    ensure!(readme.contains(code), "the first example of README.md is not that of examples/first.rs");
    for folder in ["crates", "assets/generator", "xtask", "examples"] {
        for file in sources(&root.join(folder))? {
            let lines = read(&file)?.lines().count();
            ensure!(lines <= MOST_LINES, "{} has {lines} lines; split it below {MOST_LINES}", file.display());
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

fn crates(root: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(root.join("crates")).context("there is no folder crates")?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.path().join("Cargo.toml").exists() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// All Rust sources below a folder.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(architecture: &str, lines: usize) -> PathBuf {
        let root = std::env::temp_dir().join(format!("canter-documents-{}-{lines}", std::process::id()));
        for folder in ["crates/some/src", "assets/generator", "xtask", "examples"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("crates/some/Cargo.toml"), "").unwrap();
        fs::write(root.join("crates/some/src/lib.rs"), "\n".repeat(lines)).unwrap();
        fs::write(root.join("ARCHITECTURE.md"), architecture).unwrap();
        fs::write(root.join("README.md"), "[some](crates/some)\n```rust\nfn main() {}\n```").unwrap();
        fs::write(root.join("examples/first.rs"), "//! First.\n\nfn main() {}\n").unwrap();
        root
    }

    #[test]
    fn a_crate_that_the_architecture_misses_is_an_error() {
        let root = tree("nothing", 1);
        assert_eq!(check(&root).unwrap_err().to_string(), "ARCHITECTURE.md does not name crates/some");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_long_file_is_an_error() {
        let root = tree("`crates/some`", 601);
        assert!(check(&root).unwrap_err().to_string().contains("601 lines"));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_is_in_order_passes() {
        let root = tree("`crates/some`", 600);
        check(&root).unwrap();
        fs::remove_dir_all(root).unwrap();
    }
}
