//! A model that is written again with a change: the rest of the file stays as it was.

use std::path::Path;

use canter_gltf::{Document, Folder, LoadError, LoadOptions, WriteError};

use crate::embedded;
use crate::failure::Failure;

/// Changes a file and writes it to another place, or over itself. `hint` is what to do if it cannot be changed so.
pub(crate) fn rewrite(
    file: &Path,
    options: &LoadOptions,
    to: &Path,
    hint: &str,
    change: impl FnOnce(&mut Document<'_>) -> Result<(), WriteError>,
) -> Result<(), Failure> {
    let load = |error: &LoadError| Failure::load(file, error);
    let bytes = embedded::bytes(file, options).map_err(|error| load(&error))?;
    let folder = Folder::new(file.parent().unwrap_or(Path::new("")));
    let mut document = Document::parse(&bytes, &folder, options).map_err(|error| load(&error))?;
    change(&mut document).map_err(|error| Failure::new(format!("{}: {error}", file.display()), hint))?;
    document.save(file, to).map_err(|error| Failure::new(error, "give another path"))
}
