//! Meshes without what is drawn: only what animations move of them.

use super::Mesh;
use crate::error::Failure;
use crate::place::Place;
use crate::schema::owned;
use crate::source::Source;

pub(super) fn meshes(source: &Source<'_>) -> Result<Vec<Mesh>, Failure> {
    let list = Place::list("meshes");
    let outline = |(index, mesh): (usize, &crate::schema::mesh::Mesh<'_>)| {
        let targets = mesh.primitives.first().map_or(0, |primitive| primitive.targets.len());
        let weights = source.morph_weights(&mesh.weights, targets, &list.item(index).field("weights"))?;
        let (name, target_names) = (owned(&mesh.name), mesh.target_names());
        Ok(Mesh { name, primitives: Vec::new(), weights, target_names })
    };
    source.document.meshes.iter().enumerate().map(outline).collect()
}
