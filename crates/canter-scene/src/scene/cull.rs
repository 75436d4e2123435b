//! Who is in view.

use super::{NodeId, Scene};
use crate::frustum::Frustum;

impl Scene {
    /// The characters that are shown and of which the frustum may see something, as they stand: a figure
    /// whose arm reaches into view is among them.
    pub fn in_view(&self, frustum: &Frustum) -> impl Iterator<Item = NodeId> {
        self.characters().filter(move |&id| {
            let (Some(node), Some(character)) = (self.node(id), self.character(id)) else { return false };
            node.is_visible && frustum.sees(&character.bounds(), &node.world_from_node)
        })
    }
}
