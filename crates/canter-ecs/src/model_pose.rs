//! Where every joint of an entity stands relative to the entity.

use std::ops::Deref;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemChangeTick;

use crate::mixer::Staged;
use crate::palette::Palette;
use crate::parallel::for_each;
use crate::pose::Pose;
use crate::rig::Rig;

/// The `model_from_joint` matrices of an entity, as composed in this frame; comes with [`Rig`](crate::Rig).
/// It is read as a [`canter::ModelPose`].
#[derive(Component, Debug)]
pub struct ModelPose {
    skeleton: Arc<canter::Skeleton>,
    model: canter::ModelPose,
}

impl ModelPose {
    pub(crate) fn rest(skeleton: &Arc<canter::Skeleton>) -> Self {
        Self { skeleton: Arc::clone(skeleton), model: canter::ModelPose::rest(skeleton) }
    }

    /// Composes a pose, unless it is one of another skeleton: components of two entities were swapped then.
    pub(crate) fn compose(&mut self, pose: &Pose) {
        if Arc::ptr_eq(&self.skeleton, pose.skeleton()) {
            self.model.compose(&self.skeleton, pose);
        }
    }

    pub(crate) fn model_mut(&mut self) -> &mut canter::ModelPose {
        &mut self.model
    }

    /// Whether it has the matrices of this skeleton.
    pub(crate) fn is_of(&self, skeleton: &Arc<canter::Skeleton>) -> bool {
        Arc::ptr_eq(&self.skeleton, skeleton)
    }
}

impl Deref for ModelPose {
    type Target = canter::ModelPose;

    fn deref(&self) -> &canter::ModelPose {
        &self.model
    }
}

/// A pose and what follows from it.
type Figure = (&'static Rig, Ref<'static, Pose>, &'static mut ModelPose, &'static mut Palette);

/// Composes the poses that were edited since the mixers wrote them: those have gone through all stages
/// already.
pub(crate) fn compose_poses(poses: Query<'_, '_, Figure, Staged>, ticks: SystemChangeTick) {
    for_each(poses, |(skeleton, pose, mut model, mut palette)| {
        if pose.last_changed().is_newer_than(model.last_changed(), ticks.this_run()) {
            model.compose(&pose);
            palette.write(skeleton, &model);
        }
    });
}
