//! What a mixer tells of its actions beside their pose: the markers that they cross, and the way that their
//! roots make. A mixer whose clips have neither does not come here.
//!
//! A long step is walked through in pieces while something fades, so that it leads where many short ones
//! would: within a piece shares change evenly, and the mean of both ends counts.

mod loud;
mod passing;
mod quiet;
mod root;

use super::actions::{Actions, Step};
use super::event::{EventKind, EventList};
use super::fade::{Fader, Tween};
use super::layer::Ramp;
use super::passage::{MarkerEvents, PassageList};
use super::shares::Shares;
use super::sync::Gait;
use super::{Action, LayerMode, Mixer};
use crate::clip::RootCurve;
use crate::clip::root_motion::{RootPlace, Travel};
use crate::clock::Moment;
use crate::glam::Vec3;
use crate::skeleton::JointId;
use crate::transform::Transform;
use passing::Quiet;

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
    /// Whether no action has a mask, or is in step with others.
    pub(super) is_simple: bool,
    /// Whether no root turns, and all go in straight lines from key to key.
    is_straight: bool,
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
    /// Where the last step ended, if that is within `quiet`; there is `root`, too. Mostly the next one begins there.
    at: Moment,
    root: RootPlace,
    /// Between two markers; and where it was so before.
    quiet: Quiet,
    last_quiet: Quiet,
    /// Whether the present step leads out of its loop, or begins elsewhere.
    is_loud: bool,
    /// How many edges were before where it began, if it crosses some.
    crossed_from: Option<usize>,
}

/// No moment at all.
const NOWHEN: Moment = Moment { loops: 0, secs: f64::NAN };

