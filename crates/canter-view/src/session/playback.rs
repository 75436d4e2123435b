//! Clips: crossfade, pause, step, scrub.

use std::sync::Arc;

use canter::{Action, ActionId, ActionMut, Clip, LayerId, LoopMode, Mixer, Play};
use canter_gltf::{ClipKey, ClipNotFound};
use canter_scene::Character;

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
        let clip = self.own(self.model.asset.clip(key)?);
        self.leave_graph();
        let play = self.play();
        self.each_mixer(|mixer, phase| {
            let is_new = playing(mixer, &clip).is_none();
            let follows = play.sync.is_some() && on_base(mixer).next().is_some();
            let id = mixer.crossfade_to(&clip, play.clone());
            let Some(mut action) = mixer.get_mut(id) else { return };
            action.set_weight(1.0).ok();
            action.set_speed(play.speed).ok();
            action.set_loop_mode(play.loop_mode);
            if is_new && !follows {
                move_ahead(&mut action, phase);
            }
        });
        if let Some(index) = self.index_of(&clip) {
            self.look_at(index);
        }
        self.is_playing = true;
        Ok(())
    }

    /// How clips are played.
    pub(super) fn play(&self) -> Play {
        let (speed, loop_mode, sync) = (self.speed, self.loop_mode, self.sync());
        Play { speed, loop_mode, fade: self.fade(), sync, ..Play::default() }
    }

    /// The session's own version of a clip of the file.
    fn own(&self, clip: &Arc<Clip>) -> Arc<Clip> {
        let index = self.model.asset.clips.iter().position(|known| Arc::ptr_eq(known, clip));
        Arc::clone(index.map_or(clip, |index| &self.clips[index]))
    }

    /// Lets the timeline be about a clip that plays.
    pub fn look_at(&mut self, index: usize) {
        if self.current != index {
            self.current = index;
            self.choose_marker(None);
            self.touch();
        }
    }

    /// What a clip is called, in a way that can be shown.
    #[must_use]
    pub fn clip_name(&self, index: usize) -> String {
        match self.clips.get(index).map(|clip| clip.name()) {
            None | Some("") => format!("clip {index}"),
            Some(name) => name.to_owned(),
        }
    }

    pub(super) fn index_of(&self, clip: &Arc<Clip>) -> Option<usize> {
        self.clips.iter().position(|known| Arc::ptr_eq(known, clip))
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
        if self.runs_graph() {
            // A graph does not run back.
            self.update(f32::from(steps.max(0)) * STEP_SECS);
        } else if let Some(action) = self.action() {
            self.scrub(action.time_secs() + f32::from(steps) * STEP_SECS);
        }
    }

    /// Goes to a time of the clip, and crosses the markers on the way; beyond the ends of its range it goes
    /// on as the loop mode says. A figure that travels moves along, and clips in step follow.
    pub fn scrub(&mut self, secs: f32) {
        let (Some(id), sync) = (self.action_id(), self.sync()) else { return };
        if self.runs_graph() {
            return;
        }
        let Some(figure) = self.scene.character_mut(self.figure) else { return };
        let mixer = &mut figure.mixer;
        let others: Vec<_> = on_base(mixer).map(|(id, _)| id).filter(|other| *other != id).collect();
        // The others follow this one, whichever leads.
        each_of(mixer, &others, |mut other| other.set_sync(None));
        let Some(mut action) = mixer.get_mut(id) else { return };
        let (clip, from_secs) = (Arc::clone(action.clip()), action.time_secs());
        let (start, end) = action.clock().range_secs();
        // A time that is not finite is refused.
        if (start..=end).contains(&secs) {
            action.scrub(secs).ok();
        } else {
            action.seek(secs).ok();
        }
        let to_secs = action.time_secs();
        each_of(mixer, &others, |mut other| other.set_sync(sync));
        self.travel_between(&clip, from_secs, to_secs);
        self.update(0.0);
    }

    /// Lets time pass, unless it is paused.
    pub fn advance(&mut self, dt_secs: f32) {
        self.pass_glows(dt_secs);
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
            // A graph gives its clips speeds of its own; time passes for it as fast.
            if !self.runs_graph() {
                self.each_action(|mut action| _ = action.set_speed(speed));
            }
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
        if self.runs_graph() {
            return;
        }
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
        let current = self.clips.get(self.current);
        let is_current = |action: &Action| current.is_some_and(|clip| Arc::ptr_eq(action.clip(), clip));
        let staying = || on_base(mixer).filter(|(_, action)| action.is_started() && !action.is_fading_out());
        let chosen = staying().find(|(_, action)| is_current(action));
        chosen.or_else(|| staying().next()).map(|(id, _)| id)
    }

    pub(super) fn each_action(&mut self, change: impl Fn(ActionMut<'_>)) {
        self.each_mixer(|mixer, _| {
            let ids: Vec<_> = mixer.actions().map(|(id, _)| id).collect();
            each_of(mixer, &ids, &change);
        });
    }

    /// Changes what the figure and its copies play; each copy is told which part of a clip it is ahead of the
    /// figure.
    pub(super) fn each_mixer(&mut self, change: impl Fn(&mut Mixer, f32)) {
        self.travel.is_disturbed = true;
        self.each_character(|character, number| change(&mut character.mixer, super::crowd::phase(number)));
        self.touch();
    }

    /// Changes the figure and its copies, each with its number.
    pub(super) fn each_character(&mut self, change: impl Fn(&mut Character, usize)) {
        for (number, id) in [self.figure].into_iter().chain(self.crowd.iter().copied()).enumerate() {
            if let Some(character) = self.scene.character_mut(id) {
                change(character, number);
            }
        }
    }
}

fn each_of(mixer: &mut Mixer, ids: &[ActionId], change: impl Fn(ActionMut<'_>)) {
    ids.iter().for_each(|&id| mixer.get_mut(id).into_iter().for_each(&change));
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
