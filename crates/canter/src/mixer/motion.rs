//! What a mixer tells of its actions beside their pose: the markers that they cross, and the way that their
//! roots make. A mixer whose clips have neither does not come here.
//!
//! A long step is walked through in pieces while something fades, so that it leads where many short ones
//! would: within a piece shares change evenly, and the mean of both ends counts.

use std::sync::Arc;

use super::actions::{Actions, Floor, Step};
use super::event::{EventKind, EventList};
use super::passage::{MarkerEvents, Passage, PassageList};
use super::shares::Shares;
use super::sync::Gait;
use super::{Action, JointMask, Layer, LayerMode, Mixer};
use crate::clip::root_motion::Travel;
use crate::clock::Moment;
use crate::glam::Vec3;
use crate::skeleton::JointId;
use crate::transform::Transform;

/// While something fades, pieces are this long at most (an ordinary frame is not cut),
const PIECE_SECS: f64 = 1.0 / 40.0;
/// unless that made more of them than this.
const MOST_PIECES: f64 = 64.0;

/// The way that a character made in the last step of its mixer; see [`Mixer::root_motion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootStep {
    /// From where the character was before the step to where it is after it, as seen from there:
    /// `world_from_character = world_from_character * transform`.
    pub transform: Transform,
    /// Metres per second, as seen from where the step began: the mean over the last step that took any time.
    pub velocity: Vec3,
    /// Radians per second about the vertical, likewise.
    pub yaw_rate: f32,
}

impl Default for RootStep {
    fn default() -> Self {
        Self { transform: Transform::IDENTITY, velocity: Vec3::ZERO, yaw_rate: 0.0 }
    }
}

/// What a mixer keeps to tell of its actions.
#[derive(Clone, Debug, Default)]
pub(super) struct Motion {
    pub(super) passages: PassageList,
    /// Of the last step.
    root: Travel,
    /// Per second.
    velocity: Travel,
    /// The joint that root motion comes from, as it was last seen: a fade may lead on from what is gone.
    joint: Option<JointId>,
    /// Working memory: of the base and each layer at the start of a piece.
    starts: Vec<LayerStart>,
    /// Working memory of groups that are in step.
    pub(super) gaits: Vec<Gait>,
}

#[derive(Clone, Copy, Debug)]
struct LayerStart {
    /// How much of the root joint a layer covers.
    cover: f32,
    /// How far a fade from what was on screen leads to what comes, in the mean of the piece.
    led: Option<f64>,
}

/// What is kept of an action to tell of it, beside it in its layer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trace {
    /// Where the step began.
    from: Moment,
    /// What part of the pose it was then, and when the piece began.
    weight_before: f32,
    pub(super) weight: f32,
    /// Its part of the root joint when the piece began, and its way in the piece.
    root_weight: f32,
    travel: Travel,
    /// The windows that were entered and not left.
    pub(super) open: u64,
    /// Whether it leads those that are in step with it, or follows another one.
    pub(super) is_leader: bool,
    pub(super) is_led: bool,
    /// Where its leader leads it in this piece.
    pub(super) follows: Option<Moment>,
    /// Whether it was led anywhere in this step.
    was_placed: bool,
}

impl Motion {
    fn begin(&mut self) {
        self.passages.begin();
        self.root = Travel::NONE;
    }

