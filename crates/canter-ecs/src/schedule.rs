//! The order of the systems.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;

use crate::attachment::place_attachments;
use crate::event::AnimationEvent;
use crate::frame_palettes::{FramePalettes, collect_palettes};
use crate::graph::{AnimationGraphEvent, update_graphs};
use crate::marker::AnimationMarker;
use crate::mixer::{advance_mixers, sample_mixers};
use crate::model_pose::compose_poses;
use crate::player::{animation_playback_system, tell_players};
use crate::solve::{solve_poses, wake_solved};
use crate::time::Time;

/// The stages of a frame, in order. A system of yours goes between two of them:
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use canter_ecs::{AnimationSet, Pose};
/// # let mut schedule = Schedule::default();
/// # canter_ecs::add_systems(&mut schedule);
/// fn recoil(mut poses: Query<&mut Pose>) {
///     // …
/// }
/// schedule.add_systems(recoil.in_set(AnimationSet::Rig));
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnimationSet {
    /// Graphs decide what plays; clocks and fades move on; events and markers are told, and root motion is.
    Advance,
    /// Mixers write [`Pose`](crate::Pose), and what follows from it as long as nobody edits it. Players run
    /// all of their stages here, and tell their markers and root motion.
    Sample,
    /// Solvers correct poses: [`solve_poses`]. For systems of yours that do, too; see
    /// [`Pose::correct`](crate::Pose::correct).
    Rig,
    /// Poses that were edited become [`ModelPose`](crate::ModelPose) and [`Palette`](crate::Palette)s anew.
    Compose,
    /// What is [`AttachedTo`](crate::AttachedTo) a joint gets its [`Placement`](crate::Placement).
    Attach,
    /// All [`Palette`](crate::Palette)s are put behind one another, if there is a resource [`FramePalettes`].
    Palette,
}

/// Adds the resources and systems of this crate to a world, the systems to the schedule of this label.
///
/// The schedule is made if there is none yet; `world.run_schedule(label)` runs a frame.
pub fn install(world: &mut World, label: impl ScheduleLabel) {
    world.init_resource::<Time>();
    world.init_resource::<Messages<AnimationEvent>>();
    world.init_resource::<Messages<AnimationMarker>>();
    world.init_resource::<Messages<AnimationGraphEvent>>();
    world.init_resource::<Schedules>();
    add_systems(world.resource_mut::<Schedules>().entry(label));
}

/// Adds the systems alone, to a schedule of yours. They use the resources [`Time`],
/// `Messages<AnimationEvent>` and `Messages<AnimationMarker>`; graphs run if there is a
/// `Messages<AnimationGraphEvent>`.
pub fn add_systems(schedule: &mut Schedule) {
    use AnimationSet::{Advance, Attach, Compose, Palette, Rig, Sample};
    schedule.configure_sets((Advance, Sample, Rig, Compose, Attach, Palette).chain());
    schedule.add_systems((
        (advance_mixers, update_graphs.run_if(resource_exists::<Messages<AnimationGraphEvent>>))
            .chain()
            .in_set(Advance),
        wake_solved.after(Advance).before(Sample),
        (sample_mixers, (animation_playback_system, tell_players).chain()).in_set(Sample),
        solve_poses.in_set(Rig),
        compose_poses.in_set(Compose),
        place_attachments.in_set(Attach),
        collect_palettes.run_if(resource_exists::<FramePalettes>).in_set(Palette),
    ));
}
