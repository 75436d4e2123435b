//! All actions, and the pose that they make together.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use canter::glam::{DQuat, DVec3};
use canter::{ActionId, Easing, EventKind, Fade, JointMask};

use super::clock::Clock;
use super::fade::{Fader, length};
use super::world::World;
use canter_testing::twin::{self, Twin};

#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) clip: usize,
    pub(crate) clock: Clock,
    pub(crate) fader: Fader,
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
            fader: Fader::settled(false),
            weight: 1.0,
            is_started: false,
            is_paused: false,
            mask: None,
        }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.is_started && self.fader.is_wanted
    }

    pub(crate) fn level(&self) -> f64 {
        if self.is_started { self.fader.level() } else { 0.0 }
    }
}

/// What part of the whole each action is, and the rest pose.
pub(crate) struct Shares {
    pub(crate) of: HashMap<ActionId, f64>,
    pub(crate) rest: f64,
    /// What is animated of a joint, if all actions that move it are fully there.
    cover: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) actions: HashMap<ActionId, Action>,
    /// Every id that was ever given and is not valid any more.
    pub(crate) gone: HashSet<ActionId>,
    rest: Fader,
}

impl Default for Model {
    fn default() -> Self {
        Self { actions: HashMap::new(), gone: HashSet::new(), rest: Fader::settled(true) }
    }
}

impl Model {
    fn is_at_rest(&self) -> bool {
        !self.actions.values().any(|action| action.is_wanted() && action.weight > 0.0)
    }

    pub(crate) fn shares(&self) -> Shares {
        let playing = || self.actions.iter().filter(|(_, action)| action.is_started && action.weight > 0.0);
        let wanted_weight: f64 = playing()
            .filter(|(_, action)| action.is_wanted())
            .map(|(_, action)| f64::from(action.weight))
            .sum();
        let raw = |action: &Action| {
            let goal = if action.is_wanted() { f64::from(action.weight) / wanted_weight } else { 0.0 };
            action.fader.share(goal)
        };
        let mut of: HashMap<ActionId, f64> = self.actions.keys().map(|id| (*id, 0.0)).collect();
        of.extend(playing().map(|(id, action)| (*id, raw(action))));
        let sum_of = |wanted: bool| -> f64 {
            playing().filter(|(_, action)| action.is_wanted() == wanted).map(|(_, action)| raw(action)).sum()
        };
        let (staying, leaving) = (sum_of(true), sum_of(false));
        let mut rest = self.rest.share(if wanted_weight > 0.0 { 0.0 } else { 1.0 });
        let sum = staying + leaving + rest;
        let scale = |of: &mut HashMap<ActionId, f64>, wanted: bool, factor: f64| {
            for (id, share) in of {
                if self.actions[id].is_wanted() == wanted {
                    *share *= factor;
                }
            }
        };
        if sum > 1.0 {
            scale(&mut of, true, 1.0 / sum);
            scale(&mut of, false, 1.0 / sum);
            rest /= sum;
        } else if staying > 0.0 {
            scale(&mut of, true, (1.0 - leaving - rest) / staying);
        } else if wanted_weight > 0.0 {
            // None of those that stay has a part yet: they divide what nobody has.
            for (id, action) in playing().filter(|(_, action)| action.is_wanted()) {
                *of.get_mut(id).expect("all are there") +=
                    (1.0 - leaving - rest) * f64::from(action.weight) / wanted_weight;
            }
        } else if leaving > 0.0 {
            scale(&mut of, false, (1.0 - rest) / leaving);
        } else {
            rest = 1.0;
        }
        let levels: f64 = playing().map(|(_, action)| action.level()).sum();
        let cover = if levels > 0.0 { (1.0 - rest) / levels.min(1.0) } else { 1.0 };
        Shares { of, rest, cover }
    }

    /// All go on from what they are: those that change in this fade, those under way in their time, those
    /// that stay in this one.
    pub(crate) fn fade(&mut self, fade: Fade, wants: impl Fn(ActionId, &Action) -> Option<bool>) {
        let change = |id: ActionId, action: &Action| {
            wants(id, action).filter(|is_wanted| !action.fader.is_on_its_way(*is_wanted, fade))
        };
        if !self.actions.iter().any(|(id, action)| action.is_started && change(*id, action).is_some()) {
            return;
        }
        let (shares, was_at_rest) = (self.shares(), self.is_at_rest());
        for (id, action) in self.actions.iter_mut().filter(|(_, action)| action.is_started) {
            let share = shares.of[id];
            if let Some(is_wanted) = change(*id, action) {
                action.fader.start(is_wanted, share, length(fade), fade.easing);
            } else if action.fader.is_under_way() {
                action.fader.rebase(share);
            } else if action.fader.is_wanted {
                action.fader.start(true, share, length(fade), fade.easing);
            }
        }
        let is_at_rest = self.is_at_rest();
        let hastened = self.rest.is_under_way() && !self.rest.is_on_its_way(is_at_rest, fade);
        if is_at_rest != was_at_rest || hastened {
            self.rest.start(is_at_rest, shares.rest, length(fade), fade.easing);
        } else {
            self.rest.rebase(shares.rest);
        }
    }

    /// What starts does so from its beginning, and sends away what has finished.
    pub(crate) fn bring_in(&mut self, id: ActionId, fade: Fade) {
        let starts = self.prepare(id);
        self.fade_in(id, None, starts, fade);
    }

    pub(crate) fn prepare(&mut self, id: ActionId) -> bool {
        let action = self.actions.get_mut(&id).expect("a live action");
        let starts = !action.is_started;
        if starts {
            action.clock.rewind();
        }
        (action.is_started, action.is_paused) = (true, false);
        starts
    }

