//! Extensions that files use, and what becomes of those that this loader does not know.

use crate::error::{Failure, LoadError};
use crate::options::LoadOptions;
use crate::place::Place;
use crate::schema::Document;
use crate::warning::Report;

/// Extensions that are read.
const KNOWN: &[&str] = &[
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
];

/// Extensions whose absence is told at the place itself: channels are skipped with a warning.
const TOLERATED: &[&str] = &["KHR_animation_pointer"];

/// Refuses unknown extensions that the file requires, and notes the others.
pub(crate) fn check(document: &Document<'_>, options: &LoadOptions, report: &Report) -> Result<(), Failure> {
    let is_known = |name: &str| KNOWN.contains(&name) || TOLERATED.contains(&name);
    for name in document.extensions_required.iter().map(|name| name.0.as_ref()).filter(|name| !is_known(name))
    {
        if !options.ignore_required_extensions {
            return Err(LoadError::RequiredExtension { name: name.to_owned() }.into());
        }
        let place = Place::list("extensionsRequired");
        report.warn(&place, format_args!("the extension {name} is required and not known; it is ignored"));
    }
    for name in document.extensions_used.iter().map(|name| name.0.as_ref()).filter(|name| !is_known(name)) {
        let place = Place::list("extensionsUsed");
        report.note(&place, format_args!("the optional extension {name} is not known; it is ignored"));
    }
    Ok(())
}
