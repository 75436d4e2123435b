//! Fades of a mixer's actions: who comes, who leaves, and who makes room.

use std::sync::Arc;

use super::actions::{Actions, Floor, Slot};
use super::{Action, ActionId, Fade, FadeKind, LayerId, LayerMode, Mixer, Play};
use crate::clip::Clip;

/// A fade from what is on screen that is shorter switches at once: one over its time would have no end.
const SHORTEST_SECS: f32 = 1e-6;

/// Says of the action in a slot whether it is wanted from now on; `None` to leave it as it is. Called by
/// address: starting a fade is rare, and large.
type Wants<'a> = &'a dyn Fn(usize, &Action) -> Option<bool>;

impl Mixer {
    /// Fades an action in from where it is, and lets it run if it was paused. One that does not play yet
    /// starts from its beginning. One that has finished stays as it is and leaves, and a new action with its
    /// settings starts in its place. Returns the action that fades in; `None` if the id is stale.
    pub fn fade_in(&mut self, id: ActionId, fade: impl Into<Fade>) -> Option<ActionId> {
        let slot = match self.get(id)?.restarted_if_finished() {
            Some(action) => self.insert(id.layer, action),
            None => id.slot as usize,
        };
        self.bring_in(id.layer, slot, fade.into());
        Some(self.id(id.layer, slot))
    }

    /// Fades an action out from where it is. At the end of the fade it leaves the mixer. `None` if the id is
    /// stale.
    pub fn fade_out(&mut self, id: ActionId, fade: impl Into<Fade>) -> Option<()> {
        self.get(id)?;
        self.fade(id.layer, fade.into(), &|slot, _| (slot == id.slot as usize).then_some(false));
        Some(())
    }

    /// Fades one action out and another in, as [`fade_in`](Self::fade_in) does. Returns the one that fades
    /// in; `None` if `to` is stale. A `from` that is stale needs no fading.
    pub fn crossfade(&mut self, from: ActionId, to: ActionId, fade: impl Into<Fade>) -> Option<ActionId> {
        let fade = fade.into();
        let layer = to.layer;
        let incoming = match self.get(to)?.restarted_if_finished() {
            Some(action) => self.insert(layer, action),
            None => to.slot as usize,
        };
        let starts = self.prepare(layer, incoming);
        let outgoing = self.get(from).filter(|_| from.layer == layer).map(|_| from.slot as usize);
        self.fade(layer, fade, &|slot, action| match slot == incoming {
            true => Some(true),
            false => (outgoing == Some(slot) || (starts && action.is_finished())).then_some(false),
        });
        self.resume(layer, incoming);
        if from.layer != layer {
            self.fade_out(from, fade);
        }
        Some(self.id(layer, incoming))
    }

    /// Fades a clip in and everything else out: a number of seconds, a [`Fade`], or a [`Play`] whose fade counts
    /// and whose other settings a new action gets. A clip that plays already goes on as it is, also if it was on
    /// its way out; one that has finished starts again, as a new action with its settings. Calling it in every
    /// frame is fine.
    ///
    /// # Panics
    /// If the clip or the mask was made for another skeleton, or the clip is additive.
    pub fn crossfade_to(&mut self, clip: &Arc<Clip>, play: impl Into<Play>) -> ActionId {
        let play = play.into();
        self.assert_clip(clip);
        self.assert_mask_fits(play.mask.as_deref());
        self.crossfade_on(LayerId::BASE, clip, play)
    }

    /// Fades a clip in and everything else on a layer out. The clip was checked.
    pub(super) fn crossfade_on(&mut self, layer: LayerId, clip: &Arc<Clip>, play: Play) -> ActionId {
        let fade = play.fade;
        let strongest = self.actions_of(layer).and_then(|actions| actions.strongest(clip));
        let is_new = strongest.is_none();
        let again = strongest.map(|(id, action)| (id, action.restarted_if_finished()));
        let incoming = match again {
            Some((_, Some(action))) => self.insert(layer, action),
            Some((id, None)) => id.slot as usize,
            None => self.insert_clip(layer, clip),
        };
        self.prepare(layer, incoming);
        if is_new {
            self.set_up(layer, incoming, play);
        }
        self.fade(layer, fade, &|slot, _| Some(slot == incoming));
        self.resume(layer, incoming);
        self.id(layer, incoming)
    }

