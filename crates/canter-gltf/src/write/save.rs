//! Documents become files.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

use super::document::Document;
use super::error::WriteError;

impl Document<'_> {
    /// Writes a model that was read from `from` to `to`: as a .gltf if it is called so, else as a .glb. Files that it
    /// names come along into another folder, which is made if it is not there.
    ///
    /// A file is complete when it gets its name, and one that is there stays until then: `to` may be `from`.
    ///
    /// # Errors
    /// If a file cannot be written, or would be too large for the format.
    pub fn save(&mut self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), WriteError> {
        let (from, to) = (from.as_ref(), to.as_ref());
        let failure = |source| WriteError::File { path: to.to_owned(), source };
        let folder = parent(to);
        fs::create_dir_all(folder).map_err(failure)?;
        if to.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gltf")) {
            let stem = to.file_stem().unwrap_or_default().to_string_lossy();
            let files = self.to_gltf(&stem)?;
            for (name, content) in &files.new {
                write(&folder.join(name), content).map_err(failure)?;
            }
            write(to, &files.json).map_err(failure)?;
        } else {
            write(to, &self.to_glb()?).map_err(failure)?;
        }
        self.copy_beside(parent(from), folder).map_err(failure)
    }

    /// Files that the model names and that were not changed.
    fn copy_beside(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        if fs::canonicalize(from)? == fs::canonicalize(to)? {
            return Ok(());
        }
        for uri in self.files_beside() {
            // What leads elsewhere is not followed, and what is not there cannot be copied.
            let Some(path) = crate::uri::relative_path(&uri).ok() else { continue };
            if !from.join(&path).is_file() {
                continue;
            }
            fs::create_dir_all(parent(&to.join(&path)))?;
            fs::copy(from.join(&path), to.join(&path))?;
        }
        Ok(())
    }
}

/// The folder of a file.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// In one piece.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
    let part = path.with_file_name(name);
    fs::write(&part, content).and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}
