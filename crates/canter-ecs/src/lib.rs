//! Animated characters for engines that are built on `bevy_ecs`, without the rest of Bevy. [A page of the
//! guide](../guide/start/ecs.html) begins at the beginning; it is in `docs/guide` of the repository.
//!
//! # The simple way
//!
//! An entity with a [`Rig`], an [`AnimationClipLibrary`] and an [`AnimationPlayer`] plays one clip at a time.
//! After [`animation_playback_system`] has run, the player has `local_poses` and `joint_matrices`.
//!
//! ```
//! use bevy_ecs::prelude::*;
//! use canter_ecs::{AnimationClipLibrary, AnimationPlayer, Rig, Time, Update};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! let hero = canter_gltf::load("assets/hero.glb")?;
//! let mut world = World::new();
//! canter_ecs::install(&mut world, Update);
//! let figure = world.spawn((
//!     Rig::new(&hero.skeleton, hero.skins.clone()),
//!     AnimationClipLibrary::new(hero.clips.clone()),
//!     AnimationPlayer { clip_index: 1, ..AnimationPlayer::default() },
//! ));
//! let figure = figure.id();
//!
//! world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
//! world.run_schedule(Update);
//! let player = world.get::<AnimationPlayer>(figure).ok_or("gone")?;
//! assert_eq!(player.joint_matrices.len(), hero.skins[0].len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The full way
//!
//! [`AnimationMixer`] crossfades and blends clips, keeps them in step, and tells [`AnimationEvent`]s. Its
//! entity goes through the stages of [`AnimationSet`] one by one, and a system of yours goes between any two
//! of them:
//!
//! ```text
//!   Advance          Sample, Rig      Compose          Attach                 Palette
//! AnimationMixer ---> Pose ---> ModelPose ---> Placement of what ---> FramePalettes
//! AnimationEvent                     and Palette      is AttachedTo a joint  or GpuPalettes
//! AnimationMarker
//! StepMotion
//! ```
//!
//! ```
//! # use bevy_ecs::prelude::*;
//! # use canter_ecs::{Rig, Time, Update};
//! use canter_ecs::{AnimationMixer, AttachedTo, FramePalettes, Placement};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! # let hero = canter_gltf::load("assets/hero.glb")?;
//! # let mut world = World::new();
//! # canter_ecs::install(&mut world, Update);
//! world.init_resource::<FramePalettes>();
//! let skeleton = Rig::new(&hero.skeleton, hero.skins.clone());
//! let hand = skeleton.joint("hand_R");
//! let mut mixer = AnimationMixer::new(&skeleton);
//! mixer.crossfade_to(hero.clip("Idle")?, 0.0);
//! let figure = world.spawn((skeleton, mixer)).id();
//! let sword = world.spawn(AttachedTo { joint: hand, ..AttachedTo::new(figure) }).id();
//!
//! world.get_mut::<AnimationMixer>(figure).ok_or("gone")?.crossfade_to(hero.clip("Run")?, 0.3);
//! world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
//! world.run_schedule(Update);
//! let _draw_the_sword_at = world.get::<Placement>(sword);
//! let _upload = world.resource::<FramePalettes>().matrices();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Graphs
//!
//! [`AnimationGraph`] decides what a mixer plays, by states and blend spaces that are data; [`GraphParameters`] are
//! what it is told, [`AnimationGraphEvent`]s what it tells.
//!
//! # Solvers
//!
//! [`LookAt`], [`ChainIk`], [`TwoBoneIk`], [`FeetOnGround`], [`Twists`], [`PoseConstraints`] and [`SpringBones`] hold solvers of
//! `canter-rig` and what an entity wants of them; [`solve_poses`] lets them correct its pose before it is drawn.
//!
//! # Markers and root motion
//!
//! Both ways tell the markers of clips as messages, [`AnimationMarker`], and let entities travel by the root
//! motion of clips: [`StepMotion`] says which way they went, [`ApplyRootMotion`] moves their [`Placement`].
//!
//! ```
//! # use bevy_ecs::prelude::*;
//! # use canter_ecs::{AnimationMixer, Placement, Rig, Time, Update};
//! use canter_ecs::{AnimationMarker, AnimationSet, ApplyRootMotion};
//! use canter_gltf::LoadOptions;
//!
//! #[derive(Resource, Default)]
//! struct Footsteps(usize);
//!
//! fn count(mut markers: MessageReader<AnimationMarker>, mut footsteps: ResMut<Footsteps>) {
//!     footsteps.0 += markers.read().filter(|marker| marker.event.name.starts_with("foot_")).count();
//! }
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! # let mut world = World::new();
//! # canter_ecs::install(&mut world, Update);
//! world.init_resource::<Footsteps>();
//! world.resource_mut::<Schedules>().add_systems(Update, count.after(AnimationSet::Sample));
//! let hero = canter_gltf::load_with("assets/hero.glb", &LoadOptions::default().with_root_motion())?;
//! let rig = Rig::new(&hero.skeleton, hero.skins.clone());
//! let mut mixer = AnimationMixer::new(&rig);
//! mixer.crossfade_to(hero.clip("WalkRoot")?, 0.0);
//! let figure = world.spawn((rig, mixer, ApplyRootMotion)).id();
//!
//! world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
//! for _ in 0..105 {
//!     world.run_schedule(Update);
//! }
//! assert_eq!(world.resource::<Footsteps>().0, 4); // at 0, 0.5, 1 and 1.5 seconds
//! let place = world.get::<Placement>(figure).ok_or("gone")?.0.translation;
//! assert!((place.z - 1.75 * 1.02).abs() < 0.01); // metres
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What holds
//!
//! - Results equal those of the crate `canter`, bit for bit, on one thread and on many.
//! - Change detection tells the truth: what stands still is neither calculated nor marked as changed.
//! - Markers are told exactly once, in the order of time per entity, and the same on any number of threads.
//! - After a warm-up a frame allocates nothing, but for the tasks of Bevy's pool when there are many
//!   characters.
//! - Components can be removed, inserted again and replaced in any order; what does not fit stays at rest,
//!   with a warning.
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `multi_threaded` (default) | many characters are worked on by all threads of Bevy's `ComputeTaskPool` |
//! | `wgpu` | `GpuPalettes`: all palettes of a frame on the GPU, in one write |
//! | `renderer` | `canter-wgpu`'s renderer as well, which the example `game` uses |
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod attachment;
mod event;
mod frame_palettes;
#[cfg(feature = "wgpu")]
mod gpu_palettes;
mod graph;
mod marker;
mod mixer;
mod model_pose;
mod palette;
mod parallel;
mod placement;
mod player;
mod pose;
mod rig;
mod root_motion;
mod schedule;
mod solve;
mod solvers;
mod time;

pub use bevy_ecs;
pub use canter;
pub use canter_graph;
pub use canter_rig;

pub use attachment::{AttachedTo, Attachments};
pub use event::AnimationEvent;
pub use frame_palettes::{FramePalettes, PaletteSlot};
#[cfg(feature = "wgpu")]
pub use gpu_palettes::{GpuPalettes, PalettePlace, install_gpu, upload_palettes};
pub use graph::{AnimationGraph, AnimationGraphEvent, GraphParameters};
pub use marker::AnimationMarker;
pub use mixer::AnimationMixer;
pub use model_pose::ModelPose;
pub use palette::Palette;
pub use placement::Placement;
pub use player::{AnimationClipLibrary, AnimationPlayer, PlayerScratch, animation_playback_system};
pub use pose::Pose;
pub use rig::Rig;
pub use root_motion::{ApplyRootMotion, StepMotion};
pub use schedule::{AnimationSet, add_systems, install};
pub use solve::solve_poses;
pub use solvers::{
    ChainIk, FeetOnGround, GroundSurface, LookAt, PoseConstraints, Solver, SpringBones, Twists, TwoBoneIk,
    Wind,
};
pub use time::{Time, Update};