    pub(crate) fn fade_in(&mut self, id: ActionId, leaving: Option<ActionId>, starts: bool, fade: Fade) {
        self.fade(fade, |other, action| match other == id {
            true => Some(true),
            false => (Some(other) == leaving || (starts && action.clock.is_finished)).then_some(false),
        });
    }

    pub(crate) fn fade_out(&mut self, id: ActionId, fade: Fade) {
        self.fade(fade, |other, _| (other == id).then_some(false));
    }

    pub(crate) fn remove(&mut self, id: ActionId) {
        if self.actions.remove(&id).is_some() {
            self.gone.insert(id);
        }
    }

    pub(crate) fn stop(&mut self, id: ActionId) {
        let (rest, was_at_rest) = (self.shares().rest, self.is_at_rest());
        self.remove(id);
        if self.is_at_rest() && !was_at_rest {
            let longest = self.actions.values().map(|action| action.fader.remaining()).fold(0.0, f64::max);
            self.rest.start(true, rest, longest, Easing::Linear);
        }
        // What is left goes on from the parts that it has now.
        let shares = self.shares();
        for (id, action) in self.actions.iter_mut().filter(|(_, action)| action.is_started) {
            action.fader.take_over(shares.of[id]);
        }
        self.rest.rebase(shares.rest);
    }

    pub(crate) fn stop_all(&mut self) {
        let all: Vec<_> = self.actions.keys().copied().collect();
        all.into_iter().for_each(|id| self.remove(id));
        self.rest = Fader::settled(true);
    }

    /// What happens to each action, in the order in which it happens to it.
    pub(crate) fn advance(&mut self, dt: f64) -> HashMap<ActionId, Vec<EventKind>> {
        let mut happened: HashMap<ActionId, Vec<EventKind>> = HashMap::new();
        self.rest.advance(dt);
        for (id, action) in self.actions.iter_mut().filter(|(_, action)| action.is_started) {
            let progress = if action.is_paused { Default::default() } else { action.clock.advance(dt) };
            let mut events = Vec::new();
            if progress.looped > 0 {
                events.push(EventKind::Looped { times: progress.looped });
            }
            if progress.finished {
                events.push(EventKind::Finished);
            }
            if action.fader.advance(dt) {
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

    /// Joint by joint: shares times masks, divided by their sum; the rest pose where nothing covers the
    /// joint.
    pub(crate) fn pose(&self, world: &World) -> Twin {
        let rig = &world.rig;
        let rest = twin::rest(rig);
        let shares = self.shares();
        #[expect(clippy::cast_possible_truncation, reason = "what shows is in f32")]
        let sample =
            |action: &Action| twin::sample(rig, &world.specs[action.clip], action.clock.shown_secs() as f32);
        // What rounding leaves of nothing is nothing.
        let playing = self.actions.iter().filter(|(id, _)| shares.of[id] > 1e-12);
        let playing: Vec<Playing> = playing
            .map(|(id, action)| Playing {
                pose: sample(action),
                share: shares.of[id],
                level: action.level(),
                mask: action.mask.clone(),
            })
            .collect();
        let is_masked = playing.iter().any(|input| input.mask.is_some());
        let mut blended = rest.clone();
        for (source, joint) in blended.joints.iter_mut().enumerate() {
            let id = rig.joint(source);
            let part = |mask: &JointMask| f64::from(mask.weight(id));
            let parts = parts(&playing, is_masked, &shares, part);
            let poses = playing.iter().map(|input| input.pose.joints[source]).chain([rest.joints[source]]);
            let inputs: Vec<_> = poses.zip(parts).collect();
            joint.translation = inputs.iter().map(|(pose, part)| pose.translation * *part).sum();
            joint.scale = inputs.iter().map(|(pose, part)| pose.scale * *part).sum::<DVec3>();
            // Here all rotations are near each other, so that any of them can say which sign is the near one.
            let towards = rest.joints[source].rotation;
            let mut sum = DQuat::from_array([0.0; 4]);
            for (pose, part) in &inputs {
                sum += pose.rotation * (pose.rotation.dot(towards).signum() * part);
            }
            joint.rotation = sum.normalize();
        }
        for (set, weights) in blended.morphs.iter_mut().enumerate() {
            let part = |mask: &JointMask| {
                let index = world.masks.iter().position(|other| **other == *mask).expect("of this world");
                world.morph_part(&world.masks[index])
            };
            let parts = parts(&playing, is_masked, &shares, part);
            for (index, weight) in weights.iter_mut().enumerate() {
                let played = playing.iter().map(|input| input.pose.morphs[set][index]);
                *weight =
                    played.chain([rest.morphs[set][index]]).zip(&parts).map(|(pose, part)| pose * part).sum();
            }
        }
        blended
    }
}

struct Playing {
    pose: Twin,
    share: f64,
    level: f64,
    mask: Option<Arc<JointMask>>,
}

/// What part of a joint or morph set each input is, and the rest pose at the end.
fn parts(
    playing: &[Playing],
    is_masked: bool,
    shares: &Shares,
    mask: impl Fn(&JointMask) -> f64,
) -> Vec<f64> {
    let mask = |input: &Playing| input.mask.as_ref().map_or(1.0, |own| mask(own));
    let whole: f64 = playing.iter().map(|input| input.share * mask(input)).sum();
    let levels = playing.iter().filter(|input| mask(input) > 0.0).map(|input| input.level);
    let cover = match is_masked {
        false => 1.0 - shares.rest,
        true if whole > 0.0 => levels.sum::<f64>().min(1.0) * shares.cover,
        true => 0.0,
    };
    let part = |input: &Playing| if whole > 0.0 { input.share * mask(input) / whole * cover } else { 0.0 };
    playing.iter().map(part).chain([1.0 - cover]).collect()
}
