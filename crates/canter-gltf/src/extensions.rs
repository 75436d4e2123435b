//! Extensions that files use, and what becomes of those that this loader does not read.

use crate::error::{Failure, LoadError};
use crate::options::LoadOptions;
use crate::place::Place;
use crate::schema::Document;
use crate::warning::{Report, WarningCode};

/// Extensions that are read.
const KNOWN: &[&str] = &[
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    #[cfg(feature = "draco")]
    "KHR_draco_mesh_compression",
    // What is not read of these is told at the place itself.
    "KHR_animation_pointer",
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    #[cfg(feature = "ktx2")]
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "MSFT_lod",
    // Without the feature, what swings stays as clips have it.
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
];

/// How the names of extensions begin that cannot move a joint or a vertex: surfaces, textures, light, sound,
/// facts about things, what happens when somebody clicks, other levels of detail.
const LOOKS: &[&str] = &[
    "ADOBE_materials_",
    "AGI_articulations",
    "AGI_stk_metadata",
    "CESIUM_primitive_outline",
    "EXT_instance_features",
    "EXT_lights_",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "EXT_texture_",
    "FB_",
    "KHR_audio",
    "KHR_gaussian_splatting",
    "KHR_interactivity",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_techniques_webgl",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_audio_emitter",
    "MSFT_lod",
    "MSFT_packing_",
    "MSFT_texture_",
    "NV_materials_",
    "VRM",
];

/// The same for those that change where vertices are, or which of them make a triangle, and no joint.
const MESHES: &[&str] = &[
    "EXT_mesh_",
    "KHR_draco_mesh_compression",
    "KHR_gaussian_splatting_compression",
    "KHR_mesh_",
    "MPEG_mesh_linking",
];

/// Exceptions from the above: where a joint is depends on them.
const POSES: &[&str] = &["VRMC_node_constraint", "VRMC_springBone"];

/// What an extension that is not read can change, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Looks,
    Meshes,
    /// Also what is unknown.
    Poses,
}

impl Reach {
    fn of(name: &str) -> Self {
        let is_in = |list: &[&str]| list.iter().any(|start| name.starts_with(start));
        match () {
            () if is_in(POSES) => Self::Poses,
            () if is_in(MESHES) => Self::Meshes,
            () if is_in(LOOKS) => Self::Looks,
            () => Self::Poses,
        }
    }

    /// Whether a file that requires the extension can be shown rightly, but for its looks.
    fn is_harmless(self, reads_meshes: bool) -> bool {
        match self {
            Self::Looks => true,
            Self::Meshes => !reads_meshes,
            Self::Poses => false,
        }
    }
}

/// Refuses a file that requires extensions which are not read and could move something, and notes the others.
pub(crate) fn check(document: &Document<'_>, options: &LoadOptions, report: &Report) -> Result<(), Failure> {
    let reads_meshes = cfg!(feature = "meshes") && options.meshes;
    let unknown = |name: &&str| !KNOWN.contains(name);
    let required = || document.extensions_required.iter().map(|name| name.0.as_ref()).filter(unknown);

    let refused: Vec<String> =
        required().filter(|name| !Reach::of(name).is_harmless(reads_meshes)).map(str::to_owned).collect();
    if !refused.is_empty() && !options.ignore_required_extensions {
        return Err(LoadError::RequiredExtensions { names: refused }.into());
    }
    for name in required() {
        let place = Place::list("extensionsRequired");
        if !Reach::of(name).is_harmless(reads_meshes) {
            let message = format_args!("{name} is required and not supported; it is ignored");
            report.warn(&place, WarningCode::RequiredExtension, message);
        } else if reads_meshes {
            let message =
                format_args!("{name} is required and not supported; the file moves rightly without it");
            report.warn(&place, WarningCode::RequiredExtension, message);
        }
    }
    let is_optional = |name: &&str| required().all(|required| required != *name);
    let used = document.extensions_used.iter().map(|name| name.0.as_ref()).filter(unknown);
    for name in used.filter(is_optional) {
        let place = Place::list("extensionsUsed");
        report.note(
            &place,
            WarningCode::OptionalExtension,
            format_args!("the optional extension {name} is not supported; it is ignored"),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_is_judged_by_what_it_can_change() {
        for (name, reach) in [
            ("KHR_materials_transmission", Reach::Looks),
            ("KHR_materials_pbrSpecularGlossiness", Reach::Looks),
            ("KHR_materials_variants", Reach::Looks),
            ("KHR_lights_punctual", Reach::Looks),
            ("KHR_texture_unheard_of", Reach::Looks),
            ("EXT_texture_avif", Reach::Looks),
            ("MSFT_texture_dds", Reach::Looks),
            ("MSFT_lod", Reach::Looks),
            ("VRMC_materials_mtoon", Reach::Looks),
            ("KHR_draco_mesh_compression", Reach::Meshes),
            ("EXT_mesh_primitive_restart", Reach::Meshes),
            ("VRMC_node_constraint", Reach::Poses),
            ("CESIUM_RTC", Reach::Poses),
            ("VENDOR_unheard_of", Reach::Poses),
            ("", Reach::Poses),
        ] {
            assert_eq!(Reach::of(name), reach, "{name}");
        }
    }
}
