//! Links that lead nowhere: to pages, places on pages, files, and pages of the API.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use super::book::Book;

/// All dead links of the guide, and of the crates' documentation to the guide.
pub(super) fn faults(root: &Path, book: &Book) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (name, text) in &book.pages {
        for target in targets(text) {
            if let Some(fault) = fault(root, book, name, &target) {
                faults.push(format!("{name}: ({target}) {fault}"));
            }
        }
    }
    for entry in std::fs::read_dir(root.join("crates"))? {
        let path = entry?.path().join("src/lib.rs");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for target in targets(&text).iter().filter_map(|target| target.strip_prefix("../guide/")) {
            if let Some(fault) = fault(root, book, "index.md", &target.replace(".html", ".md")) {
                faults.push(format!("{}: ({target}) {fault}", path.display()));
            }
        }
    }
    Ok(faults)
}

/// Why a link of a page is dead.
fn fault(root: &Path, book: &Book, page: &str, target: &str) -> Option<String> {
    if target.starts_with("https://") || target.starts_with("http://") {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let name = if path.is_empty() { Some(page.to_owned()) } else { resolve(page, path) };
    let Some(name) = name else { return api_fault(root, page, path) };
    match (book.pages.get(&name), anchor) {
        (Some(text), Some(anchor)) if !anchors(text).contains(anchor) => {
            Some(format!("there is no #{anchor}"))
        }
        (None, _) if !book.folder.join(&name).is_file() => Some("there is no such page or file".to_owned()),
        _ => None,
    }
}

/// What lies above the guide is `target/doc` when it is built. Its pages are there once `cargo doc` has run, which
/// the tests do before; a crate's name is checked without.
fn api_fault(root: &Path, page: &str, path: &str) -> Option<String> {
    let depth = page.split('/').count();
    let outside = path.strip_prefix(&"../".repeat(depth)).filter(|rest| !rest.starts_with(".."));
    let Some(outside) = outside else { return Some("leads out of the book".to_owned()) };
    let crate_name = outside.split('/').next().unwrap_or_default().replace('_', "-");
    // The reference of the npm package is no crate.
    if crate_name != "typescript" && !root.join("crates").join(&crate_name).is_dir() {
        return Some(format!(
            "there is no crate {crate_name}; name other files of the repository without a link"
        ));
    }
    let doc = root.join("target/doc");
    let is_built = doc.join(outside.split('/').next().unwrap_or_default()).join("index.html").is_file();
    (is_built && !doc.join(outside).is_file()).then(|| "the API has no such page".to_owned())
}

/// A path from a page, as a name below the book's folder; none if it leads out of it.
fn resolve(page: &str, path: &str) -> Option<String> {
    let joined = Path::new(page).parent().unwrap_or(Path::new("")).join(path);
    let mut parts = PathBuf::new();
    for component in joined.components() {
        match component {
            Component::ParentDir if !parts.pop() => return None,
            Component::Normal(part) => parts.push(part),
            _ => {}
        }
    }
    Some(parts.to_string_lossy().replace('\\', "/"))
}

/// The targets of `[text](target)` outside of code, and of pictures in HTML.
fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        for attribute in ["src=\"", "srcset=\""] {
            found.extend(
                line.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned),
            );
        }
        let mut rest = line.as_str();
        while let Some(start) = rest.find("](") {
            rest = &rest[start + 2..];
            let end = rest.find(')').unwrap_or(rest.len());
            found.push(rest[..end].split_whitespace().next().unwrap_or_default().to_owned());
            rest = &rest[end..];
        }
    }
    found
}

/// The lines outside of fenced code, with inline code taken out.
fn prose(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().trim_start_matches("//!").trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line.split('`').step_by(2).collect::<Vec<_>>().join("`"));
        }
    }
    lines
}

/// Places on a page, named as mdBook names them: words of headings, with `-` between.
fn anchors(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let slug: String = title
            .trim()
            .chars()
            .filter_map(|letter| match letter {
                letter if letter.is_alphanumeric() || letter == '_' || letter == '-' => {
                    Some(letter.to_ascii_lowercase())
                }
                letter if letter.is_whitespace() => Some('-'),
                _ => None,
            })
            .collect();
        found.insert(slug);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        let pages = [("start/a.md", "# The first page\n\n## What's `new`?"), ("b.md", "")];
        let pages = pages.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Book { folder: PathBuf::from("/there/is/no/such/folder"), pages }
    }

    #[test]
    fn dead_links_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (page, target, expected) in [
            ("b.md", "start/a.md", None),
            ("b.md", "start/a.md#whats-new", None),
            ("start/a.md", "#the-first-page", None),
            ("start/a.md", "../b.md", None),
            ("b.md", "https://example.com/", None),
            ("start/a.md", "../../canter/index.html", None),
            ("b.md", "start/a.md#whats-old", Some("there is no #whats-old")),
            ("b.md", "a.md", Some("there is no such page or file")),
            ("b.md", "picture.webp", Some("there is no such page or file")),
            ("b.md", "../../README.md", Some("leads out of the book")),
            ("b.md", "../README.md", Some("there is no crate README.md")),
        ] {
            let found = fault(&root, &book(), page, target);
            match expected {
                None => assert_eq!(found, None, "{page} {target}"),
                Some(text) => {
                    assert!(found.as_ref().is_some_and(|found| found.starts_with(text)), "{found:?}");
                }
            }
        }
    }

    #[test]
    fn code_has_no_links() {
        let text =
            "[a](b.md) `[c](d.md)`\n```text\n[e](f.md)\n```\n![g](h.webp)\n<img alt=\"\" src=\"i.png\">";
        assert_eq!(targets(text), ["b.md", "h.webp", "i.png"]);
    }
}
