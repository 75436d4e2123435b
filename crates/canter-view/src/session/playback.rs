//! Clips: crossfade, pause, step, scrub.

use canter::{Action, ActionId, Fade, LoopMode, Mixer};

use super::Session;

/// One step of the arrow keys.
const STEP_SECS: f32 = 1.0 / 30.0;

impl Session {
    /// Crossfades to a clip; `false` if there is none of that name.
    pub fn play(&mut self, clip: &str) -> bool {
        let index = self.model.asset.clips.iter().position(|known| known.name() == clip);
        index.is_some_and(|index| self.play_index(index))
    }

    /// Crossfades to a clip by its index; `false` if there is none.
    pub fn play_index(&mut self, index: usize) -> bool {
        let Some(clip) = self.model.asset.clips.get(index).cloned() else { return false };
        let fade = Fade { secs: self.fade_secs, easing: self.easing };
        let (speed, loop_mode) = (self.speed, self.loop_mode);
        self.each_mixer(|mixer| {
            let id = mixer.crossfade_to(&clip, fade);
            mixer.set_speed(id, speed);
            mixer.set_loop_mode(id, loop_mode);
        });
        self.is_playing = true;
        true
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
        self.scene.update(0.0);
        self.touch();
    }

    /// Lets time pass, unless it is paused.
    pub fn advance(&mut self, dt_secs: f32) {
        if self.is_playing && dt_secs > 0.0 {
            self.scene.update(dt_secs);
            self.touch();
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

    /// Sets what happens at the end of a clip.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.loop_mode = loop_mode;
        self.each_action(|mixer, id| mixer.set_loop_mode(id, loop_mode));
    }

    /// What the figure plays, or fades to.
    #[must_use]
    pub fn action(&self) -> Option<&Action> {
        self.figure().mixer.get(self.action_id()?)
    }

    /// Every clip that plays, and how much it counts.
    pub fn weights(&self) -> impl Iterator<Item = (&str, f32)> {
        let mixer = &self.figure().mixer;
        let started = mixer.actions().filter(|(_, action)| action.is_started());
        started.map(|(id, action)| (action.clip().name(), mixer.effective_weight(id).unwrap_or(0.0)))
    }

    fn action_id(&self) -> Option<ActionId> {
        let is_current = |action: &Action| action.is_started() && !action.is_fading_out();
        self.figure().mixer.actions().find(|(_, action)| is_current(action)).map(|(id, _)| id)
    }

    fn each_action(&mut self, change: impl Fn(&mut Mixer, ActionId) -> Option<()>) {
        self.each_mixer(|mixer| {
            let ids: Vec<_> = mixer.actions().map(|(id, _)| id).collect();
            for id in ids {
                change(mixer, id);
            }
        });
    }

    fn each_mixer(&mut self, change: impl Fn(&mut Mixer)) {
        for id in [self.figure].into_iter().chain(self.crowd.iter().copied()) {
            if let Some(character) = self.scene.character_mut(id) {
                change(&mut character.mixer);
            }
        }
        self.touch();
    }
}
