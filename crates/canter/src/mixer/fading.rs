//! Fades of a mixer's actions: who comes, who leaves, and who makes room.

use std::sync::Arc;

use super::{Action, ActionId, Fade, Mixer};
use crate::clip::Clip;

impl Mixer {
    /// Fades an action in from where it is, and lets it run if it was paused. One that does not play yet
    /// starts from its beginning. One that has finished stays as it is and leaves, and a new action with its
    /// settings starts in its place. Returns the action that fades in; `None` if the id is stale.
    pub fn fade_in(&mut self, id: ActionId, fade: impl Into<Fade>) -> Option<ActionId> {
        let action = self.get(id)?;
        let slot = if action.is_finished() { self.insert(restarted(action)) } else { id.slot as usize };
        self.bring_in(slot, fade.into());
        Some(self.id(slot))
    }

    /// Fades an action out from where it is. At the end of the fade it leaves the mixer. `None` if the id is
    /// stale.
    pub fn fade_out(&mut self, id: ActionId, fade: impl Into<Fade>) -> Option<()> {
        self.get(id)?;
        self.fade(fade.into(), |slot, _| (slot == id.slot as usize).then_some(false));
        Some(())
    }

    /// Fades one action out and another in, as [`fade_in`](Self::fade_in) does. Returns the one that fades
    /// in; `None` if `to` is stale. A `from` that is stale needs no fading.
    pub fn crossfade(&mut self, from: ActionId, to: ActionId, fade: impl Into<Fade>) -> Option<ActionId> {
        let fade = fade.into();
        let incoming = self.fade_in(to, fade)?;
        if from != incoming {
            self.fade_out(from, fade);
        }
        Some(incoming)
    }

    /// Fades a clip in and everything else out. A clip that plays already goes on, also if it was on its way
    /// out; one that has finished starts again, as a new action with its settings. Calling it in every frame
    /// is fine.
    ///
    /// # Panics
    /// If the clip was built for another skeleton.
    pub fn crossfade_to(&mut self, clip: &Arc<Clip>, fade: impl Into<Fade>) -> ActionId {
        let fade = fade.into();
        let of_clip = self.actions().filter(|(_, action)| Arc::ptr_eq(&action.clip, clip));
        // Of several actions of the clip one that still plays, that is to stay, that is most there.
        let strength = |action: &Action| (!action.is_finished(), action.fader.is_wanted, action.fade_level());
        let found = of_clip.max_by(|(_, a), (_, b)| strength(a).partial_cmp(&strength(b)).expect("no NaN"));
        let incoming = match found {
            Some((_, action)) if action.is_finished() => self.insert(restarted(action)),
            Some((id, _)) => id.slot as usize,
            None => self.insert_clip(clip),
        };
        self.prepare(incoming);
        self.fade(fade, |slot, _| Some(slot == incoming));
        self.id(incoming)
    }

    /// Fades in what plays, or starts it. Those that have finished only held the pose until something came:
    /// when something starts, they leave.
    pub(super) fn bring_in(&mut self, incoming: usize, fade: Fade) {
        let starts = self.prepare(incoming);
        self.fade_in_and_finished_out(incoming, starts, fade);
    }

    pub(super) fn fade_in_and_finished_out(&mut self, incoming: usize, starts: bool, fade: Fade) {
        self.fade(fade, |slot, action| match slot == incoming {
            true => Some(true),
            false => (starts && action.is_finished()).then_some(false),
        });
    }

    /// Lets an action run, from its beginning if it does not play yet; returns whether it does not.
    pub(super) fn prepare(&mut self, slot: usize) -> bool {
        let Some(action) = &mut self.slots[slot].action else { return false };
        action.is_paused = false;
        let starts = !action.is_started;
        if starts {
            action.is_started = true;
            action.clock.rewind();
            self.forget_sides(slot);
        }
        starts
    }

    /// Changes which actions are wanted: `wants` says so of each, or `None` to leave it as it is. All shares
    /// go on from what they are; those that stay, and the rest pose, make room or fill up in the time of this
    /// fade.
    fn fade(&mut self, fade: Fade, wants: impl Fn(usize, &Action) -> Option<bool>) {
        // Asking again for what is under way must not put it off: a call per frame is common.
        let change = |slot: usize, action: &Action| {
            wants(slot, action).filter(|is_wanted| !action.fader.is_on_its_way(*is_wanted, fade))
        };
        let mut playing =
            self.slots.iter().enumerate().filter_map(|(slot, entry)| Some((slot, entry.playing()?)));
        if !playing.any(|(slot, action)| change(slot, action).is_some()) {
            return;
        }
        let shares = self.shares();
        let was_at_rest = self.is_at_rest();
        self.is_settled = false;
        for (slot, entry) in self.slots.iter_mut().enumerate() {
            let Some(action) = entry.action.as_mut().filter(|action| action.is_started) else { continue };
            let share = shares.of(action);
            if let Some(is_wanted) = change(slot, action) {
                action.fader.start(is_wanted, share, fade);
            } else if action.fader.is_under_way() {
                action.fader.rebase(share);
            } else if action.fader.is_wanted {
                action.fader.start(true, share, fade);
            }
        }
        let is_at_rest = self.is_at_rest();
        let is_hastened = self.rest.is_under_way() && !self.rest.is_on_its_way(is_at_rest, fade);
        if is_at_rest != was_at_rest || is_hastened {
            self.rest.start(is_at_rest, shares.rest, fade);
        } else {
            self.rest.rebase(shares.rest);
        }
    }

    /// Lets all fades go on from the shares that there are, after something has left at once.
    pub(super) fn rebase(&mut self) {
        let shares = self.shares();
        for action in self.slots.iter_mut().filter_map(|slot| slot.action.as_mut()) {
            if action.is_started {
                let share = shares.of(action);
                action.fader.take_over(share);
            }
        }
        self.rest.rebase(shares.rest);
    }

    /// Whether nothing that has weight is wanted: the rest pose is there, or on its way.
    pub(super) fn is_at_rest(&self) -> bool {
        let counts = |action: &Action| action.is_started && action.fader.is_wanted && action.weight > 0.0;
        !self.actions().any(|(_, action)| counts(action))
    }

    /// Lets the rest pose come with the last action that leaves, or at once if there is none, after one that
    /// was wanted is gone.
    pub(super) fn rest_with_the_last(&mut self, rest_share: f32) {
        let leaving = self.actions().filter_map(|(_, action)| action.fader.tween);
        let secs = leaving.map(|tween| tween.remaining_secs()).fold(0.0, f64::max);
        #[expect(clippy::cast_possible_truncation, reason = "a fade is that long at most")]
        self.rest.start(true, rest_share, Fade::from(secs as f32));
        self.is_settled = false;
    }
}

/// A new action with the settings of one that has finished.
fn restarted(action: &Action) -> Action {
    let mut again = Action::new(Arc::clone(&action.clip));
    again.clock = action.clock;
    again.weight = action.weight;
    again.mask.clone_from(&action.mask);
    again
}
