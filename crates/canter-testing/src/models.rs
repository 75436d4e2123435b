//! Real models that others made. They lie beside the project, in `../shared/assets`, and are not part of it.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::requirement::skip;

/// The folder of the models. Where it is missing, the test is skipped, which is said; see [`skip`].
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/assets");
    if folder.join("manifest.json").is_file() {
        return Some(folder.canonicalize().expect("the folder exists"));
    }
    skip(&format!("{} is missing", folder.display()), "real models are");
    None
}

/// All models of the manifest; none where the folder is missing.
#[must_use]
pub fn all() -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let manifest: serde_json::Value = read_json(&folder.join("manifest.json"));
    let file = |model: &serde_json::Value| folder.join(model["file"].as_str().unwrap());
    manifest["models"].as_array().unwrap().iter().map(file).collect()
}

/// Reads a JSON file of the test data.
#[must_use]
pub fn read_json<T: DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
