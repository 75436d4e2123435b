//! What hangs on joints of the figure.

use std::path::Path;
use std::sync::Arc;

use canter::JointId;
use canter::glam::{DAffine3, DQuat, EulerRot, Vec3};
use canter_scene::{Children, Model, NodeId, Parent};

use super::{Session, file, place};

/// Something that hangs on a joint, at an offset.
#[derive(Clone, Debug)]
pub struct Held {
    node: NodeId,
    /// What it is called.
    pub name: String,
    /// On which joint it hangs.
    pub joint: JointId,
    /// Metres from the joint.
    pub offset: Vec3,
    /// Degrees about x, y and z.
    pub turn: Vec3,
}

impl Held {
    pub(super) fn node(&self) -> NodeId {
        self.node
    }
}

impl Session {
    /// Hangs a file on the picked joint, or else on the right hand. If it does not load,
    /// [`error`](Self::error) says why.
    pub fn attach_file(&mut self, path: &Path) -> bool {
        match Model::load_with(path, &self.load_options) {
            Ok(model) => {
                self.attach(&model, &file::name(path));
                self.error = None;
                true
            }
            Err(error) => {
                self.error = Some(format!("{}: {error}", file::name(path)));
                false
            }
        }
    }

    /// Hangs a model on the picked joint, or else on the right hand, or else on the first joint.
    pub fn attach(&mut self, model: &Arc<Model>, name: &str) {
        let skeleton = self.skeleton();
        let hand = || skeleton.joint("hand_R").or_else(|| skeleton.joints().next());
        if let Some(joint) = self.picked.or_else(hand) {
            self.attach_to(joint, model, name);
        }
    }

    pub(super) fn attach_to(&mut self, joint: JointId, model: &Arc<Model>, name: &str) {
        let node = place(&mut self.scene, model, Parent::Joint(self.figure, joint), DAffine3::IDENTITY);
        self.held.push(Held { node, name: name.to_owned(), joint, offset: Vec3::ZERO, turn: Vec3::ZERO });
        self.update(0.0);
    }

    /// What hangs on joints.
    #[must_use]
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// Moves what hangs on a joint. What is not finite is refused.
    pub fn move_held(&mut self, index: usize, offset: Vec3, turn: Vec3) {
        let Some(held) = self.held.get_mut(index) else { return };
        if !offset.is_finite() || !turn.is_finite() {
            return;
        }
        (held.offset, held.turn) = (offset, turn);
        let angles = (turn.as_dvec3() * (std::f64::consts::PI / 180.0)).to_array();
        let rotation = DQuat::from_euler(EulerRot::XYZ, angles[0], angles[1], angles[2]);
        self.scene.set_local(held.node, DAffine3::from_rotation_translation(rotation, offset.as_dvec3()));
        self.scene.update_transforms();
        self.touch();
    }

    /// Takes it away.
    pub fn detach(&mut self, index: usize) {
        if index < self.held.len() {
            let held = self.held.remove(index);
            let _ = self.scene.remove(held.node, Children::Remove);
            self.update(0.0);
        }
    }
}
