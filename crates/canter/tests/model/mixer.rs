//! All actions, and the pose that they make together.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use canter::glam::{DQuat, DVec3};
use canter::{ActionId, EventKind, Fade, JointMask};

use super::clock::Clock;
use super::fade::Level;
use super::world::World;
use canter_testing::twin::{self, Twin};

#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) clip: usize,
    pub(crate) clock: Clock,
    pub(crate) fade: Level,
    pub(crate) weight: f32,
    pub(crate) is_started: bool,
    pub(crate) is_paused: bool,
    pub(crate) mask: Option<Arc<JointMask>>,
}

impl Action {
    pub(crate) fn new(clip: usize, duration: f64) -> Self {
        Self {
            clip,
            clock: Clock::new(duration),
            fade: Level::constant(0.0),
            weight: 1.0,
            is_started: false,
            is_paused: false,
            mask: None,
        }
    }

    /// Its weight with fades.
    fn present_weight(&self) -> f64 {
        if self.is_started { f64::from(self.weight) * self.fade.level() } else { 0.0 }
    }

    pub(crate) fn fade_in(&mut self, fade: Fade) {
        if !self.is_started || self.clock.is_finished {
            self.clock.rewind();
        }
        (self.is_started, self.is_paused) = (true, false);
        self.fade.fade(1.0, fade);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) actions: HashMap<ActionId, Action>,
    /// Every id that was ever given and is not valid any more.
    pub(crate) gone: HashSet<ActionId>,
    pub(crate) rest_threshold: f32,
}

impl Default for Model {
    fn default() -> Self {
        Self { actions: HashMap::new(), gone: HashSet::new(), rest_threshold: 0.1 }
    }
}

impl Model {
    pub(crate) fn id_of(&self, clip: usize) -> Option<ActionId> {
        self.actions.iter().find(|(_, action)| action.clip == clip).map(|(id, _)| *id)
    }

    pub(crate) fn remove(&mut self, id: ActionId) {
        if self.actions.remove(&id).is_some() {
            self.gone.insert(id);
        }
    }

    /// What happens to each action, in the order in which it happens to it.
    pub(crate) fn advance(&mut self, dt: f64) -> HashMap<ActionId, Vec<EventKind>> {
        let mut happened: HashMap<ActionId, Vec<EventKind>> = HashMap::new();
        for (id, action) in &mut self.actions {
            let runs = action.is_started && !action.is_paused;
            let progress = if runs { action.clock.advance(dt) } else { Default::default() };
            let mut events = Vec::new();
            if progress.looped > 0 {
                events.push(EventKind::Looped { times: progress.looped });
            }
            if progress.finished {
                events.push(EventKind::Finished);
            }
            if action.fade.advance(dt) && action.is_started {
                events.push(EventKind::FadedOut);
            }
            if !events.is_empty() {
                happened.insert(*id, events);
            }
        }
        for (id, events) in &happened {
            if events.contains(&EventKind::FadedOut) {
                self.remove(*id);
            }
        }
        happened
    }

    pub(crate) fn effective_weight(&self, id: ActionId) -> f64 {
        let sum: f64 = self.actions.values().map(Action::present_weight).sum();
        let whole = sum.max(f64::from(self.rest_threshold));
        if whole > 0.0 { self.actions[&id].present_weight() / whole } else { 0.0 }
    }

    /// Joint by joint: weights times masks, the rest pose up to the threshold, divided by the sum.
    pub(crate) fn pose(&self, world: &World) -> Twin {
        let rig = &world.rig;
        let rest = twin::rest(rig);
        #[expect(clippy::cast_possible_truncation, reason = "what shows is in f32")]
        let sample =
            |action: &Action| twin::sample(rig, &world.specs[action.clip], action.clock.shown_secs() as f32);
        let playing: Vec<(Twin, &Action)> =
            self.actions.values().map(|action| (sample(action), action)).collect();
        let mut blended = rest.clone();
        for (source, joint) in blended.joints.iter_mut().enumerate() {
            let id = rig.joint(source);
            let part = |action: &Action| action.mask.as_ref().map_or(1.0, |mask| f64::from(mask.weight(id)));
            let inputs = playing.iter().map(|(pose, action)| (pose.joints[source], part(action), *action));
            let mut inputs: Vec<_> =
                inputs.map(|(pose, part, action)| (pose, action.present_weight() * part)).collect();
            let sum: f64 = inputs.iter().map(|(_, weight)| weight).sum();
            let whole = sum.max(f64::from(self.rest_threshold));
            if whole <= 0.0 {
                continue;
            }
            inputs.push((rest.joints[source], whole - sum));
            joint.translation = inputs.iter().map(|(pose, weight)| pose.translation * *weight / whole).sum();
            joint.scale = inputs.iter().map(|(pose, weight)| pose.scale * *weight / whole).sum::<DVec3>();
            // Here all rotations are near each other, so that any of them can say which sign is the near one.
            let towards = rest.joints[source].rotation;
            let mut sum = DQuat::from_array([0.0; 4]);
            for (pose, weight) in &inputs {
                let sign = pose.rotation.dot(towards).signum();
                sum += pose.rotation * (sign * weight / whole);
            }
            joint.rotation = sum.normalize();
        }
        self.blend_morphs(&mut blended, &rest, &playing, world);
        blended
    }

    fn blend_morphs(&self, blended: &mut Twin, rest: &Twin, playing: &[(Twin, &Action)], world: &World) {
        for (set, weights) in blended.morphs.iter_mut().enumerate() {
            let part = |action: &Action| {
                let mask = action.mask.as_ref();
                action.present_weight() * mask.map_or(1.0, |mask| world.morph_part(mask))
            };
            let sum: f64 = playing.iter().map(|(_, action)| part(action)).sum();
            let whole = sum.max(f64::from(self.rest_threshold));
            if whole <= 0.0 {
                continue;
            }
            for (index, weight) in weights.iter_mut().enumerate() {
                let played: f64 =
                    playing.iter().map(|(pose, action)| pose.morphs[set][index] * part(action)).sum();
                *weight = (played + rest.morphs[set][index] * (whole - sum)) / whole;
            }
        }
    }
}
