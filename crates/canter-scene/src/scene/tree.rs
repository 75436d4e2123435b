//! What hangs on what.

use canter::glam::{DAffine3, DMat3};

use super::limits::is_in_range;
use super::node::{NONE, Parent};
use super::{NodeId, Scene, SceneError};

/// What stays when a node gets another parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Its place in the world: the local transform is calculated anew.
    World,
    /// Its transform relative to the parent: it moves with the change.
    Local,
}

impl Scene {
    /// Hangs a node on another parent.
    ///
    /// # Errors
    /// If a node is gone, the parent is no character with such a joint, the node would hang on itself, or its
    /// place in the world cannot be kept because the parent is squashed flat, or so small that numbers above
    /// 10¹⁸ would be needed.
    pub fn set_parent(
        &mut self,
        id: NodeId,
        parent: impl Into<Parent>,
        keep: Keep,
    ) -> Result<(), SceneError> {
        let parent = parent.into();
        self.node(id).ok_or(SceneError::Gone)?;
        self.check_parent(parent)?;
        if parent.node().is_some_and(|above| self.is_below(above.slot(), id.slot())) {
            return Err(SceneError::Cycle);
        }
        if keep == Keep::World {
            let world_from_parent = self.present_world_of(parent);
            let parent_from_node = kept(world_from_parent, self.present_world(id.slot()));
            self.at_mut(id.slot()).parent_from_node = parent_from_node?;
        }
        self.unlink(id.slot());
        self.link(id.slot(), parent);
        self.set_depths(id.slot());
        self.mark(id.slot());
        Ok(())
    }

    /// Whether a parent is there.
    pub(super) fn check_parent(&self, parent: Parent) -> Result<(), SceneError> {
        let Some(id) = parent.node() else { return Ok(()) };
        let node = self.node(id).ok_or(SceneError::Gone)?;
        let Some(joint) = parent.joint() else { return Ok(()) };
        let joints = node.character.as_ref().map_or(0, |character| character.model_pose.joint_count());
        if joint.index() < joints { Ok(()) } else { Err(SceneError::NoSuchJoint) }
    }

    /// Whether a node is another one or hangs below it.
    fn is_below(&self, slot: u32, top: u32) -> bool {
        let mut next = Some(slot);
        while let Some(slot) = next {
            if slot == top {
                return true;
            }
            next = self.at(slot).parent.node().map(NodeId::slot);
        }
        false
    }

    /// The place of a node in the world as it would be after an update.
    fn present_world(&self, slot: u32) -> DAffine3 {
        // From the top down, in the order of an update, so that the bits are the same.
        let mut above = vec![slot];
        while let Some(parent) = self.at(above[above.len() - 1]).parent.node() {
            above.push(parent.slot());
        }
        above
            .iter()
            .rev()
            .fold(DAffine3::IDENTITY, |world_from_parent, &slot| self.placed(world_from_parent, slot))
    }

    fn present_world_of(&self, parent: Parent) -> DAffine3 {
        let node = parent.node().map_or(DAffine3::IDENTITY, |id| self.present_world(id.slot()));
        self.world_of(parent, node)
    }

    pub(super) fn siblings_from(&self, first: u32) -> impl Iterator<Item = u32> {
        std::iter::successors((first != NONE).then_some(first), |&slot| {
            let next = self.at(slot).next_sibling;
            (next != NONE).then_some(next)
        })
    }

    /// Hangs a free node on a parent.
    pub(super) fn link(&mut self, slot: u32, parent: Parent) {
        let (next, depth) = match parent.node() {
            Some(above) => {
                let above = self.at_mut(above.slot());
                (std::mem::replace(&mut above.first_child, slot), above.depth + 1)
            }
            None => (NONE, 0),
        };
        if next != NONE {
            self.at_mut(next).previous_sibling = slot;
        }
        let node = self.at_mut(slot);
        (node.parent, node.depth) = (parent, depth);
        (node.next_sibling, node.previous_sibling) = (next, NONE);
    }

    /// Frees a node from its parent.
    pub(super) fn unlink(&mut self, slot: u32) {
        let node = self.at(slot);
        let (previous, next, parent) = (node.previous_sibling, node.next_sibling, node.parent);
        if next != NONE {
            self.at_mut(next).previous_sibling = previous;
        }
        if previous != NONE {
            self.at_mut(previous).next_sibling = next;
        } else if let Some(above) = parent.node() {
            self.at_mut(above.slot()).first_child = next;
        }
    }

    /// Counts the depth of everything below a node anew.
    pub(super) fn set_depths(&mut self, top: u32) {
        for slot in self.subtree(top) {
            let depth = match self.at(slot).parent.node() {
                Some(above) => self.at(above.slot()).depth + 1,
                None => 0,
            };
            self.at_mut(slot).depth = depth;
        }
    }

    /// A node and everything below it, parents before children.
    pub(super) fn subtree(&self, top: u32) -> Vec<u32> {
        let mut subtree = vec![top];
        let mut done = 0;
        while done < subtree.len() {
            let first = self.at(subtree[done]).first_child;
            subtree.extend(self.siblings_from(first));
            done += 1;
        }
        subtree
    }
}

/// The `parent_from_node` that keeps a node in its place.
fn kept(world_from_parent: DAffine3, world_from_node: DAffine3) -> Result<DAffine3, SceneError> {
    let parent_from_node = world_from_parent.inverse() * world_from_node;
    // Turned before and after it was squashed, a flat parent has an inverse by mere rounding: look where it
    // leads.
    let kept = world_from_parent * parent_from_node;
    let largest =
        |axes: DMat3| axes.to_cols_array().iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    let distance = world_from_parent.translation.length() + world_from_node.translation.length();
    let is_kept =
        kept.matrix3.abs_diff_eq(world_from_node.matrix3, TOLERANCE * largest(world_from_node.matrix3))
            && kept.translation.abs_diff_eq(world_from_node.translation, TOLERANCE * distance);
    match is_kept {
        true if is_in_range(&parent_from_node) => Ok(parent_from_node),
        true => Err(SceneError::NotFinite),
        false => Err(SceneError::Flat),
    }
}

/// In relation to the numbers that are compared: a tenth of a millimetre in a hundred kilometres.
const TOLERANCE: f64 = 1e-9;
