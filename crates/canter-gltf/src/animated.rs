//! What clips animate beside joints and morph weights: `KHR_animation_pointer`.
//!
//! A pointer to a transform or to morph weights is a channel like any other. What it changes of a surface, or
//! whether a node is shown, becomes a set of numbers of the skeleton, beside the sets of morph weights: then
//! mixers fade and blend it with everything else, and renderers read it from the pose.

#[cfg(feature = "meshes")]
mod rest;

use std::fmt;

use canter::MorphId;

use crate::clip::Property;

#[cfg(feature = "meshes")]
pub(crate) use rest::rests;

/// A property that clips animate.
///
/// Its numbers are those of a morph set, whose rest is what the file says where nothing plays:
/// `pose.morph_weights(animated.values)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnimatedProperty {
    /// What is animated.
    pub target: PropertyTarget,
    /// Where a pose has its numbers.
    pub values: MorphId,
}

/// What of a file is animated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PropertyTarget {
    /// Whether a node and all that hangs on it is shown: one number, at least 0.5 if so.
    Visible {
        /// Index of the node.
        node: usize,
    },
    /// Linear colour and alpha: four numbers.
    BaseColor {
        /// Index of the material.
        material: usize,
    },
    /// The light that a surface gives off, times its strength: three numbers.
    Emissive {
        /// Index of the material.
        material: usize,
    },
    /// How far a texture is moved: two numbers, the translation of its
    /// [`texture_from_uv`](crate::TextureRef::texture_from_uv).
    TextureOffset {
        /// Index of the material.
        material: usize,
        /// Which of its textures.
        slot: TextureSlot,
    },
}

/// As a JSON pointer into the file.
impl fmt::Display for PropertyTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Visible { node } => write!(f, "/nodes/{node}/{VISIBLE}"),
            Self::BaseColor { material } => write!(f, "/materials/{material}/{BASE_COLOR}"),
            Self::Emissive { material } => write!(f, "/materials/{material}/{EMISSIVE}"),
            Self::TextureOffset { material, slot } => {
                write!(f, "/materials/{material}/{}{OFFSET}", slot.path())
            }
        }
    }
}

const VISIBLE: &str = "extensions/KHR_node_visibility/visible";
const BASE_COLOR: &str = "pbrMetallicRoughness/baseColorFactor";
const EMISSIVE: &str = "emissiveFactor";
const OFFSET: &str = "/extensions/KHR_texture_transform/offset";

/// One of the textures of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureSlot {
    /// [`Material::base_color_texture`](crate::Material::base_color_texture).
    BaseColor,
    /// [`Material::metallic_roughness_texture`](crate::Material::metallic_roughness_texture).
    MetallicRoughness,
    /// [`Material::normal_texture`](crate::Material::normal_texture).
    Normal,
    /// [`Material::occlusion_texture`](crate::Material::occlusion_texture).
    Occlusion,
    /// [`Material::emissive_texture`](crate::Material::emissive_texture).
    Emissive,
}

impl TextureSlot {
    /// All of them, in the order in which they are declared.
    pub const ALL: [Self; 5] =
        [Self::BaseColor, Self::MetallicRoughness, Self::Normal, Self::Occlusion, Self::Emissive];

    /// Where a material of a file has it.
    fn path(self) -> &'static str {
        match self {
            Self::BaseColor => "pbrMetallicRoughness/baseColorTexture",
            Self::MetallicRoughness => "pbrMetallicRoughness/metallicRoughnessTexture",
            Self::Normal => "normalTexture",
            Self::Occlusion => "occlusionTexture",
            Self::Emissive => "emissiveTexture",
        }
    }
}

/// Where a pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    Node(usize, Property),
    MeshWeights(usize),
    #[cfg(feature = "meshes")]
    Property(PropertyTarget),
}

impl Pointer {
    /// `None` if it leads where nothing is animated here, or nowhere.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (list, rest) = text.strip_prefix('/')?.split_once('/')?;
        let (index, path) = rest.split_once('/')?;
        // An index beyond all numbers parses to nothing, as one beyond the list leads to nothing.
        let index = index.parse().ok()?;
        match list {
            "nodes" => match Property::parse(path) {
                Some(property) => Some(Self::Node(index, property)),
                #[cfg(feature = "meshes")]
                None if path == VISIBLE => Some(Self::Property(PropertyTarget::Visible { node: index })),
                None => None,
            },
            "meshes" if path == "weights" => Some(Self::MeshWeights(index)),
            #[cfg(feature = "meshes")]
            "materials" => material_target(index, path).map(Self::Property),
            _ => None,
        }
    }
}

#[cfg(feature = "meshes")]
fn material_target(material: usize, path: &str) -> Option<PropertyTarget> {
    match path {
        BASE_COLOR => Some(PropertyTarget::BaseColor { material }),
        EMISSIVE => Some(PropertyTarget::Emissive { material }),
        _ => {
            let texture = path.strip_suffix(OFFSET)?;
            let slot = TextureSlot::ALL.into_iter().find(|slot| slot.path() == texture)?;
            Some(PropertyTarget::TextureOffset { material, slot })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_written_as_it_is_read() {
        let slots = TextureSlot::ALL.map(|slot| PropertyTarget::TextureOffset { material: 12, slot });
        let others = [
            PropertyTarget::Visible { node: 0 },
            PropertyTarget::BaseColor { material: 3 },
            PropertyTarget::Emissive { material: 3 },
        ];
        for target in slots.into_iter().chain(others) {
            let pointer = Pointer::parse(&target.to_string());
            if cfg!(feature = "meshes") {
                assert_eq!(pointer, Some(Pointer::Property(target)));
            }
        }
    }

    #[test]
    fn pointers_lead_to_transforms_and_weights() {
        for (text, pointer) in [
            ("/nodes/3/translation", Some(Pointer::Node(3, Property::Translation))),
            ("/nodes/0/rotation", Some(Pointer::Node(0, Property::Rotation))),
            ("/nodes/0/scale", Some(Pointer::Node(0, Property::Scale))),
            ("/nodes/0/weights", Some(Pointer::Node(0, Property::Weights))),
            ("/meshes/7/weights", Some(Pointer::MeshWeights(7))),
            ("/nodes/100000000000000000000/scale", None),
            ("/nodes/-1/scale", None),
            ("/nodes/1/name", None),
            ("/nodes/1", None),
            ("nodes/1/scale", None),
            ("/materials/0/alphaCutoff", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(Pointer::parse(text), pointer, "{text}");
        }
    }
}
