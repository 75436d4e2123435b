//! The hero and his sword are part of the program: it shows something wherever it runs.

use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use canter_gltf::{Asset, LoadError, LoadOptions, NoFiles};
use canter_scene::Model;

use crate::failure::Failure;

const HERO: &[u8] = include_bytes!("../../../assets/hero.glb");
const SWORD: &[u8] = include_bytes!("../../../assets/sword.glb");
pub(crate) const HERO_GRAPH: &str = include_str!("../../../assets/hero.graph.json");

/// Reads a model. `hero` and `sword` mean those of the program, unless there are files of that name.
pub(crate) fn model(path: &Path, options: &LoadOptions) -> Result<Arc<Model>, Failure> {
    Ok(Arc::new(Model::new(asset(path, options)?)))
}

/// The same for those who draw nothing.
pub(crate) fn asset(path: &Path, options: &LoadOptions) -> Result<Asset, Failure> {
    load(path, options).map_err(|error| Failure::load(path, &error))
}

/// The same for those who ask what is wrong.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Result<Asset, LoadError> {
    match path.to_str() {
        Some("hero") if !path.exists() => canter_gltf::load_bytes_with(HERO, &NoFiles, options),
        Some("sword") if !path.exists() => canter_gltf::load_bytes_with(SWORD, &NoFiles, options),
        _ => canter_gltf::load_with(path, options),
    }
}

/// The bytes of a model.
pub(crate) fn bytes(path: &Path, options: &LoadOptions) -> Result<Vec<u8>, LoadError> {
    match path.to_str() {
        Some("hero") if !path.exists() => Ok(HERO.to_vec()),
        Some("sword") if !path.exists() => Ok(SWORD.to_vec()),
        _ => canter_gltf::read_model(path, &options.limits),
    }
}

/// The text of a graph. `hero` means that of the program, unless there is a file of that name.
pub(crate) fn graph(path: &Path) -> io::Result<String> {
    match path.to_str() {
        Some("hero") if !path.exists() => Ok(HERO_GRAPH.to_owned()),
        _ => fs::read_to_string(path),
    }
}

/// Whether a path means a model of the program, or a file that is there.
pub(crate) fn is_there(path: &Path) -> bool {
    path.exists() || matches!(path.to_str(), Some("hero" | "sword"))
}