    fn finish(&mut self, dt_secs: f64) {
        self.passages.finish(dt_secs);
        if dt_secs > 0.0 {
            self.velocity = self.root.scaled(1.0 / dt_secs);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.passages.memory_bytes()
            + self.starts.capacity() * size_of::<LayerStart>()
            + self.gaits.capacity() * size_of::<Gait>()
    }
}

impl Mixer {
    /// The markers that the last [`advance`](Self::advance) crossed, in the order of time, each exactly once
    /// however a time is cut into steps. Ask as often as needed; the body of a loop over it may use the mixer.
    ///
    /// Of actions in a [`SyncGroup`](super::SyncGroup) only those of the leader are told.
    /// [`ActionMut::seek`](super::ActionMut::seek) tells nothing,
    /// [`scrub`](super::ActionMut::scrub) what it passes.
    ///
    /// ```
    /// # use canter::{Clip, Marker, MarkerName, Mixer, Play, Skeleton, Track, Transform, glam::Vec3};
    /// # use std::sync::Arc;
    /// # let mut joints = Skeleton::builder();
    /// # joints.joint("hips", None, Transform::IDENTITY);
    /// # let skeleton = Arc::new(joints.build()?);
    /// # let hips = skeleton.joint("hips").unwrap();
    /// let mut walk = Clip::builder("Walk", &skeleton);
    /// walk.translation(hips, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y]));
    /// walk.marker(Marker::new("foot_L", 0.0)).marker(Marker::new("foot_R", 0.5));
    /// let walk = Arc::new(walk.build()?);
    /// let left = MarkerName::new("foot_L");
    ///
    /// let mut mixer = Mixer::new(&skeleton);
    /// mixer.play(&walk, Play::default());
    /// mixer.advance(1.75);
    /// let steps: Vec<_> = mixer.markers().map(|step| (step.name == left, step.secs_ago)).collect();
    /// assert_eq!(steps, [(true, 1.75), (false, 1.25), (true, 0.75), (false, 0.25)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn markers(&self) -> MarkerEvents {
        self.motion.as_ref().map_or_else(MarkerEvents::default, |motion| motion.passages.events())
    }

    /// The way that the character made in the last [`advance`](Self::advance), by the root motion of its clips
    /// ([`Clip::with_root_motion`](crate::Clip::with_root_motion)): the mean of what they do, with the same
    /// weights as the pose. Clips without root motion stand. Exact for any step.
    #[must_use]
    pub fn root_motion(&self) -> RootStep {
        self.motion.as_ref().map_or_else(RootStep::default, |motion| {
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
            let yaw_rate = motion.velocity.yaw as f32;
            let velocity = motion.velocity.translation();
            RootStep { transform: motion.root.transform(), velocity, yaw_rate }
        })
    }

    /// From now on actions are told of.
    pub(super) fn start_telling(&mut self) {
        if self.motion.is_none() {
            self.motion = Some(Box::default());
        }
        self.reserve_traces();
    }

    /// Makes room, so that no frame has to.
    pub(super) fn reserve_traces(&mut self) {
        let Self { base, layers, motion: Some(motion), .. } = self else { return };
        let (mut slots, mut synced) = (0, 0);
        for actions in std::iter::once(base).chain(layers.iter_mut().map(|layer| &mut layer.actions)) {
            actions.traces.resize_with(actions.slots.len(), Trace::default);
            slots += actions.slots.len();
            synced += actions.iter().filter(|(_, action)| action.sync.is_some()).count();
        }
        motion.passages.reserve(2 * slots);
        motion.starts.reserve((1 + layers.len()).saturating_sub(motion.starts.len()));
        motion.gaits.reserve(synced.saturating_sub(motion.gaits.len()));
    }

    /// What a refused step tells: nothing.
    pub(super) fn tell_nothing(&mut self) {
        if let Some(motion) = &mut self.motion {
            motion.begin();
            motion.passages.finish(0.0);
        }
    }

    #[inline(never)]
    pub(super) fn advance_and_tell(&mut self, dt_secs: f64) {
        self.aim_transitions();
        let Some(mut motion) = self.motion.take() else { return };
        motion.begin();
        self.weigh_traces();
        for actions in self.all_actions_mut() {
            actions.begin_traces();
        }
        motion.joint = self.root_joint().or(motion.joint.filter(|_| self.is_led()));
        let root = motion.joint;
        let is_cut = root.is_some() || self.has_groups();
        let mut left = dt_secs;
        loop {
            let piece = if is_cut { self.piece_secs(left) } else { left };
            left = if piece < left { left - piece } else { 0.0 };
            let step = Step { later_secs: left, ..self.step(piece) };
            self.advance_piece(&step, piece, root, &mut motion);
            if left <= 0.0 {
                break;
            }
        }
        self.weigh_traces();
        let speed = f64::from(self.speed);
        for actions in self.all_actions_mut() {
            actions.pass(dt_secs, speed, &mut motion.passages);
        }
        motion.finish(dt_secs);
        self.motion = Some(motion);
    }

