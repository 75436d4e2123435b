//! A clip that a person asks for.

use std::path::Path;
use std::sync::Arc;

use canter::Clip;
use canter_gltf::{Asset, ClipKey};

use crate::failure::Failure;

/// A clip by its name, or else by its index.
pub(crate) fn find<'a>(asset: &'a Asset, wanted: &'a str, path: &Path) -> Result<&'a Arc<Clip>, Failure> {
    asset.clip(ClipKey::NameOrIndex(wanted)).map_err(|error| {
        let path = path.display();
        Failure::new(format!("{path}: {error}"), format!("`canter inspect {path}` lists the clips"))
    })
}
