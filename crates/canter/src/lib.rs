//! Skeletal animation: clips are sampled, blended, composed and made into the matrices that move a skinned
//! mesh. New here? [The guide](../guide/start/core.html) begins with a file and ends with a figure; it is in
//! `docs/guide` of the repository.
//!
//! 1. **Exact.** Playing a clip gives what the formulas of glTF 2.0 give.
//! 2. **Fast.** Eight joints at a time, nothing allocated per frame; under a microsecond for a crossfading
//!    character of 64 joints, if it is alone.
//! 3. **The same bits on every CPU.** Only + - * / and square roots, in a fixed order.
//! 4. **Infallible per frame.** What cannot be played is refused when it is built, with an error that says
//!    what and where.
//!
//! # From clips to a palette
//!
//! ```text
//! Clip --sample--> +-------+  blend  +------+ compose +-----------+ x joint_from_mesh +---------+
//! Clip --sample--> | Mixer | ------> | Pose | ------> | ModelPose | ----------------> | palette |
//! Clip --sample--> +-------+         +------+         +-----------+                   +---------+
//! time, weight, fade              joint-local      model_from_joint                model_from_mesh
//! ```
//!
//! Every stage is a function from values to values, and a line of yours goes between any two of them. The crate
//! `canter-gltf` reads skeleton, clips and skin from a file; here they are two joints that turn:
//!
//! ```
//! use std::sync::Arc;
//!
//! use canter::glam::{Mat4, Quat, Vec3};
//! use canter::{Clip, Mat3x4, Mixer, ModelPose, Play, Pose, Skeleton, Skin, Track, Transform};
//!
//! let mut joints = Skeleton::builder();
//! let hips = joints.joint("hips", None, Transform::IDENTITY);
//! joints.joint("head", Some(hips), Transform::from_translation(Vec3::Y));
//! let skeleton = Arc::new(joints.build()?);
//! let (hips, head) = (skeleton.joint("hips").ok_or("no hips")?, skeleton.joint("head").ok_or("no head")?);
//! let swing = |name, angle: f32| {
//!     let mut clip = Clip::builder(name, &skeleton);
//!     let angles = [0.0, angle, 0.0].map(Quat::from_rotation_y);
//!     clip.rotation(hips, Track::linear(vec![0.0, 0.5, 1.0], angles.to_vec()));
//!     clip.build().map(Arc::new)
//! };
//! let (idle, run) = (swing("Idle", 0.1)?, swing("Run", 0.5)?);
//! let skin = Skin::new(&skeleton, skeleton.joints().collect(), &[Mat4::IDENTITY; 2])?;
//!
//! let mut mixer = Mixer::new(&skeleton);
//! let mut pose = Pose::rest(&skeleton);
//! let mut model = ModelPose::rest(&skeleton);
//! let mut palette = vec![Mat3x4::IDENTITY; skin.len()];
//!
//! mixer.play(&idle, Play::default());
//! mixer.crossfade_to(&run, 0.3);
//! for _ in 0..60 {
//!     mixer.advance(1.0 / 60.0);
//!     mixer.sample(&mut pose);
//!     pose.joint_mut(head).rotation *= Quat::from_rotation_x(0.2); // a nod of your own
//!     model.compose(&skeleton, &pose);
//!     skin.write_palette(&model, &mut palette); // upload this
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Crowd`] runs all stages for many characters in one call. Files are read by the crate `canter-gltf`.
//!
//! # Conventions
//!
//! Seconds, metres, radians; right-handed, Y up; column vectors. Matrices are named `target_from_source`.
//! Joints are ordered parents before children, whatever the order of the file;
//! [`Skeleton::joint_from_source`] leads back.
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `serde` | [`Skeleton`], [`ClipData`], [`MixerState`] and [`JointMask`] can be stored and read back |
//! | `bytemuck` | palette matrices are plain old data: `bytemuck::cast_slice(&palette)` |
//! | `rayon` | [`Crowd::update`] uses all cores |
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(canter_web, feature(optimize_attribute))]

mod arena;
mod clip;
mod clock;
mod crowd;
mod fingerprint;
mod float_text;
mod kernel;
mod mat3x4;
pub mod math;
mod mirror;
mod mixer;
mod model_pose;
mod palette;
mod pose;
mod prefetch;
mod skeleton;
mod skin;
mod skins;
#[cfg(test)]
mod testing;
mod transform;
mod warn;

pub use glam;

pub use arena::{Arena, ArenaId, ArenaSlot};
pub use clip::{
    AdditiveError, AdditiveReference, BoundClip, Clip, ClipBuilder, ClipData, ClipError, ClipFault,
    ClipTrack, Contact, Contacts, Curve, Interpolation, Marker, MarkerError, MarkerName, PackError, PackMode,
    PackOptions, Packed, PackedBytesError, Property, RootCurve, RootMotion, RootMotionError, RootMotionFault,
    Track, TrackError, TrackTarget,
};
pub use clock::{Clock, LoopMode, Moment, Span};
pub use crowd::{Crowd, UpdateRate};
#[doc(hidden)]
pub use float_text::FloatText;
pub use mat3x4::Mat3x4;
pub use mirror::{Mirror, MirrorError};
pub use mixer::{
    Action, ActionError, ActionId, ActionMut, Easing, Event, EventKind, Events, Fade, FadeKind, JointMask,
    Layer, LayerError, LayerId, LayerMode, LayerMut, MarkerEvent, MarkerEvents, MarkerKind, MaskError, Mixer,
    MixerState, Pace, Play, PlayError, RootStep, Setting, StateError, SyncGroup, SyncKind,
};
pub use model_pose::{ModelPose, Subtree};
pub use palette::PaletteMatrix;
pub use pose::{JointMut, Pose};
pub use skeleton::{JointId, MorphId, Skeleton, SkeletonBuilder, SkeletonError};
pub use skin::{Skin, SkinError};
pub use skins::Skins;
pub use transform::{LARGEST, LARGEST_F64, Transform};
