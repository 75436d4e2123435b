//! Clips: crossfade, pause, step, scrub.

use std::sync::Arc;

use canter::{Action, ActionId, Clip, LoopMode, Mixer};
use canter_gltf::{ClipKey, ClipNotFound};

use super::Session;

/// One step of the arrow keys.
const STEP_SECS: f32 = 1.0 / 30.0;

impl Session {
    /// Fades to a clip of the file, by its name or index, and everything else out.
    ///
    /// # Errors
    /// If there is no such clip; the error lists those that there are.
    pub fn fade_to<'a>(&mut self, clip: impl Into<ClipKey<'a>>) -> Result<(), ClipNotFound> {
        let key: ClipKey<'_> = clip.into();
        let clip = Arc::clone(self.model.asset.clip(key)?);
        let fade = self.fade();
        let (speed, loop_mode) = (self.speed, self.loop_mode);
        self.each_mixer(|mixer, phase| {
            let is_new = !mixer.actions().any(|(_, action)| Arc::ptr_eq(action.clip(), &clip));
            let id = mixer.crossfade_to(&clip, fade);
            mixer.set_weight(id, 1.0);
            mixer.set_speed(id, speed);
            mixer.set_loop_mode(id, loop_mode);
            if is_new {
                mixer.seek(id, phase * clip.duration_secs());
            }
        });
        if let Some(index) = self.index_of(&clip) {
            self.look_at(index);
        }
        self.is_playing = true;
        Ok(())
    }

    /// Lets the timeline be about a clip that plays.
    pub fn look_at(&mut self, index: usize) {
        if self.current != index {
            self.current = index;
            self.range_secs = None;
            self.touch();
        }
    }

    /// What a clip is called, in a way that can be shown.
    #[must_use]
    pub fn clip_name(&self, index: usize) -> String {
        match self.model.asset.clips.get(index).map(|clip| clip.name()) {
            None | Some("") => format!("clip {index}"),
            Some(name) => name.to_owned(),
        }
    }

    pub(super) fn index_of(&self, clip: &Arc<Clip>) -> Option<usize> {
        self.model.asset.clips.iter().position(|known| Arc::ptr_eq(known, clip))
    }

    /// Whether time passes.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Pauses, or goes on.
    pub fn toggle(&mut self) {
        self.is_playing = !self.is_playing;
    }

    /// Pauses, and goes some steps of a thirtieth of a second forward or back.
    pub fn step(&mut self, steps: i16) {
        self.is_playing = false;
        if let Some(action) = self.action() {
            self.scrub(action.time_secs() + f32::from(steps) * STEP_SECS);
        }
    }

    /// Goes to a time of the clip; beyond its ends, around.
    pub fn scrub(&mut self, secs: f32) {
        let Some(id) = self.action_id() else { return };
        let Some(action) = self.action() else { return };
        let length = action.clip().duration_secs();
        let secs = if length > 0.0 && secs.is_finite() { secs.rem_euclid(length) } else { 0.0 };
        if let Some(figure) = self.scene.character_mut(self.figure) {
            figure.mixer.seek(id, secs);
        }
        self.update(0.0);
    }

    /// Lets time pass, unless it is paused.
    pub fn advance(&mut self, dt_secs: f32) {
        if self.is_playing && dt_secs > 0.0 {
            self.update(dt_secs);
        }
    }

    /// How fast clips play.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Sets how fast clips play, from -2 (backwards) to 2.
    pub fn set_speed(&mut self, speed: f32) {
        if speed.is_finite() {
            self.speed = speed.clamp(-2.0, 2.0);
            let speed = self.speed;
            self.each_action(|mixer, id| mixer.set_speed(id, speed));
        }
    }

    /// What happens at the end of a clip.
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Sets what happens at the end of a clip. A range of a clip always repeats: any other mode is about all of it.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.loop_mode = loop_mode;
        if loop_mode != LoopMode::Repeat {
            self.range_secs = None;
        }
        self.each_action(|mixer, id| mixer.set_loop_mode(id, loop_mode));
    }

    /// The action that the timeline is about: that of the clip that was chosen last, or any other that plays.
    #[must_use]
    pub fn action(&self) -> Option<&Action> {
        self.figure().mixer.get(self.action_id()?)
    }

    /// The index of the clip of [`action`](Self::action).
    #[must_use]
    pub fn current_clip(&self) -> Option<usize> {
        self.index_of(self.action()?.clip())
    }

    pub(super) fn action_id(&self) -> Option<ActionId> {
        let mixer = &self.figure().mixer;
        let current = self.model.asset.clips.get(self.current);
        let is_current = |action: &Action| current.is_some_and(|clip| Arc::ptr_eq(action.clip(), clip));
        let playing = || mixer.actions().filter(|(_, action)| action.is_started() && !action.is_fading_out());
        let chosen = playing().find(|(_, action)| is_current(action));
        chosen.or_else(|| playing().next()).map(|(id, _)| id)
    }

    pub(super) fn each_action(&mut self, change: impl Fn(&mut Mixer, ActionId) -> Option<()>) {
        self.each_mixer(|mixer, _| {
            let ids: Vec<_> = mixer.actions().map(|(id, _)| id).collect();
            for id in ids {
                change(mixer, id);
            }
        });
    }

    /// Changes what the figure and its copies play; each copy is told which part of a clip it is ahead of the figure.
    pub(super) fn each_mixer(&mut self, change: impl Fn(&mut Mixer, f32)) {
        for (number, id) in [self.figure].into_iter().chain(self.crowd.iter().copied()).enumerate() {
            if let Some(character) = self.scene.character_mut(id) {
                change(&mut character.mixer, super::crowd::phase(number));
            }
        }
        self.touch();
    }
}