    pub(super) fn all_actions_mut(&mut self) -> impl Iterator<Item = &mut Actions> {
        std::iter::once(&mut self.base).chain(self.layers.iter_mut().map(|layer| &mut layer.actions))
    }

    /// Writes down what part of the pose each action is.
    pub(super) fn weigh_traces(&mut self) {
        let shares = self.base.shares();
        self.base.weigh(|action| shares.of(action));
        for layer in &mut self.layers {
            let (mode, weight, shares) = (layer.mode, layer.weight(), layer.actions.shares());
            layer.actions.weigh(|action| effective_weight(mode, weight, &shares, action));
        }
    }

    /// The joint that root motion was taken from, if anything that plays has some.
    fn root_joint(&self) -> Option<JointId> {
        self.actions().find_map(|(_, action)| action.clip.root_motion().map(|root| root.joint()))
    }

    /// Whether a fade from what was on screen is under way.
    fn is_led(&self) -> bool {
        self.base.has_transition() || self.layers.iter().any(|layer| layer.actions.has_transition())
    }

    fn has_groups(&self) -> bool {
        self.actions().any(|(_, action)| action.sync.is_some())
    }

    /// How much of the rest of a step is gone through at once: up to the next end of a fade.
    fn piece_secs(&self, left: f64) -> f64 {
        let speed = if self.fades_follow_speed { f64::from(self.speed) } else { 1.0 };
        if !self.is_fading() || speed <= 0.0 {
            return left;
        }
        let (mut next, mut last) = (f64::INFINITY, 0.0_f64);
        let mut look = |tween: Option<&super::fade::Tween>| {
            let secs = tween.map_or(0.0, |tween| tween.remaining_secs() / speed);
            if secs > 0.0 {
                (next, last) = (next.min(secs), last.max(secs));
            }
        };
        for actions in std::iter::once(&self.base).chain(self.layers.iter().map(|layer| &layer.actions)) {
            look(actions.rest.tween.as_ref());
            look(actions.transition.as_ref().and_then(|transition| transition.tween.as_ref()));
            actions.iter().for_each(|(_, action)| look(action.fader.tween.as_ref()));
        }
        self.layers.iter().for_each(|layer| look(layer.weight.tween.as_ref()));
        let even = PIECE_SECS.max(last / MOST_PIECES);
        let piece = next.min(even);
        // No splinters: what little is left comes along.
        if left - piece < 1e-9 { left } else { piece }
    }

    fn advance_piece(&mut self, step: &Step, secs: f64, root: Option<JointId>, motion: &mut Motion) {
        self.weigh_traces();
        motion.starts.clear();
        motion.starts.push(LayerStart { cover: 1.0, led: self.base.led(step.fade_secs) });
        if let Some(joint) = root {
            self.base.weigh_roots(joint);
        }
        for layer in &mut self.layers {
            let cover = root.map_or(0.0, |joint| layer.coverage(joint));
            motion.starts.push(LayerStart { cover, led: layer.actions.led(step.fade_secs) });
            if let Some(joint) = root {
                layer.weigh_roots(joint);
            }
        }
        self.lead_groups(step, &mut motion.gaits);
        let Self { base, layers, events, .. } = self;
        base.advance_and_tell(step, events, &mut motion.passages);
        base.advance_transition(step);
        for layer in layers {
            layer.weight.advance(step.fade_secs);
            layer.actions.advance_and_tell(step, events, &mut motion.passages);
            layer.advance_transition(step);
        }
        if let Some(joint) = root {
            motion.root = motion.root.then(self.travel(secs, joint, &motion.starts));
        }
    }

