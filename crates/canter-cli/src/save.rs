//! Models that are written.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use canter_gltf::{Document, Folder};

use crate::failure::Failure;

/// The files beside a model.
pub(crate) fn folder(path: &Path) -> Folder {
    Folder::new(path.parent().unwrap_or(Path::new("")))
}

/// Writes a model that was read from `from`: as a .gltf if it is called so, else as a .glb. What it names comes
/// along into another folder.
pub(crate) fn save(document: &mut Document<'_>, from: &Path, to: &Path) -> Result<(), Failure> {
    let failure = |error: &dyn std::fmt::Display| {
        Failure::new(format!("{} cannot be written: {error}", to.display()), "give another path")
    };
    let is_text = to.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gltf"));
    let folder = to.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(|error| failure(&error))?;
    }
    if is_text {
        let stem = to.file_stem().unwrap_or_default().to_string_lossy();
        let files = document.to_gltf(&stem).map_err(|error| failure(&error))?;
        for (name, content) in &files.new {
            write(&folder.join(name), content).map_err(|error| failure(&error))?;
        }
        write(to, &files.json).map_err(|error| failure(&error))?;
    } else {
        let bytes = document.to_glb().map_err(|error| failure(&error))?;
        write(to, &bytes).map_err(|error| failure(&error))?;
    }
    copy_beside(document, from, folder).map_err(|error| failure(&error))
}

/// In one piece: nobody ever sees half a file, and one that is there stays until the new one is complete.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
    let part = path.with_file_name(name);
    fs::write(&part, content).and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// Files that the model names and that were not changed.
fn copy_beside(document: &mut Document<'_>, from: &Path, folder: &Path) -> io::Result<()> {
    let source = from.parent().unwrap_or(Path::new(""));
    let here =
        |path: &Path| fs::canonicalize(if path.as_os_str().is_empty() { Path::new(".") } else { path });
    if here(source).ok() == here(folder).ok() {
        return Ok(());
    }
    for uri in document.files_beside() {
        // What leads elsewhere is not followed, and what is not there cannot be copied.
        let Some(path) = canter_gltf::path_beside(&uri) else { continue };
        if !source.join(&path).is_file() {
            continue;
        }
        if let Some(parent) = folder.join(&path).parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(source.join(&path), folder.join(&path))?;
    }
    Ok(())
}

/// The markers beside a model come along, too.
pub(crate) fn copy_markers(from: &Path, to: &Path) -> Result<(), Failure> {
    let [from, to] = [from, to].map(canter_gltf::markers_path);
    if !from.is_file() || fs::canonicalize(&from).ok() == fs::canonicalize(&to).ok() {
        return Ok(());
    }
    let failure = |error| {
        Failure::new(format!("{} cannot be written: {error}", to.display()), "give another path")
    };
    fs::copy(&from, &to).map(|_| ()).map_err(failure)
}
