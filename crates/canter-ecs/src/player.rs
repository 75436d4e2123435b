//! The simple way: one clip at a time.

mod fault;
mod playback;

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::Mat4;
use canter::{Clip, Fade, Transform};

pub(crate) use playback::tell_players;
pub use playback::{PlayerScratch, animation_playback_system};

/// Plays one clip of an entity's [`AnimationClipLibrary`] on its [`Rig`](crate::Rig).
///
/// Fields are plain values: set them at any time. A `time` that is written is a seek: markers on the way
/// there are not told. For several clips at once, layers and events there is
/// [`AnimationMixer`](crate::AnimationMixer); an entity that has both goes by the mixer.
///
/// ```
/// use canter_ecs::AnimationPlayer;
///
/// let player = AnimationPlayer { clip_index: 2, speed: 1.5, ..AnimationPlayer::default() };
/// assert!(player.looping && player.playing);
/// ```
#[derive(Component, Clone, Debug, PartialEq)]
#[require(AnimationClipLibrary, PlayerScratch)]
pub struct AnimationPlayer {
    /// Which clip of the library.
    pub clip_index: usize,
    /// The instant of the clip in seconds. One beyond the clip is wrapped if it loops, else it counts as the
    /// nearest end.
    pub time: f32,
    /// Seconds of the clip per second; 0 stands still, negative runs backwards.
    pub speed: f32,
    /// Whether it starts again at its end. Otherwise it stops playing there, and holds its last pose.
    pub looping: bool,
    /// Whether time passes.
    pub playing: bool,
    /// How it leads to another clip when `clip_index` changes; at once unless set. A fade of a kind that
    /// starts from what is on screen, such as [`Fade::dead`], may be interrupted at any time.
    pub fade: Fade,
    /// Every joint relative to its parent, in skeleton order. Written by the system.
    pub local_poses: Vec<Transform>,
    /// The matrices of all skins, one skin behind another: each joint's place in the model times its inverse
    /// bind matrix. The places themselves if there is no skin. Written by the system.
    pub joint_matrices: Vec<Mat4>,
}

impl Default for AnimationPlayer {
    /// The first clip from its start, endlessly, at normal speed.
    fn default() -> Self {
        Self {
            clip_index: 0,
            time: 0.0,
            speed: 1.0,
            looping: true,
            playing: true,
            fade: Fade::default(),
            local_poses: Vec::new(),
            joint_matrices: Vec::new(),
        }
    }
}

/// The clips that an entity's [`AnimationPlayer`] can play. Clips may be added at any time.
#[derive(Component, Clone, Debug, Default)]
pub struct AnimationClipLibrary {
    /// The clips, as `clip_index` counts them.
    pub clips: Vec<Arc<Clip>>,
}

impl AnimationClipLibrary {
    /// A library of these clips.
    #[must_use]
    pub fn new(clips: impl Into<Vec<Arc<Clip>>>) -> Self {
        Self { clips: clips.into() }
    }

    /// The index of the clip of that name.
    #[must_use]
    pub fn index(&self, name: &str) -> Option<usize> {
        self.clips.iter().position(|clip| clip.name() == name)
    }
}
