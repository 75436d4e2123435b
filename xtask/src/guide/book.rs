//! The pages of the guide.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

/// The pages by their paths below `src`, with `/` between folders.
pub(super) struct Book {
    pub(super) folder: PathBuf,
    pub(super) pages: BTreeMap<String, String>,
}

const CONTENTS: &str = "SUMMARY.md";

impl Book {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut pages = BTreeMap::new();
        let mut open = vec![folder.to_owned()];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(&next).with_context(|| format!("{} cannot be read", next.display()))? {
                let path = entry?.path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|extension| extension == "md") {
                    let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
                    pages.insert(name, fs::read_to_string(&path)?);
                }
            }
        }
        Ok(Self { folder: folder.to_owned(), pages })
    }

    /// A page that the table of contents does not name is not in the book.
    pub(super) fn check_contents(&self) -> Result<()> {
        let contents = self.pages.get(CONTENTS).context("docs/guide/src/SUMMARY.md is missing")?;
        for name in self.pages.keys().filter(|name| *name != CONTENTS) {
            ensure!(contents.contains(&format!("({name})")), "SUMMARY.md does not name {name}");
        }
        Ok(())
    }

    /// A page with Rust in it that is not included is not tested.
    pub(super) fn check_doctests(&self, doctests: &str) -> Result<()> {
        for (name, text) in &self.pages {
            let has_rust = text.lines().any(|line| line.trim_start().starts_with("```rust"));
            let is_tested = doctests.contains(&format!("\"src/{name}\""));
            ensure!(!has_rust || is_tested, "docs/guide/lib.rs does not include {name}: its Rust is not run");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(pages: &[(&str, &str)]) -> Book {
        let pages = pages.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Book { folder: PathBuf::new(), pages }
    }

    #[test]
    fn a_page_outside_the_contents_is_an_error() {
        let found = book(&[("SUMMARY.md", "[a](a.md)"), ("a.md", ""), ("b/c.md", "")]);
        assert_eq!(found.check_contents().unwrap_err().to_string(), "SUMMARY.md does not name b/c.md");
    }

    #[test]
    fn rust_that_nobody_runs_is_an_error() {
        let pages = book(&[("a.md", "```rust\n```"), ("b.md", "```text\n```")]);
        assert!(pages.check_doctests("").unwrap_err().to_string().contains("a.md"));
        pages.check_doctests("a: \"src/a.md\",").unwrap();
    }
}
