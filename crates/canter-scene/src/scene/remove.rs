//! Takes nodes out of the world.

use super::node::Parent;
use super::{Keep, NodeId, Scene};
use crate::character::Character;

/// What becomes of what hangs on a node that is removed, or on the joints of its character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// It goes, too.
    Remove,
    /// It is handed to the node's parent and stays where it is in the world; on a parent that is squashed
    /// flat it keeps its local transform.
    HandOver,
}

/// What a removal did.
#[derive(Debug, Default)]
pub struct Removed {
    /// The character that stood at the node.
    pub character: Option<Character>,
    /// All nodes that are gone: the node itself and what went with it, parents before children.
    pub nodes: Vec<NodeId>,
    /// What was handed to the node's parent.
    pub handed_over: Vec<NodeId>,
}

impl Scene {
    /// Removes a node; `None` if it is gone already. Characters that go with it as its children are dropped.
    pub fn remove(&mut self, id: NodeId, children: Children) -> Option<Removed> {
        self.node(id)?;
        let mut removed = Removed::default();
        if children == Children::HandOver {
            removed.handed_over = self.children(id).collect();
            // Handed to the world or to the same joint that the node hung on.
            let parent = self.at(id.slot()).parent;
            for &child in &removed.handed_over {
                self.hand_over(child, parent);
            }
        }
        self.unlink(id.slot());
        for slot in self.subtree(id.slot()) {
            removed.nodes.push(self.id(slot));
        }
        let mut has_characters = false;
        for &gone in &removed.nodes {
            let character = self.nodes.remove(gone.0).and_then(|node| node.character);
            has_characters |= character.is_some();
            if gone == id {
                removed.character = character.map(|character| *character);
            }
        }
        if has_characters {
            self.characters.retain(|&slot| self.nodes.at(slot).is_some());
        }
        Some(removed)
    }

    fn hand_over(&mut self, child: NodeId, parent: Parent) {
        // The joint is gone where another character stands now; the node that it belonged to is not.
        let parent = match (self.check_parent(parent), parent.node()) {
            (Err(_), Some(above)) => Parent::Node(above),
            _ => parent,
        };
        let kept = self.set_parent(child, parent, Keep::World);
        if kept.is_err() {
            self.set_parent(child, parent, Keep::Local).expect("the parent of a node is there and above it");
        }
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::DAffine3;

    use super::*;
    use crate::SceneError;

    #[test]
    fn the_id_of_a_removed_node_is_stale_when_its_slot_is_used_again() {
        let mut scene = Scene::new();
        let first = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
        assert_eq!(scene.remove(first, Children::Remove).unwrap().nodes, [first]);
        let second = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
        assert_eq!((first.slot(), scene.len()), (second.slot(), 1));
        assert!(scene.local(first).is_none() && scene.remove(first, Children::Remove).is_none());
        assert_eq!(scene.set_parent(first, second, Keep::World), Err(SceneError::Gone));
    }
}
