//! The system that runs all stages of the players.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::{ActionError, ActionId, Clip, Fade, LoopMode, Mixer, Play, RootStep};

use super::fault::{Fault, Told, playable};
use super::{AnimationClipLibrary, AnimationPlayer};
use crate::marker::MarkerWriter;
use crate::mixer::AnimationMixer;
use crate::model_pose::ModelPose;
use crate::palette::Palette;
use crate::parallel::for_each;
use crate::pose::Pose;
use crate::rig::Rig;
use crate::root_motion::{Root, StepMotion};
use crate::time::Time;

/// Working memory of [`animation_playback_system`]; comes with [`AnimationPlayer`], and says nothing to
/// others.
#[derive(Component, Debug, Default)]
pub struct PlayerScratch {
    playback: Option<Playback>,
    /// Whether it went a step that was not told yet.
    has_stepped: bool,
    told: Told,
}

/// The player's clip in a mixer: its clock keeps time exactly, and it samples without allocating.
#[derive(Debug)]
struct Playback {
    mixer: Mixer,
    action: ActionId,
}

impl Playback {
    fn new(skeleton: &Arc<canter::Skeleton>, clip: &Arc<Clip>) -> Self {
        let mut mixer = Mixer::new(skeleton);
        let action = mixer.play(clip, Play::default());
        Self { mixer, action }
    }

    /// Plays this clip, and fades others out.
    fn turn_to(&mut self, clip: &Arc<Clip>, fade: Fade) {
        let action = self.mixer.get(self.action);
        if action.is_some_and(|action| Arc::ptr_eq(action.clip(), clip)) {
            return;
        }
        if !(fade.secs > 0.0 && fade.secs.is_finite()) {
            self.mixer.stop_all();
        }
        let old = self.action;
        self.action = self.mixer.play(clip, Play { fade, ..Play::default() });
        // Those before it are on their way already.
        self.mixer.fade_out(old, fade);
    }

    /// Does what the player's fields say, moves on, and puts the time into the player; returns whether that
    /// changed anything.
    fn advance(&mut self, player: &mut AnimationPlayer, step_secs: f32) -> Result<bool, ActionError> {
        let before = (player.time, player.playing);
        let is_fading = player.playing && step_secs > 0.0 && self.mixer.is_fading();
        if let Some(mut action) = self.mixer.get_mut(self.action) {
            action.set_speed(player.speed)?;
            action.set_loop_mode(if player.looping { LoopMode::Repeat } else { LoopMode::Once });
            // The clock is more precise than the field: it is set only by a time that somebody else wrote.
            if action.time_secs() != player.time {
                action.seek(player.time)?;
            }
        }
        if player.playing {
            self.mixer.advance(step_secs);
        }
        if let Some(action) = self.mixer.get(self.action) {
            player.time = action.time_secs();
            player.playing &= !(action.is_finished() && player.speed != 0.0);
        }
        Ok(is_fading || before != (player.time, player.playing))
    }
}

/// A player with all that it reads and writes.
type Player = (
    (Entity, &'static mut AnimationPlayer, &'static mut PlayerScratch),
    (Ref<'static, Rig>, Ref<'static, AnimationClipLibrary>),
    (&'static mut Pose, &'static mut ModelPose, &'static mut Palette),
);

/// Advances, samples and composes all [`AnimationPlayer`]s by the step of [`Time`], and writes their
/// matrices.
///
/// [`install`](crate::install) adds it with the others; on its own it needs nothing but the resource `Time`.
/// Entities that stand still are not touched.
pub fn animation_playback_system(
    time: Res<'_, Time>,
    players: Query<'_, '_, Player, Without<AnimationMixer>>,
) {
    let step_secs = time.step_secs();
    for_each(
        players,
        |((entity, mut player, mut scratch), (skeleton, library), (mut pose, mut model, mut palette))| {
            let was_edited =
                player.is_changed() || library.is_changed() || skeleton.is_changed() || pose.is_changed();
            let playback = playable(&player, &library, &skeleton).and_then(|clip| {
                scratch.advance(player.bypass_change_detection(), &skeleton, clip, step_secs)
            });
            match playback {
                Ok((playback, moves)) => {
                    if !(moves || was_edited) || !Arc::ptr_eq(pose.skeleton(), skeleton.shared()) {
                        return;
                    }
                    playback.mixer.sample(pose.pose_mut());
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
    /// Moves a player on in its clip; returns what samples it, and whether anything changed.
    fn advance(
        &mut self,
        player: &mut AnimationPlayer,
        skeleton: &Rig,
        clip: &Arc<Clip>,
        step_secs: f32,
    ) -> Result<(&mut Playback, bool), Fault> {
        self.playback.take_if(|playback| !Arc::ptr_eq(playback.mixer.skeleton(), skeleton.shared()));
        let playback = self.playback.get_or_insert_with(|| Playback::new(skeleton.shared(), clip));
        playback.turn_to(clip, player.fade);
        let has_stepped = player.playing;
        let moves = playback.advance(player, step_secs).map_err(|_| Fault::NotFinite)?;
        self.has_stepped = has_stepped;
        Ok((playback, moves))
    }

    /// What went a step since this was last asked.
    fn take_step(&mut self) -> Option<&Mixer> {
        let has_stepped = std::mem::take(&mut self.has_stepped);
        self.playback.as_ref().filter(|_| has_stepped).map(|playback| &playback.mixer)
    }
}

/// Entities that go by no mixer of their own: what plays their clips, if anything does, and what follows
/// that.
type Other = (Entity, Option<&'static mut PlayerScratch>, Option<Root>);
type IsOther = (Without<AnimationMixer>, Or<(With<PlayerScratch>, With<StepMotion>)>);

/// Tells which markers the players have crossed, and which way they went. One after the other: the players
/// themselves are spread over threads, and messages come in the same order every time.
pub(crate) fn tell_players(mut others: Query<'_, '_, Other, IsOther>, mut markers: MarkerWriter<'_, '_>) {
    for (entity, mut scratch, root) in &mut others {
        let mixer = scratch.as_mut().and_then(|scratch| scratch.take_step());
        if let Some(mixer) = mixer {
            markers.tell(entity, mixer);
        }
        if let Some(mut root) = root {
            // Who does not play stands, also when it went before.
            root.follow(mixer.map_or_else(RootStep::default, Mixer::root_motion));
        }
    }
}

impl AnimationPlayer {
    /// Publishes what was calculated. Allocates when the skeleton is a new one.
    fn show(&mut self, skeleton: &Rig, pose: &Pose, model: &ModelPose) {
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
