//! What hangs on a joint moves with it.

use canter::JointId;
use canter::glam::{DAffine3, DMat4};

use super::limits::is_tame;
use super::node::Parent;
use super::{Keep, NodeId, Scene, SceneError};

impl Scene {
    /// Hangs a node on a joint of a character, at an offset: the sword follows the hand, in the same frame, through any
    /// nesting.
    ///
    /// # Errors
    /// As with [`set_parent`](Self::set_parent), and if the offset has a number that is not finite or above 10¹⁸.
    pub fn attach(
        &mut self,
        id: NodeId,
        character: NodeId,
        joint: JointId,
        joint_from_node: DAffine3,
    ) -> Result<(), SceneError> {
        if !is_tame(&joint_from_node) {
            return Err(SceneError::NotFinite);
        }
        self.set_parent(id, Parent::Joint(character, joint), Keep::Local)?;
        self.set_local(id, joint_from_node);
        Ok(())
    }

    /// Takes a node off its parent, and leaves it where it is in the world, or at its local transform.
    ///
    /// # Errors
    /// If the node is gone.
    pub fn detach(&mut self, id: NodeId, keep: Keep) -> Result<(), SceneError> {
        self.set_parent(id, Parent::World, keep)
    }

    /// Where a joint of a character is in the world. The character may have been replaced by one without such a joint: what hung
    /// on that is where the character is.
    pub(super) fn joint_place(&self, world_from_character: DAffine3, slot: u32, joint: JointId) -> DAffine3 {
        let character = self.at(slot).character.as_ref();
        match character.and_then(|character| character.model_pose.joints().get(joint.index())) {
            Some(model_from_joint) => world_from_character * affine(model_from_joint.to_mat4().as_dmat4()),
            None => world_from_character,
        }
    }

    /// Notes that everything on the joints of a character has to be placed anew.
    pub(super) fn mark_attachments(&mut self, slot: u32) {
        let mut child = self.at(slot).first_child;
        while child != super::node::NONE {
            let node = self.at(child);
            let next = node.next_sibling;
            if node.joint().is_some() {
                self.mark(child);
            }
            child = next;
        }
    }
}

/// Model matrices are affine.
fn affine(matrix: DMat4) -> DAffine3 {
    DAffine3::from_mat4(matrix)
}
