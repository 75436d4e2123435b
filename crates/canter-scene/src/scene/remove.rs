//! Takes nodes out of the world.

use super::node::Parent;
use super::{Keep, NodeId, Scene};
use crate::character::Character;

/// What becomes of what hangs on a node that is removed, or on the joints of its character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// It goes, too.
    Remove,
    /// It is handed to the node's parent and stays where it is in the world; on a parent that is squashed flat it keeps its local
    /// transform.
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
            let parent = self.at(id.slot).parent;
            for &child in &removed.handed_over {
                self.hand_over(child, parent);
            }
        }
        self.unlink(id.slot);
        for slot in self.subtree(id.slot) {
            removed.nodes.push(self.id(slot));
        }
        let mut has_characters = false;
        for &NodeId { slot, .. } in &removed.nodes {
            let entry = &mut self.slots[slot as usize];
            let character = entry.node.take().and_then(|node| node.character);
            match entry.generation.checked_add(1) {
                Some(next) => {
                    entry.generation = next;
                    self.free.push(slot);
                }
                // At the last generation the slot is not used again: an id never means another node.
                None => self.retired += 1,
            }
            has_characters |= character.is_some();
            if slot == id.slot {
                removed.character = character.map(|character| *character);
            }
        }
        if has_characters {
            self.characters.retain(|&slot| self.slots[slot as usize].node.is_some());
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

    #[test]
    fn a_slot_is_not_used_again_when_its_generations_are_used_up() {
        let mut scene = Scene::new();
        let mut last = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
        scene.slots[0].generation = u32::MAX - 1;
        last.generation = u32::MAX - 1;
        for slot in [0, 1, 1] {
            assert!(scene.remove(last, Children::Remove).is_some() && scene.is_empty());
            let next = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
            assert_eq!((next.slot, scene.len(), scene.local(last)), (slot, 1, None));
            last = next;
        }
    }
}
