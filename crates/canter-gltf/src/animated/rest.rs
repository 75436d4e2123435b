//! What is animated where nothing plays.

use std::collections::BTreeMap;

use super::{Pointer, PropertyTarget};
use crate::material::Material;
use crate::schema::Document;

/// What the file's animations change, each target once, with its numbers where nothing plays.
pub(crate) fn rests(document: &Document<'_>, materials: &[Material]) -> Vec<(PropertyTarget, Vec<f32>)> {
    let channels = document.animations.iter().flat_map(|animation| &*animation.channels);
    let pointers = channels.filter_map(|channel| channel.target.pointer()).filter_map(Pointer::parse);
    let targets: BTreeMap<_, _> = pointers
        .filter_map(|pointer| match pointer {
            Pointer::Property(target) => Some((target, rest(target, document, materials)?)),
            Pointer::Node(..) | Pointer::MeshWeights(_) => None,
        })
        .collect();
    targets.into_iter().collect()
}

/// `None` where there is no such thing.
fn rest(target: PropertyTarget, document: &Document<'_>, materials: &[Material]) -> Option<Vec<f32>> {
    Some(match target {
        PropertyTarget::Visible { node } => {
            vec![f32::from(u8::from(document.nodes.get(node)?.extensions.is_visible()))]
        }
        PropertyTarget::BaseColor { material } => materials.get(material)?.base_color.to_array().to_vec(),
        PropertyTarget::Emissive { material } => materials.get(material)?.emissive.to_array().to_vec(),
        PropertyTarget::TextureOffset { material, slot } => {
            let texture = materials.get(material)?.texture(slot)?;
            texture.texture_from_uv.z_axis.truncate().to_array().to_vec()
        }
    })
}
