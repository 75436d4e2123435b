//! Skeletal animation.

// The helpers of the tests in `tests` serve those beside the code, too; they know the crate by its name.
#[cfg(test)]
extern crate self as canter;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;

mod clip;
mod crowd;
mod fingerprint;
mod mat3x4;
mod mixer;
mod model_pose;
mod palette;
mod pose;
mod skeleton;
mod skin;
mod transform;

pub use glam;

pub use clip::{
    BoundClip, Clip, ClipBuilder, ClipData, ClipError, ClipFault, Interpolation, Property, Track, TrackError,
    TrackInfo, TrackTarget,
};
pub use crowd::Crowd;
pub use mat3x4::Mat3x4;
pub use mixer::{
    Action, ActionId, Easing, Event, EventKind, Fade, JointMask, LoopMode, MissingClip, Mixer, MixerState,
    Play,
};
pub use model_pose::ModelPose;
pub use palette::PaletteMatrix;
pub use pose::{JointMut, Pose};
pub use skeleton::{JointId, MorphId, Skeleton, SkeletonBuilder, SkeletonError};
pub use skin::{Skin, SkinError};
pub use transform::Transform;
