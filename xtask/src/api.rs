//! `cargo xtask api`: writes down what each library offers to others, so that a change of it is seen.
//!
//! `crates/NAME/api.txt` has the signatures of all that `lib.rs` exports. The sources are read as they are:
//! what a macro of ours would make is not seen, and features are not told apart.

mod surface;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    match arguments {
        [] => write(&root),
        [check] if check == "--check" => check_all(&root),
        _ => bail!("expected nothing or --check"),
    }
}

fn write(root: &Path) -> Result<()> {
    for library in libraries(root)? {
        let path = library.join("api.txt");
        let text = surface::describe(&library)?;
        if fs::read_to_string(&path).unwrap_or_default() != text {
            fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
            println!("{}", path.display());
        }
    }
    Ok(())
}

/// Fails if a library offers something else than is written down, and shows what.
pub(crate) fn check_all(root: &Path) -> Result<()> {
    let mut changed = Vec::new();
    for library in libraries(root)? {
        let known = fs::read_to_string(library.join("api.txt")).unwrap_or_default();
        let changes = changes(&known, &surface::describe(&library)?);
        if !changes.is_empty() {
            println!("{}", library.display());
            changes.iter().for_each(|line| println!("  {line}"));
            changed.push(library.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    bail!("the public API of {} has changed; if that is meant: cargo xtask api", changed.join(", "))
}

/// The folders of the crates that others can depend on.
fn libraries(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("crates")).context("there is no folder crates")? {
        let folder = entry?.path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        // What is only there to become a module for the web offers nothing to Rust.
        if folder.join("src/lib.rs").exists() && !manifest.contains("publish = false") {
            found.push(folder);
        }
    }
    found.sort();
    Ok(found)
}

/// The lines that only one of two texts has.
fn changes(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut changes = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        match (old.get(i), new.get(j)) {
            (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
            // Whichever side comes back to the other sooner has the lines that are odd.
            (a, b) => {
                let gone = a.and_then(|a| new[j..].iter().position(|line| line == a));
                let come = b.and_then(|b| old[i..].iter().position(|line| line == b));
                let is_new = match (gone, come) {
                    (Some(after), Some(before)) => after <= before,
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (None, None) => a.is_none(),
                };
                if let (true, Some(line)) = (is_new, b) {
                    changes.push(format!("+ {line}"));
                    j += 1;
                } else if let Some(line) = a {
                    changes.push(format!("- {line}"));
                    i += 1;
                }
            }
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_the_lines_that_one_side_has() {
        assert!(changes("a\nb\nc", "a\nb\nc").is_empty());
        assert_eq!(changes("a\nb\nc", "a\nx\nb\nc"), ["+ x"]);
        assert_eq!(changes("a\nb\nc", "a\nc"), ["- b"]);
        assert_eq!(changes("a\nb\nc", "a\nx\nc"), ["- b", "+ x"]);
        assert_eq!(changes("", "a\nb"), ["+ a", "+ b"]);
        assert_eq!(changes("a\nb", ""), ["- a", "- b"]);
    }
}