    /// The way of a piece.
    fn travel(&mut self, secs: f64, joint: JointId, starts: &[LayerStart]) -> Travel {
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
    pub(super) fn root_velocity(&self, layer: super::LayerId) -> Travel {
        let joint = self.root_joint().or(self.motion.as_ref().and_then(|motion| motion.joint));
        let Some(joint) = joint else { return Travel::NONE };
        let step = self.step(super::transition::AHEAD_SECS);
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
        let velocity = travel.scaled(1.0 / super::transition::AHEAD_SECS);
        match actions.transition.as_ref().filter(|transition| transition.is_under_way()) {
            Some(transition) => transition.lead_root(velocity, transition.mean_part(0.0).unwrap_or(1.0)),
            None => velocity,
        }
    }
}

/// What part of what a layer is laid over, or how much of its clip is added.
pub(super) fn effective_weight(mode: LayerMode, layer: f32, shares: &Shares, action: &Action) -> f32 {
    match mode {
        LayerMode::Over => shares.of(action) * ((1.0 - shares.rest) * layer).min(1.0),
        LayerMode::Additive => action.weight * action.fade_level() * layer,
    }
}

impl Layer {
    /// How much of an action's way is added.
    fn added_weight(&self, action: &Action, joint: JointId) -> f32 {
        let mask = |mask: Option<&JointMask>| mask.map_or(1.0, |mask| mask.weight(joint));
        let strength = action.weight * action.fade_level() * self.weight();
        strength * mask(self.mask.as_deref()) * mask(action.mask.as_deref())
    }

