//! Clips: crossfade, pause, step, scrub.

use std::sync::Arc;

use canter::{Action, ActionId, ActionMut, Clip, LayerId, LoopMode, Mixer};
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
            let is_new = playing(mixer, &clip).is_none();
            let id = mixer.crossfade_to(&clip, fade);
            let Some(mut action) = mixer.get_mut(id) else { return };
            action.set_weight(1.0).ok();
            action.set_speed(speed).ok();
            action.set_loop_mode(loop_mode);
            if is_new {
                // Where it begins depends on its speed.
                action.reset();
                move_ahead(&mut action, phase);
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

    /// Goes to a time of the clip; beyond the ends of its range as the loop mode says.
    pub fn scrub(&mut self, secs: f32) {
        let Some(id) = self.action_id() else { return };
        let figure = self.scene.character_mut(self.figure);
        if let Some(mut action) = figure.and_then(|figure| figure.mixer.get_mut(id)) {
            // A time that is not finite is refused.
            action.seek(secs).ok();
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
            self.each_action(|mut action| _ = action.set_speed(speed));
        }
    }

    /// What happens at the end of a clip.
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Sets what happens at the end of a clip, or of the range of it that is played.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        self.loop_mode = loop_mode;
        self.each_action(|mut action| {
            // Layers have their own.
            if action.id().layer() == LayerId::BASE {
                action.set_loop_mode(loop_mode);
            }
        });
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
        let staying = || on_base(mixer).filter(|(_, action)| action.is_started() && !action.is_fading_out());
        let chosen = staying().find(|(_, action)| is_current(action));
        chosen.or_else(|| staying().next()).map(|(id, _)| id)
    }

    pub(super) fn each_action(&mut self, change: impl Fn(ActionMut<'_>)) {
        self.each_mixer(|mixer, _| {
            let ids: Vec<_> = mixer.actions().map(|(id, _)| id).collect();
            for id in ids {
                mixer.get_mut(id).into_iter().for_each(&change);
            }
        });
    }

    /// Changes what the figure and its copies play; each copy is told which part of a clip it is ahead of the
    /// figure.
    pub(super) fn each_mixer(&mut self, change: impl Fn(&mut Mixer, f32)) {
        for (number, id) in [self.figure].into_iter().chain(self.crowd.iter().copied()).enumerate() {
            if let Some(character) = self.scene.character_mut(id) {
                change(&mut character.mixer, super::crowd::phase(number));
            }
        }
        self.touch();
    }
}

/// The actions below all layers.
pub(super) fn on_base(mixer: &Mixer) -> impl Iterator<Item = (ActionId, &Action)> {
    mixer.actions().filter(|(id, _)| id.layer() == LayerId::BASE)
}

/// An action of a clip that has not finished; one that stays if there is any.
pub(super) fn playing(mixer: &Mixer, clip: &Arc<Clip>) -> Option<ActionId> {
    let actions = on_base(mixer).filter(|(_, action)| Arc::ptr_eq(action.clip(), clip));
    let unfinished = actions.filter(|(_, action)| !action.is_finished());
    unfinished.min_by_key(|(_, action)| action.is_fading_out()).map(|(id, _)| id)
}

/// Moves an action on by a part of what it plays.
pub(super) fn move_ahead(action: &mut ActionMut<'_>, part: f32) {
    let (start, end) = action.clock().range_secs();
    if part > 0.0 {
        // A time within the clip is finite.
        action.seek(action.time_secs() + part * (end - start)).ok();
    }
}
