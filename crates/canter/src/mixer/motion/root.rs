//! The way of the root, by the weights that the pose has at its joint.

use super::LayerStart;
use crate::clip::root_motion::Travel;
use crate::mixer::actions::{Actions, Floor};
use crate::mixer::transition::AHEAD_SECS;
use crate::mixer::{Action, JointMask, Layer, LayerId, LayerMode, Mixer};
use crate::skeleton::JointId;

impl Mixer {
    /// The way of a piece.
    pub(super) fn travel(&mut self, secs: f64, joint: JointId, starts: &[LayerStart]) -> Travel {
        let Some((start, above)) = starts.split_first() else { return Travel::NONE };
        let mut travel = self.base.travel(secs, joint, start.led);
        for (layer, start) in self.layers.iter_mut().zip(above) {
            let after = layer.coverage(joint);
            match layer.mode {
                LayerMode::Over => {
                    let own = layer.actions.travel(secs, joint, start.led);
                    let cover = 0.5 * (f64::from(start.cover) + f64::from(after));
                    travel = travel.scaled(1.0 - cover).plus(own.scaled(cover));
                }
                LayerMode::Additive => travel = travel.plus(layer.added_travel(secs, joint, start.led)),
            }
        }
        travel
    }

    /// How a layer's root moves at this instant, per second.
    pub(in crate::mixer) fn root_velocity(&self, layer: LayerId) -> Travel {
        let joint = self.root_joint().or(self.motion.as_ref().and_then(|motion| motion.joint));
        let Some(joint) = joint else { return Travel::NONE };
        let step = self.step(AHEAD_SECS);
        let Some(actions) = self.actions_of(layer) else { return Travel::NONE };
        let mut travel = Travel::NONE;
        for (action, weight) in actions.root_weights(joint) {
            let weight = match self.layer(layer).filter(|layer| layer.mode == LayerMode::Additive) {
                Some(layer) => layer.added_weight(action, joint),
                None => weight,
            };
            if let Some(root) = action.clip.root_motion().filter(|_| !action.is_paused) {
                let mut clock = action.clock;
                let from = clock.moment();
                let _ = clock.advance(step.secs);
                travel = travel.plus(root.along(from, &clock).scaled(weight.into()));
            }
        }
        let velocity = travel.scaled(1.0 / AHEAD_SECS);
        match actions.transition.as_ref().filter(|transition| transition.is_under_way()) {
            Some(transition) => transition.lead_root(velocity, transition.mean_part(0.0).unwrap_or(1.0)),
            None => velocity,
        }
    }
}

impl Layer {
    /// How much of an action's way is added.
    fn added_weight(&self, action: &Action, joint: JointId) -> f32 {
        let mask = |mask: Option<&JointMask>| mask.map_or(1.0, |mask| mask.weight(joint));
        let strength = action.weight * action.fade_level() * self.weight();
        strength * mask(self.mask.as_deref()) * mask(action.mask.as_deref())
    }

    pub(super) fn weigh_roots(&mut self, joint: JointId) {
        if self.mode == LayerMode::Over {
            return self.actions.weigh_roots(joint);
        }
        for slot in 0..self.actions.slots.len() {
            let weight =
                self.actions.slots[slot].playing().map_or(0.0, |action| self.added_weight(action, joint));
            self.actions.traces[slot].root_weight = weight;
        }
    }

    fn added_travel(&self, secs: f64, joint: JointId, led: Option<f64>) -> Travel {
        let mut travel = Travel::NONE;
        for (slot, trace) in self.actions.slots.iter().zip(&self.actions.traces) {
            let after = slot.playing().map_or(0.0, |action| self.added_weight(action, joint));
            travel =
                travel.plus(trace.travel.scaled(0.5 * (f64::from(trace.root_weight) + f64::from(after))));
        }
        self.actions.lead_travel(travel, secs, led)
    }
}

impl Actions {
    /// All that play, and what part of the root joint each is: as it is blended there, masks included.
    fn root_weights(&self, joint: JointId) -> impl Iterator<Item = (&Action, f32)> {
        let shares = self.shares();
        let is_base = self.floor == Floor::Rest;
        let mask = move |action: &Action| action.mask.as_ref().map_or(1.0, |mask| mask.weight(joint));
        let share = move |action: &Action| {
            let is_plain = !shares.is_settled || shares.of(action) <= 0.0;
            if is_plain { shares.of(action) } else { action.weight }
        };
        let playing = || self.slots.iter().filter_map(|slot| slot.playing());
        let is_masked = playing().any(|action| action.mask.is_some());
        let (mut sum, mut cover) = (0.0, 0.0);
        if is_masked {
            for action in playing().filter(|action| mask(action) > 0.0 && shares.of(action) > 0.0) {
                sum += share(action) * mask(action);
                cover += if is_base { action.fade_level() } else { 1.0 };
            }
            cover = (cover.min(1.0) * if is_base { shares.cover } else { 1.0 }).min(1.0);
        }
        playing().map(move |action| {
            let weight = match is_masked {
                false => shares.of(action),
                true if sum > 0.0 => share(action) * mask(action) / sum * cover,
                true => 0.0,
            };
            (action, weight)
        })
    }

    pub(super) fn weigh_roots(&mut self, joint: JointId) {
        let mut traces = std::mem::take(&mut self.traces);
        traces.iter_mut().for_each(|trace| trace.root_weight = 0.0);
        self.each_root_weight(joint, |slot, weight| traces[slot].root_weight = weight);
        self.traces = traces;
    }

    fn each_root_weight(&self, joint: JointId, mut put: impl FnMut(usize, f32)) {
        let playing = self.slots.iter().enumerate().filter(|(_, slot)| slot.playing().is_some());
        for ((slot, _), (_, weight)) in playing.zip(self.root_weights(joint)) {
            put(slot, weight);
        }
    }

    /// The mean way of all actions in a piece.
    fn travel(&mut self, secs: f64, joint: JointId, led: Option<f64>) -> Travel {
        let mut travel = Travel::NONE;
        for trace in &self.traces {
            travel = travel.plus(trace.travel.scaled(0.5 * f64::from(trace.root_weight)));
        }
        self.each_root_weight(joint, |slot, weight| {
            travel = travel.plus(self.traces[slot].travel.scaled(0.5 * f64::from(weight)));
        });
        self.lead_travel(travel, secs, led)
    }

    /// How far a fade from what was on screen leads to what comes, in the mean of the next piece.
    pub(super) fn led(&self, fade_secs: f64) -> Option<f64> {
        self.transition.as_ref()?.mean_part(fade_secs)
    }

    fn lead_travel(&self, travel: Travel, secs: f64, led: Option<f64>) -> Travel {
        match (&self.transition, led) {
            (Some(transition), Some(part)) if secs > 0.0 => {
                transition.lead_root(travel.scaled(1.0 / secs), part).scaled(secs)
            }
            _ => travel,
        }
    }
}