    fn weigh_roots(&mut self, joint: JointId) {
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
    fn weigh(&mut self, weight: impl Fn(&Action) -> f32) {
        for (slot, trace) in self.slots.iter().zip(&mut self.traces) {
            trace.weight = slot.playing().map_or(0.0, &weight);
        }
    }

    fn begin_traces(&mut self) {
        for (slot, trace) in self.slots.iter().zip(&mut self.traces) {
            if let Some(action) = &slot.action {
                (trace.from, trace.weight_before) = (action.clock.moment(), trace.weight);
                (trace.is_led, trace.was_placed) = (false, false);
            }
        }
    }

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

    fn weigh_roots(&mut self, joint: JointId) {
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
    fn led(&self, fade_secs: f64) -> Option<f64> {
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

    /// Moves on as [`advance`](Self::advance) does, and keeps what there is to tell.
    fn advance_and_tell(&mut self, step: &Step, events: &mut EventList, passages: &mut PassageList) {
        self.rest.advance(step.fade_secs);
        let mut is_settled = self.rest.tween.is_none();
        for slot in 0..self.slots.len() {
            self.traces[slot].travel = Travel::NONE;
            let Some(action) = &mut self.slots[slot].action else { continue };
            if !action.is_started {
                continue;
            }
            let trace = &mut self.traces[slot];
            let faded_out = action.fader.advance(step.fade_secs);
            is_settled &= action.fader.tween.is_none();
            if !action.is_paused {
                let from = action.clock.moment();
                // What was faded out on the way has not gone all of it: what it tells happened before it left.
                let since = faded_out.map(|secs| secs / step.fade_speed).filter(|secs| secs.is_finite());
                let (span, since) = match trace.follows.take() {
                    Some(moment) => {
                        trace.was_placed = true;
                        (action.clock.go_along(moment), 0.0)
                    }
                    None => {
                        let since = since.unwrap_or(0.0);
                        (action.clock.advance((step.secs - since * step.speed).max(0.0)), since)
                    }
                };
                let step = &Step { later_secs: step.later_secs + since, ..*step };
                if let Some(root) = action.clip.root_motion() {
                    trace.travel = root.along(from, &action.clock);
                }
                self.tell_span(slot, &span, step, events);
            }
            if let Some(secs_since) = faded_out {
                self.pass_one(slot, None, step.speed, true, passages);
                self.tell(events, slot, EventKind::FadedOut, secs_since / step.fade_speed, step);
                self.remove(slot);
            }
        }
        self.is_settled = is_settled;
    }

    /// Keeps what all actions have crossed in a step.
    fn pass(&mut self, dt_secs: f64, speed: f64, passages: &mut PassageList) {
        for slot in 0..self.slots.len() {
            if self.slots[slot].playing().is_some() {
                self.pass_one(slot, Some(dt_secs), speed, false, passages);
            }
        }
    }

    /// Keeps what an action has crossed since the step began, which took `dt_secs` unless it ended before.
    fn pass_one(
        &mut self,
        slot: usize,
        dt_secs: Option<f64>,
        speed: f64,
        closes: bool,
        passages: &mut PassageList,
    ) {
        let id = self.id(slot);
        let (Some(action), trace) = (&mut self.slots[slot].action, &mut self.traces[slot]) else { return };
        if action.clip.markers().is_empty() || (action.is_paused && !closes) {
            return;
        }
        let (from, clock) = (trace.from, action.clock);
        let to = clock.moment();
        let is_fresh = std::mem::take(&mut action.is_fresh);
        let is_silent = trace.is_led;
        if trace.open == 0 && (is_silent || (from == to && !is_fresh)) {
            return;
        }
        let length = clock.length_secs();
        #[expect(clippy::cast_precision_loss, reason = "exact for 2⁵³ loops")]
        let way = (to.loops.saturating_sub(from.loops) as f64) * length + (to.secs - from.secs);
        let is_backward = if way == 0.0 { clock.speed() < 0.0 } else { way < 0.0 };
        let pace = f64::from(clock.speed()).abs() * speed;
        let mut secs = if pace > 0.0 { way.abs() / pace } else { 0.0 };
        if let Some(dt_secs) = dt_secs {
            secs = if trace.was_placed { dt_secs } else { secs.min(dt_secs) };
        }
        let passage = Passage {
            action: id,
            clip: Arc::clone(&action.clip),
            from,
            clock,
            is_fresh,
            is_backward,
            open: trace.open,
            closes,
            is_silent,
            secs,
            weights: (trace.weight_before, if closes { 0.0 } else { trace.weight }),
        };
        trace.open = passage.open_after();
        passages.push(passage);
    }

    /// What has to be told when an action ends between two steps: that it leaves its windows.
    pub(super) fn leave_windows(&mut self, slot: usize, passages: &mut PassageList) {
        let id = self.id(slot);
        let Some(action) = &self.slots[slot].action else { return };
        let Some(trace) = self.traces.get_mut(slot).filter(|trace| trace.open != 0) else { return };
        passages.push(Passage {
            action: id,
            clip: Arc::clone(&action.clip),
            from: action.clock.moment(),
            clock: action.clock,
            is_fresh: false,
            is_backward: false,
            open: std::mem::take(&mut trace.open),
            closes: true,
            is_silent: true,
            secs: 0.0,
            weights: (trace.weight, trace.weight),
        });
    }

    /// Puts an action to another time of its loop, and keeps what it passes on the way.
    pub(super) fn scrub(&mut self, slot: usize, secs: f32, passages: &mut PassageList) {
        let id = self.id(slot);
        let (Some(action), Some(trace)) = (&mut self.slots[slot].action, self.traces.get_mut(slot)) else {
            return;
        };
        let from = action.clock.moment();
        action.clock.scrub(secs);
        let to = action.clock.moment();
        let is_fresh = std::mem::take(&mut action.is_fresh);
        let is_backward = to.secs < from.secs;
        let passage = Passage {
            action: id,
            clip: Arc::clone(&action.clip),
            from,
            clock: action.clock,
            is_fresh,
            is_backward,
            open: trace.open,
            closes: false,
            is_silent: false,
            secs: 0.0,
            weights: (trace.weight, trace.weight),
        };
        trace.open = passage.open_after();
        passages.push(passage);
    }
}
