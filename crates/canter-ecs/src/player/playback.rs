//! The system that runs all stages of the players.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::{ActionId, Clip, LoopMode, Mixer, Play};

use super::fault::{Told, playable};
use super::{AnimationClipLibrary, AnimationPlayer};
use crate::mixer::AnimationMixer;
use crate::model_joints::ModelJoints;
use crate::palette::Palette;
use crate::parallel::for_each;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::time::Time;

/// Working memory of [`animation_playback_system`]; comes with [`AnimationPlayer`], and says nothing to others.
#[derive(Component, Debug, Default)]
pub struct PlayerScratch {
    /// Samples the clip without allocating, whatever its tracks are like.
    sampler: Option<Sampler>,
    told: Told,
}

#[derive(Debug)]
struct Sampler {
    mixer: Mixer,
    action: ActionId,
}

impl Sampler {
    fn new(skeleton: &Arc<canter::Skeleton>, clip: &Arc<Clip>) -> Self {
        let mut mixer = Mixer::new(skeleton);
        // Times beyond the clip show its ends.
        let action = mixer.play(clip, Play { loop_mode: LoopMode::Once, ..Play::default() });
        Self { mixer, action }
    }

    fn plays(&self, skeleton: &Arc<canter::Skeleton>, clip: &Arc<Clip>) -> bool {
        let action = self.mixer.get(self.action);
        Arc::ptr_eq(self.mixer.skeleton(), skeleton) && action.is_some_and(|at| Arc::ptr_eq(at.clip(), clip))
    }
}

/// A player with all that it reads and writes.
type Player = (
    (Entity, &'static mut AnimationPlayer, &'static mut PlayerScratch),
    (Ref<'static, Skeleton>, Ref<'static, AnimationClipLibrary>),
    (&'static mut LocalPose, &'static mut ModelJoints, &'static mut Palette),
);

/// Advances, samples and composes all [`AnimationPlayer`]s by the step of [`Time`], and writes their matrices.
///
/// [`install`](crate::install) adds it with the others; on its own it needs nothing but the resource `Time`. Entities that
/// stand still are not touched.
pub fn animation_playback_system(
    time: Res<'_, Time>,
    players: Query<'_, '_, Player, Without<AnimationMixer>>,
) {
    let step_secs = f64::from(time.step_secs());
    for_each(
        players,
        |((entity, mut player, mut scratch), (skeleton, library), (mut pose, mut model, mut palette))| {
            let was_edited =
                player.is_changed() || library.is_changed() || skeleton.is_changed() || pose.is_changed();
            match playable(&player, &library, &skeleton) {
                Ok(clip) => {
                    let moves = player.bypass_change_detection().advance(step_secs, clip.duration_secs());
                    if !(moves || was_edited) || !Arc::ptr_eq(pose.skeleton(), skeleton.shared()) {
                        return;
                    }
                    scratch.sample(player.time, clip, &mut pose);
                }
                Err(_) if !was_edited => return,
                Err(fault) => {
                    scratch.told.warn(fault, entity, &player, library.clips.len());
                    pose.reset();
                }
            }
            model.compose(&pose);
            palette.write(&skeleton, &model);
            player.show(&skeleton, &pose, &model);
        },
    );
}

impl PlayerScratch {
    fn sample(&mut self, secs: f32, clip: &Arc<Clip>, pose: &mut LocalPose) {
        if !self.sampler.as_ref().is_some_and(|sampler| sampler.plays(pose.skeleton(), clip)) {
            self.sampler = Some(Sampler::new(pose.skeleton(), clip));
        }
        if let Some(Sampler { mixer, action }) = &mut self.sampler {
            mixer.seek(*action, secs);
            mixer.sample(pose.pose_mut());
        }
    }
}

impl AnimationPlayer {
    /// Moves the clock; answers whether that changed anything.
    fn advance(&mut self, step_secs: f64, length_secs: f32) -> bool {
        let before = (self.time, self.playing);
        if self.playing {
            let secs = f64::from(self.time) + step_secs * f64::from(self.speed);
            if self.looping {
                self.time = wrapped(secs, length_secs);
            } else {
                let is_over = if self.speed < 0.0 { secs <= 0.0 } else { secs >= f64::from(length_secs) };
                self.time = narrow(secs).clamp(0.0, length_secs);
                self.playing = !(is_over && self.speed != 0.0);
            }
        }
        before != (self.time, self.playing)
    }

    /// Publishes what was calculated. Allocates when the skeleton is a new one.
    fn show(&mut self, skeleton: &Skeleton, pose: &LocalPose, model: &ModelJoints) {
        if !model.is_of(skeleton.shared()) || pose.joint_count() != skeleton.joint_count() {
            return;
        }
        self.local_poses.clear();
        self.local_poses.extend(skeleton.joints().map(|joint| pose.joint(joint)));
        if skeleton.skins().is_empty() {
            self.joint_matrices.clear();
            self.joint_matrices.extend(model.joints().iter().map(|matrix| matrix.to_mat4()));
            return;
        }
        self.joint_matrices.resize(skeleton.skins().matrix_count(), canter::glam::Mat4::IDENTITY);
        skeleton.skins().write_palettes(model, &mut self.joint_matrices);
    }
}

/// Brings a time into the loop, for either direction and any number of loops.
fn wrapped(secs: f64, length_secs: f32) -> f32 {
    let wrapped = narrow(secs.rem_euclid(f64::from(length_secs)));
    // Rounding may put it on the end, which shows the last pose instead of the first.
    if wrapped < length_secs { wrapped } else { 0.0 }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
fn narrow(secs: f64) -> f32 {
    secs as f32
}
