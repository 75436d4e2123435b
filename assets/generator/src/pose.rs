//! A pose of the rig: every joint's turn from its bind rotation.

use glam::{DQuat, DVec3, dvec3};

use super::frame::Frame;
use super::rig::Rig;

/// How a lash moves to shut an eye, metres: to the middle, where the face stands out more.
const LID_DROP: DVec3 = dvec3(0.0, -0.041, 0.019);

#[derive(Clone)]
pub(crate) struct Pose {
    /// Of the hips, from the bind pose, in model space.
    pub hips_shift: DVec3,
    /// Per joint, in its own bind frame: `parent_from_joint = bind * turn`.
    pub turns: Vec<DQuat>,
    /// 0 for open eyes, 1 for shut ones.
    pub blink: f64,
}

impl Pose {
    pub(crate) fn bind(rig: &Rig) -> Self {
        Self { hips_shift: DVec3::ZERO, turns: vec![DQuat::IDENTITY; rig.joints.len()], blink: 0.0 }
    }

    pub(crate) fn parent_from_joint(&self, rig: &Rig, joint: usize) -> Frame {
        let bind = rig.parent_from_joint(joint);
        let shift = match rig.joints[joint].name.as_str() {
            "hips" => self.hips_shift,
            "lid_L" | "lid_R" => LID_DROP * self.blink,
            _ => DVec3::ZERO,
        };
        Frame {
            rotation: (bind.rotation * self.turns[joint]).normalize(),
            translation: bind.translation + shift,
        }
    }

    pub(crate) fn model_from_joint(&self, rig: &Rig, joint: usize) -> Frame {
        let local = self.parent_from_joint(rig, joint);
        match rig.joints[joint].parent {
            Some(parent) => self.model_from_joint(rig, parent) * local,
            None => local,
        }
    }

    /// How a joint and what hangs on it has turned since the bind pose, in model space.
    pub(crate) fn turned_since_bind(&self, rig: &Rig, joint: usize) -> DQuat {
        self.model_from_joint(rig, joint).rotation * rig.joints[joint].model_from_joint.rotation.inverse()
    }

    /// Turns a joint so that its model-space rotation becomes `rotation`, whatever its parents do.
    pub(crate) fn set_model_rotation(&mut self, rig: &Rig, joint: usize, rotation: DQuat) {
        let parent = rig.joints[joint]
            .parent
            .map_or(DQuat::IDENTITY, |parent| self.model_from_joint(rig, parent).rotation);
        let bind = rig.parent_from_joint(joint).rotation;
        self.turns[joint] = ((parent * bind).inverse() * rotation).normalize();
    }
}
