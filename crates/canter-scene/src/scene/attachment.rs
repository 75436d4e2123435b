//! What hangs on a joint moves with it.

use canter::JointId;
use canter::glam::{DAffine3, DMat4};

use super::limits::{cut, is_in_range};
use super::node::Parent;
use super::unscaled::unscaled;
use super::{Keep, NodeId, Scene, SceneError};

impl Scene {
    /// Hangs a node on a joint of a character, at an offset: the sword follows the hand, in the same frame,
    /// through any nesting. To ignore the joint's scale, use [`set_parent`](Self::set_parent) with
    /// [`Parent::JointWithoutScale`].
    ///
    /// # Errors
    /// As with [`set_parent`](Self::set_parent), and if the offset has a number that is not finite or above
    /// 10¹⁸.
    pub fn attach(
        &mut self,
        id: NodeId,
        character: NodeId,
        joint: JointId,
        joint_from_node: DAffine3,
    ) -> Result<(), SceneError> {
        if !is_in_range(&joint_from_node) {
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

    /// Where a joint of the character at a node is in the world, `world_from_joint`: the node as of the last
    /// update, the joint as it stands now. `None` if the node is gone, has no character, or that has no such
    /// joint.
    #[must_use]
    pub fn joint_world(&self, id: NodeId, joint: JointId) -> Option<DAffine3> {
        self.check_parent(Parent::Joint(id, joint)).ok()?;
        Some(cut(self.world_of(Parent::Joint(id, joint), self.node(id)?.world_from_node)))
    }

    /// Where a parent is in the world, given the place of its node. The character may have been replaced by
    /// one without such a joint: what hung on that is where the character is.
    pub(super) fn world_of(&self, parent: Parent, world_from_node: DAffine3) -> DAffine3 {
        let (Some(id), Some(joint)) = (parent.node(), parent.joint()) else { return world_from_node };
        let character = self.at(id.slot()).character.as_ref();
        let joint = character.and_then(|character| character.model_pose.joints().get(joint.index()));
        let Some(model_from_joint) = joint else { return world_from_node };
        let model_from_joint = affine(model_from_joint.to_mat4().as_dmat4());
        match parent {
            Parent::JointWithoutScale(..) => world_from_node * unscaled(model_from_joint),
            _ => world_from_node * model_from_joint,
        }
    }

    /// Notes that everything on the joints of a character has to be placed anew.
    pub(super) fn mark_attachments(&mut self, slot: u32) {
        let mut child = self.at(slot).first_child;
        while child != super::node::NONE {
            let node = self.at(child);
            let next = node.next_sibling;
            if node.parent.joint().is_some() {
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
