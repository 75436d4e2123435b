//! Where every joint of an entity stands relative to its parent.

use std::ops::Deref;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::{JointId, JointMut, MorphId, Transform};

/// The pose of an entity, as sampled in this frame; comes with [`Rig`](crate::Rig).
///
/// It is read as a [`canter::Pose`]. A system of yours edits it between
/// [`AnimationSet::Sample`](crate::AnimationSet) and
/// [`AnimationSet::Compose`](crate::AnimationSet). What is edited is sampled anew in the next frame: edits do not add up.
#[derive(Component, Debug)]
pub struct Pose {
    skeleton: Arc<canter::Skeleton>,
    pose: canter::Pose,
}

impl Pose {
    pub(crate) fn rest(skeleton: &Arc<canter::Skeleton>) -> Self {
        Self { skeleton: Arc::clone(skeleton), pose: canter::Pose::rest(skeleton) }
    }

    /// The skeleton that it is a pose of.
    #[must_use]
    pub fn skeleton(&self) -> &Arc<canter::Skeleton> {
        &self.skeleton
    }

    /// Puts everything back to rest.
    pub fn reset(&mut self) {
        self.pose.reset(&self.skeleton);
    }

    /// Replaces the transform of a joint.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn set_joint(&mut self, joint: JointId, transform: Transform) {
        self.pose.set_joint(joint, transform);
    }

    /// The transform of a joint to edit in place; the pose has it when the guard is dropped.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn joint_mut(&mut self, joint: JointId) -> JointMut<'_> {
        self.pose.joint_mut(joint)
    }

    /// The weights of a morph set, to edit.
    ///
    /// # Panics
    /// If the set belongs to a skeleton with more sets.
    pub fn morph_weights_mut(&mut self, morph: MorphId) -> &mut [f32] {
        self.pose.morph_weights_mut(morph)
    }

    /// Not public: a pose of another size put here would not fit the skeleton.
    pub(crate) fn pose_mut(&mut self) -> &mut canter::Pose {
        &mut self.pose
    }
}

impl Deref for Pose {
    type Target = canter::Pose;

    fn deref(&self) -> &canter::Pose {
        &self.pose
    }
}
