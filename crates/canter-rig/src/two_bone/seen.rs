//! A limb and its goal in the space in which it is solved.

use canter::ModelPose;

use super::{LimbGoal, TwoBone};
use crate::space::{Space, linear_of, position};
use crate::vector::Vector3;

/// Where everything is that counts for how a limb is bent.
pub(super) struct Seen {
    /// Start, middle and end.
    pub(super) joints: [Vector3; 3],
    pub(super) target: Vector3,
    pub(super) pole: Option<Vector3>,
    /// The axis of the middle joint, or some axis across the limb; of any length.
    pub(super) hinge: Vector3,
    pub(super) twist: f32,
}

impl TwoBone {
    /// In the model. Where that shows the limb in a mirror, hinges turn the other way.
    #[inline]
    pub(super) fn seen_in_model(&self, model: &ModelPose, goal: &LimbGoal, mirrors: bool) -> Seen {
        let hinge = linear_of(model, self.joints[0]) * self.hinge.unwrap_or(self.some_hinge);
        let [start, middle, end] = self.joints;
        Seen {
            joints: [position(model, start), position(model, middle), position(model, end)],
            target: goal.position.into(),
            pole: goal.pole.map(Vector3::from),
            hinge: if mirrors { -hinge } else { hinge },
            twist: goal.twist,
        }
    }

    /// In the space of what the limb hangs on.
    pub(super) fn seen_in(&self, space: &Space, model: &ModelPose, goal: &LimbGoal) -> Seen {
        let hinge = linear_of(model, self.joints[0]) * self.hinge.unwrap_or(self.some_hinge);
        Seen {
            joints: self.joints.map(|joint| space.joint(model, joint)),
            target: space.point(goal.position.into()),
            pole: goal.pole.map(|pole| space.point(pole.into())),
            hinge: space.inverse * hinge,
            twist: if space.mirrors { -goal.twist } else { goal.twist },
        }
    }
}
