//! The hero and his sword are part of the program: it shows something wherever it runs.

use std::path::Path;
use std::sync::Arc;

use canter_gltf::{Asset, LoadOptions, NoFiles};
use canter_scene::Model;

use crate::failure::Failure;

const HERO: &[u8] = include_bytes!("../../../assets/hero.glb");
const SWORD: &[u8] = include_bytes!("../../../assets/sword.glb");

/// Reads a model. `hero` and `sword` mean those of the program, unless there are files of that name.
pub(crate) fn model(path: &Path) -> Result<Arc<Model>, Failure> {
    Ok(Arc::new(Model::new(asset(path, &LoadOptions::default())?)))
}

/// The same for those who draw nothing.
pub(crate) fn asset(path: &Path, options: &LoadOptions) -> Result<Asset, Failure> {
    let asset = match path.to_str() {
        Some("hero") if !path.exists() => canter_gltf::load_bytes_with(HERO, &NoFiles, options),
        Some("sword") if !path.exists() => canter_gltf::load_bytes_with(SWORD, &NoFiles, options),
        _ => canter_gltf::load_with(path, options),
    };
    asset.map_err(|error| Failure::load(path, &error))
}

/// The bytes of a model.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    match path.to_str() {
        Some("hero") if !path.exists() => Ok(HERO.to_vec()),
        Some("sword") if !path.exists() => Ok(SWORD.to_vec()),
        _ => std::fs::read(path).map_err(|source| {
            Failure::load(path, &canter_gltf::LoadError::Read { path: path.to_owned(), source })
        }),
    }
}

/// Whether a path means a model of the program, or a file that is there.
pub(crate) fn is_there(path: &Path) -> bool {
    path.exists() || matches!(path.to_str(), Some("hero" | "sword"))
}
