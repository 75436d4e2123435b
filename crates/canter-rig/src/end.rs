//! How the last joint of a chain is turned.

use canter::glam::Quat;
use canter::{JointId, ModelPose, Pose};

use crate::space::{Axes, evenness, linear_of, orientation, transpose_of};
use crate::turn::Turn;
use crate::vector::{Matrix3, Vector3};

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

/// How the last joint is turned from where it was in the model; `None` if it goes with the limb.
pub(crate) type EndTurn = Option<Turn>;

impl LimbEnd {
    /// By its matrix in the animated pose. A joint that is flat goes with its limb.
    #[inline]
    pub(crate) fn turn(self, before: &Matrix3) -> EndTurn {
        match self {
            Self::Follow => None,
            Self::Keep => Some(Turn::IDENTITY),
            Self::Turn(rotation) if rotation.is_finite() => {
                let turn = Turn::from_quat(rotation);
                let [x, y, z] = Vector3::AXES.map(|axis| turn.rotate(axis));
                Some(Turn::between(orientation(before)?, Matrix3::from_cols(x, y, z)))
            }
            Self::Turn(_) => None,
        }
    }
}

/// Turns the last joint, which hangs on `parent`, after its limb is solved and composed. It stays as it is if
/// it, or what is above it, is flat.
pub(crate) fn turn_end(
    pose: &mut Pose,
    model: &ModelPose,
    (joint, parent): (JointId, Option<JointId>),
    before: &Matrix3,
    turn: Turn,
) {
    let before = orientation(before).map(|axes| turn.turn_axes(axes));
    let (now, axes) = (orientation(&linear_of(model, joint)), Axes::of(model, parent));
    if let (Some(wanted), Some(now), Some(axes)) = (before, now, axes) {
        turn_joint(pose, joint, Turn::between(now, wanted).seen_from(&axes));
    }
}

/// Turns a joint in the space of its parent.
#[inline]
pub(crate) fn turn_joint(pose: &mut Pose, joint: JointId, turn: Turn) {
    pose.set_rotation(joint, turn.turn_quat(pose.rotation(joint)));
}

/// Turns a joint, which hangs on `parent`, by what is told in the model. It stays as it is if what it hangs on
/// is flat.
#[inline]
pub(crate) fn turn_in_model(
    pose: &mut Pose,
    model: &ModelPose,
    (joint, parent): (JointId, Option<JointId>),
    turn: Turn,
) {
    let Some(parent) = parent else { return turn_joint(pose, joint, turn) };
    let transpose = transpose_of(model, parent);
    if let Some(mirrors) = evenness(&transpose) {
        turn_joint(pose, joint, turn.seen_evenly(&transpose, mirrors));
    } else if let Some(axes) = Axes::of(model, Some(parent)) {
        turn_joint(pose, joint, turn.seen_from(&axes));
    }
}