    /// Fades in what plays, or starts it. Those that have finished only held the pose until something came:
    /// when something starts, they leave.
    pub(super) fn bring_in(&mut self, layer: LayerId, incoming: usize, fade: Fade) {
        let starts = self.prepare(layer, incoming);
        self.fade_in_and_finished_out(layer, incoming, starts, fade);
        self.resume(layer, incoming);
    }

    pub(super) fn fade_in_and_finished_out(
        &mut self,
        layer: LayerId,
        incoming: usize,
        starts: bool,
        fade: Fade,
    ) {
        self.fade(layer, fade, &|slot, action| match slot == incoming {
            true => Some(true),
            false => (starts && action.is_finished()).then_some(false),
        });
    }

    /// Lets an action run, after a fade has looked at what was on screen.
    fn resume(&mut self, layer: LayerId, slot: usize) {
        let action = self.actions_of_mut(layer).and_then(|actions| actions.slots[slot].action.as_mut());
        if let Some(action) = action {
            action.is_paused = false;
        }
    }

    fn prepare(&mut self, layer: LayerId, slot: usize) -> bool {
        self.actions_of_mut(layer).is_some_and(|actions| actions.prepare(slot))
    }

    /// Changes which actions of a layer are wanted.
    pub(super) fn fade(&mut self, layer: LayerId, fade: Fade, wants: Wants<'_>) {
        let is_over = self.layer(layer).is_some_and(|layer| layer.mode() == LayerMode::Over);
        let Some(actions) = self.actions_of_mut(layer) else { return };
        if !actions.is_changed_by(fade, wants) {
            return;
        }
        let is_hidden = is_over && actions.shares().rest >= 1.0;
        if is_hidden || (fade.whole_secs() < SHORTEST_SECS && actions.is_cut(wants)) {
            actions.end_transition();
        }
        let (mut of_actions, mut of_floor) = (fade, fade);
        if fade.kind != FadeKind::Cross && fade.whole_secs() >= SHORTEST_SECS {
            let is_above = layer != LayerId::BASE;
            if is_over && !actions.can_be_led(wants) {
                (of_actions, of_floor) = (fade.smooth(), fade.smooth());
            } else {
                self.begin_transition(layer, fade);
                (of_actions, of_floor) = (Fade::default(), Fade::default());
                if is_above {
                    of_floor = fade.smooth();
                }
            }
        }
        if let Some(actions) = self.actions_of_mut(layer) {
            actions.fade(of_actions, of_floor, wants);
        }
    }
}

impl Actions {
    /// Of several actions of a clip one that still plays, that is to stay, that is most there.
    fn strongest(&self, clip: &Arc<Clip>) -> Option<(ActionId, &Action)> {
        let of_clip = self.iter().filter(|(_, action)| Arc::ptr_eq(&action.clip, clip));
        let strength = |action: &Action| (!action.is_finished(), action.fader.is_wanted, action.fade_level());
        of_clip.max_by(|(_, a), (_, b)| strength(a).partial_cmp(&strength(b)).expect("no NaN"))
    }

    /// Whether a fade would change anything. Asking again for what is under way must not put it off: a call
    /// per frame is common.
    fn is_changed_by(&self, fade: Fade, wants: Wants<'_>) -> bool {
        let mut playing =
            self.slots.iter().enumerate().filter_map(|(slot, entry)| Some((slot, entry.playing()?)));
        playing.any(|(slot, action)| changes(action, wants(slot, action), fade).is_some())
            || (fade.kind != FadeKind::Cross && self.is_led_longer_than(fade))
    }

    /// Whether nothing stays but what a fade brings in.
    fn is_cut(&self, wants: Wants<'_>) -> bool {
        let mut playing =
            self.slots.iter().enumerate().filter_map(|(slot, entry)| Some((slot, entry.playing()?)));
        playing.all(|(slot, action)| wants(slot, action).is_some() || !action.fader.is_wanted)
    }

