//! How the last joint of a chain is turned.

use canter::glam::{Mat3, Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Subtree};

use crate::space::{Space, linear_of, orientation};
use crate::turn::Turn;

/// How the last joint of a limb or chain is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LimbEnd {
    /// It goes with the limb.
    #[default]
    Follow,
    /// As it was in the model before the limb moved.
    Keep,
    /// To this orientation in the model.
    Turn(Quat),
}

impl LimbEnd {
    /// Turns a joint that hangs on `parent`; `before` is what its matrix was. Returns whether it did. The
    /// joint stays as it is if it, or what is above it, is flat.
    pub(crate) fn apply(
        self,
        pose: &mut Pose,
        model: &mut ModelPose,
        (joint, parent, subtree): (JointId, Option<JointId>, &Subtree),
        before: &Mat3,
    ) {
        let wanted = match self {
            Self::Follow => return,
            Self::Keep => orientation(before),
            Self::Turn(rotation) if rotation.is_finite() => {
                let turn = Turn::from_quat(rotation);
                let [x, y, z] = Vec3::AXES.map(|axis| turn.rotate(axis));
                Some(Mat3::from_cols(x, y, z))
            }
            Self::Turn(_) => None,
        };
        let now = orientation(&linear_of(model, joint));
        let space = Space::of(model, parent);
        if let (Some(wanted), Some(now), Some(space)) = (wanted, now, space) {
            let turn = Turn::between(now, wanted).seen_from(&space.inverse, space.mirrors);
            turn_joint(pose, joint, turn);
            model.recompose(subtree, pose);
        }
    }
}

/// Turns a joint in the space of its parent.
pub(crate) fn turn_joint(pose: &mut Pose, joint: JointId, turn: Turn) {
    let mut local = pose.joint_mut(joint);
    local.rotation = (turn * Turn::from_quat(local.rotation)).normalized().to_quat();
}