impl Trace {
    /// A new one is at the start of a loop, before all that is there: not so an action that was stored and put back.
    pub(super) fn forget_place(&mut self) {
        self.at = NOWHEN;
    }
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
            // Below that, numbers may become too large.
            if dt_secs < 1e-9 {
                self.velocity = self.velocity.clamped();
            }
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
    #[inline]
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
            self.is_bare = false;
        }
        self.reserve_traces();
    }

    /// Makes room, so that no frame has to.
    pub(super) fn reserve_traces(&mut self) {
        let Self { base, layers, motion: Some(motion), .. } = self else { return };
        let (mut slots, mut synced) = (0, 0);
        motion.is_simple = base.iter().all(|(_, action)| action.mask.is_none() && action.sync.is_none());
        motion.is_straight =
            base.iter().all(|(_, action)| action.clip.root_motion().is_none_or(RootCurve::is_straight));
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

    #[inline(always)]
    pub(super) fn advance_and_tell(&mut self, dt_secs: f64) {
        // Shares stay as they are: no fade, no layer, no mask, nothing in step. Most frames are so.
        let is_simple = self.motion.as_ref().is_some_and(|motion| motion.is_simple);
        if is_simple && self.base.is_settled && self.is_plain() {
            self.advance_settled(dt_secs);
        } else {
            self.advance_in_pieces(dt_secs);
        }
    }

    #[inline(never)]
    fn advance_in_pieces(&mut self, dt_secs: f64) {
        let Some(mut motion) = self.motion.take() else { return };
        motion.begin();
        self.aim_transitions();
        self.weigh_traces();
        for actions in self.all_actions_mut() {
            actions.begin_traces();
        }
        motion.joint = self.root_joint().or(motion.joint.filter(|_| self.is_led()));
        let root = motion.joint;
        let has_groups = self.has_groups();
        let is_cut = root.is_some() || has_groups;
        let (mut left, mut pieces) = (dt_secs, 0.0);
        loop {
            // Where numbers are so far apart that a piece is lost by rounding, there is an end to them, too.
            pieces += 1.0;
            let is_cut = is_cut && pieces < 4.0 * MOST_PIECES;
            let piece = if is_cut { self.piece_secs(left, has_groups) } else { left };
            left = if piece < left { left - piece } else { 0.0 };
            self.events.later_secs = left;
            let step = self.step(piece);
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

    /// A step in which shares stay as they are.
    #[inline(always)]
    fn advance_settled(&mut self, dt_secs: f64) {
        let secs = dt_secs * f64::from(self.speed);
        let Self { base, motion: Some(motion), .. } = self else { return };
        motion.passages.begin();
        let quiet =
            if motion.is_straight { base.advance_quiet::<true>(secs) } else { base.advance_any_quiet(secs) };
        let mut ways = Travel::of_vec4(quiet.ways);
        if !quiet.is_all {
            ways = ways.plus(self.advance_loud(dt_secs));
        }
        let Some(motion) = &mut self.motion else { return };
        // A mean of all, the same as their shares make of it.
        motion.root = if quiet.weights > 0.0 { ways.scaled(1.0 / quiet.weights) } else { Travel::NONE };
        motion.finish(dt_secs);
    }

    pub(super) fn all_actions_mut(&mut self) -> impl Iterator<Item = &mut Actions> {
        std::iter::once(&mut self.base).chain(self.layers.iter_mut().map(|layer| &mut layer.actions))
    }

    /// Writes down what part of the pose each action is.
    pub(super) fn weigh_traces(&mut self) {
        self.weigh_traces_by(Ramp::value);
    }

    /// The same as it is in the middle of the cells of all fades.
    pub(super) fn weigh_traces_in_cells(&mut self) {
        self.all_faders_mut().for_each(Fader::show_cell);
        self.weigh_traces_by(Ramp::value_in_cell);
        self.all_faders_mut().for_each(Fader::show_now);
    }

    fn weigh_traces_by(&mut self, layer_weight: fn(&Ramp) -> f32) {
        let shares = self.base.shares();
        self.base.weigh(|action| shares.of(action));
        for layer in &mut self.layers {
            let (mode, weight, shares) = (layer.mode, layer_weight(&layer.weight), layer.actions.shares());
            layer.actions.weigh(|action| effective_weight(mode, weight, &shares, action));
        }
    }

    fn all_faders_mut(&mut self) -> impl Iterator<Item = &mut Fader> {
        self.all_actions_mut().flat_map(|actions| {
            let slots = actions.slots.iter_mut().filter_map(|slot| slot.action.as_mut());
            slots.map(|action| &mut action.fader).chain([&mut actions.rest])
        })
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

    /// How much of the rest of a step is gone through at once: up to the next end of a fade, or of a cell of one if
    /// actions are in step.
    fn piece_secs(&self, left: f64, in_cells: bool) -> f64 {
        let speed = self.fade_speed();
        if !self.is_fading() || speed <= 0.0 {
            return left;
        }
        let (mut next, mut last) = (f64::INFINITY, 0.0_f64);
        self.each_tween(&mut |tween| {
            let secs = tween.remaining_secs() / speed;
            if secs > 0.0 {
                (next, last) = (next.min(secs), last.max(secs));
            }
        });
        let even = PIECE_SECS.max(last / MOST_PIECES);
        let piece = if in_cells { next.min(self.secs_to_end_of_cell(None)) } else { next.min(even) };
        // No splinters: what little is left comes along.
        if left - piece < 1e-9 { left } else { piece }
    }

    /// For how long those that are in step, with a number or any, are as strong as in the present cells of their fades.
    pub(super) fn secs_to_end_of_cell(&self, number: Option<u32>) -> f64 {
        let is_of_group = |action: &Action| {
            action.sync.is_some_and(|sync| number.is_none_or(|number| sync.number == number))
        };
        let of = |tween: &Option<Tween>| match tween {
            Some(tween) if !tween.is_over() => tween.secs_to_end_of_cell(),
            _ => f64::INFINITY,
        };
        let base = (&self.base, f64::INFINITY);
        let layers = self.layers.iter().map(|layer| (&layer.actions, of(&layer.weight.tween)));
        let mut next = f64::INFINITY;
        for (actions, layer_secs) in std::iter::once(base).chain(layers) {
            if actions.iter().any(|(_, action)| is_of_group(action)) {
                next = next.min(layer_secs).min(of(&actions.rest.tween));
                next = actions.iter().map(|(_, action)| of(&action.fader.tween)).fold(next, f64::min);
            }
        }
        let speed = self.fade_speed();
        if speed > 0.0 { next / speed } else { f64::INFINITY }
    }

    /// Seconds of fades per second.
    fn fade_speed(&self) -> f64 {
        if self.fades_follow_speed { f64::from(self.speed) } else { 1.0 }
    }

    fn each_tween(&self, look: &mut dyn FnMut(&Tween)) {
        for actions in std::iter::once(&self.base).chain(self.layers.iter().map(|layer| &layer.actions)) {
            let led = actions.transition.as_ref().and_then(|transition| transition.tween.as_ref());
            actions.rest.tween.iter().chain(led).for_each(&mut *look);
            actions.iter().filter_map(|(_, action)| action.fader.tween.as_ref()).for_each(&mut *look);
        }
        self.layers.iter().filter_map(|layer| layer.weight.tween.as_ref()).for_each(&mut *look);
    }

    fn advance_piece(&mut self, step: &Step, secs: f64, root: Option<JointId>, motion: &mut Motion) {
        if self.has_groups() {
            self.weigh_traces_in_cells();
            self.lead_groups(step, &mut motion.gaits);
        }
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
}

/// What part of what a layer is laid over, or how much of its clip is added.
pub(super) fn effective_weight(mode: LayerMode, layer: f32, shares: &Shares, action: &Action) -> f32 {
    match mode {
        LayerMode::Over => shares.of(action) * ((1.0 - shares.rest) * layer).min(1.0),
        LayerMode::Additive => action.weight * action.fade_level() * layer,
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
                (trace.is_led, trace.was_placed, trace.at) = (false, false, NOWHEN);
            }
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
                if let Some(root) = action.clip.root_motion() {
                    trace.travel = root.along(from, &action.clock);
                }
                events.later_secs += since;
                self.tell_span(slot, &span, step, events);
                events.later_secs -= since;
            }
            if let Some(secs_since) = faded_out {
                self.pass_one(slot, None, step.speed, true, passages);
                self.tell(events, slot, EventKind::FadedOut, secs_since / step.fade_speed);
                self.remove(slot);
            }
        }
        self.is_settled = is_settled;
    }
}
