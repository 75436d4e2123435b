//! Where every joint of an entity stands relative to the entity.

use std::ops::Deref;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::ModelPose;

use crate::mixer::Staged;
use crate::parallel::for_each;
use crate::pose::LocalPose;

/// The `model_from_joint` matrices of an entity, as composed in this frame; comes with [`Skeleton`](crate::Skeleton).
/// It is read as a [`ModelPose`].
#[derive(Component, Debug)]
pub struct ModelJoints {
    skeleton: Arc<canter::Skeleton>,
    model: ModelPose,
}

impl ModelJoints {
    pub(crate) fn rest(skeleton: &Arc<canter::Skeleton>) -> Self {
        Self { skeleton: Arc::clone(skeleton), model: ModelPose::rest(skeleton) }
    }

    /// Composes a pose, unless it is one of another skeleton: components of two entities were swapped then.
    pub(crate) fn compose(&mut self, pose: &LocalPose) {
        if Arc::ptr_eq(&self.skeleton, pose.skeleton()) {
            self.model.compose(&self.skeleton, pose);
        }
    }

    /// Whether it has the matrices of this skeleton.
    pub(crate) fn is_of(&self, skeleton: &Arc<canter::Skeleton>) -> bool {
        Arc::ptr_eq(&self.skeleton, skeleton)
    }
}

impl Deref for ModelJoints {
    type Target = ModelPose;

    fn deref(&self) -> &ModelPose {
        &self.model
    }
}

/// Composes the poses that changed.
pub(crate) fn compose_poses(
    poses: Query<'_, '_, (Ref<'static, LocalPose>, &'static mut ModelJoints), Staged>,
) {
    for_each(poses, |(pose, mut model)| {
        if pose.is_changed() {
            model.compose(&pose);
        }
    });
}