    /// Whether a transition is under way that takes longer than a fade that starts now.
    fn is_led_longer_than(&self, fade: Fade) -> bool {
        let tween = self.transition.as_ref().and_then(|transition| transition.tween);
        tween.is_some_and(|tween| tween.remaining_secs() > f64::from(fade.whole_secs()))
    }

    /// Whether a transition can lead from what a layer shows to what it will: there is something before and
    /// after, and no masks by which it covers other joints then. Else there is one thing to sample at most;
    /// it goes on, and the layer comes or goes.
    fn can_be_led(&self, wants: Wants<'_>) -> bool {
        let stays = |(slot, entry): (usize, &Slot)| {
            let action = entry.playing()?;
            (wants(slot, action).unwrap_or(action.fader.is_wanted) && action.weight > 0.0).then_some(())
        };
        self.shares().rest < 1.0
            && self.slots.iter().enumerate().any(|entry| stays(entry).is_some())
            && !self.slots.iter().filter_map(Slot::playing).any(|action| action.mask.is_some())
    }

    /// Changes which actions are wanted. All shares go on from what they are; those that stay, and the rest
    /// pose, make room or fill up in the time of this fade.
    fn fade(&mut self, fade: Fade, of_floor: Fade, wants: Wants<'_>) {
        let shares = self.shares();
        let goal_before = self.floor_goal();
        self.is_settled = false;
        for (slot, entry) in self.slots.iter_mut().enumerate() {
            let Some(action) = entry.action.as_mut().filter(|action| action.is_started) else { continue };
            let share = shares.of(action);
            if let Some(is_wanted) = changes(action, wants(slot, action), fade) {
                action.fader.start(is_wanted, share, fade);
            } else if action.fader.is_under_way() {
                action.fader.rebase(share);
            } else if action.fader.is_wanted {
                action.fader.start(true, share, fade);
            }
        }
        let is_at_rest = self.is_at_rest();
        let is_hastened = self.rest.is_under_way() && !self.rest.is_on_its_way(is_at_rest, of_floor);
        #[expect(clippy::float_cmp, reason = "the same sum unless something changed")]
        let is_changed = self.floor_goal() != goal_before;
        if is_changed || is_hastened {
            self.rest.start(is_at_rest, shares.rest, of_floor);
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
                match self.floor {
                    Floor::Rest => action.fader.take_over(share),
                    // How far it is in counts by itself there.
                    Floor::Below => action.fader.rebase(share),
                }
            }
        }
        self.rest.rebase(shares.rest);
    }

    /// Whether nothing that has weight is wanted: the rest pose is there, or on its way.
    pub(super) fn is_at_rest(&self) -> bool {
        let counts = |action: &Action| action.is_started && action.fader.is_wanted && action.weight > 0.0;
        !self.iter().any(|(_, action)| counts(action))
    }

    /// Lets the rest pose come with the last action that leaves, or at once if there is none, after one that
    /// was wanted is gone.
    pub(super) fn rest_with_the_last(&mut self, rest_share: f32) {
        let leaving = self.iter().filter_map(|(_, action)| action.fader.tween);
        let secs = leaving.map(|tween| tween.remaining_secs()).fold(0.0, f64::max);
        #[expect(clippy::cast_possible_truncation, reason = "a fade is that long at most")]
        self.rest.start(true, rest_share, Fade::from(secs as f32));
        self.is_settled = false;
    }
}

/// What an action is to become by a fade, unless it will be that no later anyway.
fn changes(action: &Action, wanted: Option<bool>, fade: Fade) -> Option<bool> {
    wanted.filter(|is_wanted| !action.fader.is_on_its_way(*is_wanted, fade))
}

impl Action {
    /// A new action with the same settings, if this one has finished.
    fn restarted_if_finished(&self) -> Option<Self> {
        self.is_finished().then(|| {
            let mut again = Self::new(Arc::clone(&self.clip));
            again.clock = self.clock;
            again.weight = self.weight;
            again.mask.clone_from(&self.mask);
            again.sync = self.sync;
            again
        })
    }
}
