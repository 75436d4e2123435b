//! The twist of a hand or a thigh, spread along the limb, so that a sleeve does not wring.
//!
//! ```
//! # use canter::glam::{Quat, Vec3};
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("forearm", None, Transform::IDENTITY);
//! # joints.joint("hand", Some(0), Transform::from_translation(Vec3::X));
//! # joints.joint("twist", Some(0), Transform::from_translation(Vec3::X * 0.5));
//! # let skeleton = joints.build()?;
//! # let [hand, twist] = ["hand", "twist"].map(|name| skeleton.joint(name).unwrap());
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::Twist;
//!
//! let forearm = Twist::new(&skeleton, hand, Vec3::X, &[(twist, 0.5)])?;
//! pose.joint_mut(hand).rotation = Quat::from_rotation_x(1.0);
//! model.compose(&skeleton, &pose);
//! forearm.apply(&mut pose, &mut model);
//! assert!(pose.joint(twist).rotation.abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Half a turn has two ways; the share then takes the one that the quaternion is on, and jumps beyond it.

use canter::glam::Vec3;
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree};

use crate::error::{RigError, check_direction, check_range};
use crate::turn::Turn;
use crate::vector::Vector3;

/// Joints that take a share of another one's twist; see the [module](self).
#[derive(Clone, Debug)]
pub struct Twist {
    source: JointId,
    source_rest: Turn,
    /// In the space of the source's parent.
    axis: Vector3,
    joints: Vec<TwistJoint>,
    subtree: Subtree,
}

#[derive(Clone, Copy, Debug)]
struct TwistJoint {
    joint: JointId,
    rest: Turn,
    share: f32,
    /// Whether it hangs on the source: then it turns back what is not its share.
    is_below: bool,
}

impl Twist {
    /// For a source, a hand or a thigh, and the axis of the bone, in the space of the source's parent. Joints
    /// that hang beside the source (along a forearm) turn by their share of its twist, those that hang on it
    /// (along a thigh) turn back so that their share is left.
    ///
    /// # Errors
    /// If a joint hangs neither beside the source nor on it, a share is not from 0 to 1, or the axis has no
    /// length.
    pub fn new(
        skeleton: &Skeleton,
        source: JointId,
        axis: Vec3,
        joints: &[(JointId, f32)],
    ) -> Result<Self, RigError> {
        let rest = |joint| Turn::from_quat(skeleton.rest(joint).rotation);
        let mut shares = Vec::with_capacity(joints.len());
        for &(joint, share) in joints {
            let share = check_range("share", share, 0.0, 1.0)?;
            let parent = skeleton.parent(joint);
            let is_below = parent == Some(source);
            if joint == source || !(is_below || parent == skeleton.parent(source)) {
                let name = |joint| skeleton.name(joint).to_owned();
                return Err(RigError::NotInLine { joint: name(joint), parent: name(source) });
            }
            shares.push(TwistJoint { joint, rest: rest(joint), share, is_below });
        }
        let ids: Vec<JointId> = joints.iter().map(|&(joint, _)| joint).collect();
        Ok(Self {
            source,
            source_rest: rest(source),
            axis: check_direction("axis", axis)?.into(),
            joints: shares,
            subtree: Subtree::new(skeleton, &ids),
        })
    }

    /// Turns the joints, and composes again what hangs on them.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(&self, pose: &mut Pose, model: &mut ModelPose) {
        let source = Turn::from_quat(pose.joint(self.source).rotation);
        let twist = (source * self.source_rest.inverse()).twist(self.axis);
        let below = source.inverse().rotate(self.axis);
        let angle = twist.radians_about(self.axis);
        for joint in &self.joints {
            let turn = if joint.is_below {
                Turn::about(below, angle * (joint.share - 1.0))
            } else {
                Turn::about(self.axis, angle * joint.share)
            };
            pose.joint_mut(joint.joint).rotation = (turn * joint.rest).normalized().to_quat();
        }
        model.recompose(&self.subtree, pose);
    }
}
