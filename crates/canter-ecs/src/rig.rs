//! What kind of character an entity is, and the components that come with it.

use std::ops::Deref;
use std::sync::Arc;

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use canter::Skins;

use crate::frame_palettes::PaletteSlot;
use crate::model_pose::ModelPose;
use crate::palette::Palette;
use crate::placement::Placement;
use crate::pose::Pose;

/// The skeleton of an entity and the skins that follow it; entities of a kind share both.
///
/// It brings [`Pose`], [`ModelPose`] and [`Palette`] along, at rest, and takes them away when it is removed.
/// Insert another one to change the kind: the others are made anew.
///
/// It is read as a [`canter::Skeleton`]: `skeleton.joint("hand_R")`.
#[derive(Component, Clone, Debug)]
#[component(immutable, on_insert = bring_poses, on_remove = take_poses)]
#[require(Placement)]
pub struct Rig {
    skeleton: Arc<canter::Skeleton>,
    skins: Skins,
}

impl Rig {
    /// A skeleton with its skins. Without any, there are poses and attachments, but no palette.
    ///
    /// # Panics
    /// If a skin was made for a skeleton of another size.
    #[must_use]
    pub fn new(skeleton: &Arc<canter::Skeleton>, skins: impl Into<Skins>) -> Self {
        let skins = skins.into();
        assert!(skins.fits(skeleton), "a skin of a skeleton of another size");
        Self { skeleton: Arc::clone(skeleton), skins }
    }

    /// The skeleton as mixers and clips are made for it.
    #[must_use]
    pub fn shared(&self) -> &Arc<canter::Skeleton> {
        &self.skeleton
    }

    /// The skins, in the order of the palette.
    #[must_use]
    pub fn skins(&self) -> &Skins {
        &self.skins
    }
}

impl Deref for Rig {
    type Target = canter::Skeleton;

    fn deref(&self) -> &canter::Skeleton {
        &self.skeleton
    }
}

fn bring_poses(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(skeleton) = world.get::<Rig>(context.entity).cloned() else { return };
    let pose = Pose::rest(skeleton.shared());
    let model = ModelPose::rest(skeleton.shared());
    let palette = Palette::rest(&skeleton, &model);
    let mut commands = world.commands();
    commands.entity(context.entity).try_insert((pose, model, palette));
}

fn take_poses(mut world: DeferredWorld<'_>, context: HookContext) {
    let mut commands = world.commands();
    commands.entity(context.entity).try_remove::<(Pose, ModelPose, Palette, PaletteSlot)>();
}
