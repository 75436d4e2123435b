//! Coarser meshes for what is small in the picture (`MSFT_lod`).

use super::Node;
use crate::error::Failure;
use crate::place::Place;
use crate::source::Source;

/// Gives nodes the meshes of those that are shown instead of them. These are never shown beside them, so that they
/// have no mesh of their own any more.
pub(super) fn gather(source: &Source<'_>, nodes: &mut [Node]) -> Result<(), Failure> {
    let list = Place::list("nodes");
    for (index, node) in source.document.nodes.iter().enumerate() {
        let Some(lod) = &node.extensions.lod else { continue };
        let place = list.item(index);
        let extensions = place.field("extensions");
        let place = extensions.field("MSFT_lod");
        let place = place.field("ids");
        for (entry, id) in lod.ids.iter().enumerate() {
            let id = place.item(entry).index(id.get(), "nodes", source.document.nodes.len())?;
            if id == index {
                continue;
            }
            let mesh = nodes[id].mesh.take();
            // Matrices of another skin would not fit.
            if nodes[id].skin == nodes[index].skin && nodes[index].mesh.is_some() {
                nodes[index].coarser.extend(mesh);
            }
        }
    }
    Ok(())
}
