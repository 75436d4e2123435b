//! `scene[id]` for those who know that the character is there.

use std::ops::{Index, IndexMut};

use super::{NodeId, Scene};
use crate::character::Character;

/// The character that stands at a node. [`Scene::character`] returns `None` instead of a panic.
///
/// # Panics
/// If the node was removed or is of another scene, or no character stands there.
impl Index<NodeId> for Scene {
    type Output = Character;

    #[track_caller]
    fn index(&self, id: NodeId) -> &Character {
        match self.character(id) {
            Some(character) => character,
            None => self.no_character(id),
        }
    }
}

/// The character that stands at a node, to change or replace it, see [`Scene::character_mut`].
///
/// # Panics
/// As with [`Index`].
impl IndexMut<NodeId> for Scene {
    #[track_caller]
    fn index_mut(&mut self, id: NodeId) -> &mut Character {
        if self.character(id).is_none() {
            self.no_character(id);
        }
        self.character_mut(id).expect("it was looked for")
    }
}

impl Scene {
    #[cold]
    #[track_caller]
    fn no_character(&self, id: NodeId) -> ! {
        match self.node(id) {
            Some(_) => panic!("no character stands at the node: it was added by `insert`, not by `spawn`"),
            None => panic!("the node is gone: it was removed, or is of another scene"),
        }
    }
}
