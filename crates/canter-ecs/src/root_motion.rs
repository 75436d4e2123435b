//! The way that entities make by the root motion of their clips.

use std::ops::Deref;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use canter::glam::DAffine3;
use canter::{RootStep, Transform};

use crate::placement::Placement;

/// The way that an entity made in the last step, by the root motion of its clips. Insert it to have it
/// written; whoever has none pays nothing. It is read as a [`RootStep`].
///
/// Written in [`AnimationSet::Advance`](crate::AnimationSet) where there is an
/// [`AnimationMixer`](crate::AnimationMixer), in [`AnimationSet::Sample`](crate::AnimationSet) where there is
/// an [`AnimationPlayer`](crate::AnimationPlayer), and marked as changed only when it is another one than
/// before. Without either of them the entity stands.
///
/// Apply it as you like, through a physics engine for example, or let [`ApplyRootMotion`] do so:
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use canter::glam::Vec3;
/// use canter_ecs::StepMotion;
///
/// # #[derive(Component)]
/// # struct Body { velocity: Vec3 }
/// fn push(mut bodies: Query<(&StepMotion, &mut Body), Changed<StepMotion>>) {
///     for (motion, mut body) in &mut bodies {
///         body.velocity = motion.velocity; // as seen from where the character stands
///     }
/// }
/// # let mut schedule = Schedule::default();
/// # schedule.add_systems(push);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct StepMotion(pub RootStep);

impl Deref for StepMotion {
    type Target = RootStep;

    fn deref(&self) -> &RootStep {
        &self.0
    }
}

/// Moves the entity's [`Placement`] by its [`StepMotion`], when that is written. An entity that is
/// [`AttachedTo`](crate::AttachedTo) another goes where that goes.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use canter::glam::DVec3;
/// # use canter_ecs::{Placement, Rig, Time, Update};
/// use canter_ecs::{AnimationMixer, ApplyRootMotion};
/// use canter_gltf::LoadOptions;
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// # let mut world = World::new();
/// # canter_ecs::install(&mut world, Update);
/// let hero = canter_gltf::load_with("assets/hero.glb", &LoadOptions::default().with_root_motion())?;
/// let rig = Rig::new(&hero.skeleton, hero.skins.clone());
/// let mut mixer = AnimationMixer::new(&rig);
/// mixer.crossfade_to(hero.clip("WalkRoot")?, 0.0);
/// let figure = world.spawn((rig, mixer, ApplyRootMotion)).id();
///
/// world.resource_mut::<Time>().delta_secs = 1.0;
/// world.run_schedule(Update);
/// let place = world.get::<Placement>(figure).ok_or("gone")?.0.translation;
/// assert!((place - DVec3::new(0.0, 0.0, 1.02)).length() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(StepMotion, Placement)]
pub struct ApplyRootMotion;

/// What follows an entity's root motion.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Root {
    motion: &'static mut StepMotion,
    placement: Option<&'static mut Placement>,
    applies: Has<ApplyRootMotion>,
}

impl RootItem<'_, '_> {
    /// Goes along with a step.
    pub(crate) fn follow(&mut self, step: RootStep) {
        self.motion.set_if_neq(StepMotion(step));
        if self.applies
            && step.transform != Transform::IDENTITY
            && let Some(placement) = &mut self.placement
        {
            placement.0 *= world_step(step.transform);
        }
    }
}

/// A step in the precision of the world. Rotations are made unit length again: what is rounded away in `f32`
/// would let a figure that turns for hours shrink.
fn world_step(transform: Transform) -> DAffine3 {
    let rotation = transform.rotation.as_dquat().normalize();
    DAffine3::from_rotation_translation(rotation, transform.translation.as_dvec3())
}
