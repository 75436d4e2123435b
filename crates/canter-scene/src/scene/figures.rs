//! What renderers draw of a scene.

use std::slice;

use super::Scene;
use crate::figure::Figure;

/// The characters of a scene that are visible, as renderers see them; see [`Scene::figures`].
#[derive(Clone, Debug)]
pub struct Figures<'a> {
    scene: &'a Scene,
    slots: slice::Iter<'a, u32>,
}

impl Scene {
    /// The characters that are visible, as of the last update. Renderers take `&scene` for it.
    #[must_use]
    pub fn figures(&self) -> Figures<'_> {
        Figures { scene: self, slots: self.characters.iter() }
    }
}

impl<'a> Iterator for Figures<'a> {
    type Item = Figure<'a>;

    fn next(&mut self) -> Option<Figure<'a>> {
        self.slots.find_map(|&slot| {
            let node = self.scene.node(self.scene.id(slot)).filter(|node| node.is_visible)?;
            Some(node.character.as_ref()?.figure(node.world_from_node))
        })
    }
}

impl<'a> IntoIterator for &'a Scene {
    type Item = Figure<'a>;
    type IntoIter = Figures<'a>;

    fn into_iter(self) -> Figures<'a> {
        self.figures()
    }
}
