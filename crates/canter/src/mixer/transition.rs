//! A fade that starts from what is on screen, so that only what comes has to be sampled.
//!
//! When it is asked for, the pose of that instant and where it is heading are kept. From then on each pose
//! that is blended, the *target*, is led to from there, in one of two ways:
//!
//! - *Dead*: the old pose moves on with its velocity, which dies away before it runs past the target, and is
//!   blended over on a smooth step. The result lies between two sensible poses whatever happens.
//! - *Inertial*: the difference between old pose and target dies away on a curve of fifth degree that begins
//!   with the velocity of that difference, never overshoots, and ends softly.
//!
//! Being interrupted is nothing special: the pose and the velocity of the fade itself are kept.

mod aim;
mod decay;

use std::sync::Arc;

use fearless_simd::Level;

use super::actions::{Actions, Slot, Step};
use super::fade::{Easing, Fade, FadeKind, Fader, Tween};
use super::lay::Located;
use super::sample::LayerScratch;
use super::{LayerId, Mixer};
use crate::clip::root_motion::Travel;
use crate::clock::Clock;
use crate::kernel::{dispatch, has_own_kernel};
use crate::pose::{JointGroup, Lanes, Pose};
use crate::skeleton::Skeleton;

/// How far ahead poses are looked at to find their velocity.
pub(super) const AHEAD_SECS: f64 = 1.0 / 120.0;

/// A fade from what was on screen.
#[derive(Debug)]
pub(crate) struct Transition {
    pub(super) kind: FadeKind,
    /// `None` when it is over.
    pub(super) tween: Option<Tween>,
    /// Whether the pose that it leads to was seen. Until then entries hold two poses: that of the instant,
    /// and that of a little later.
    pub(super) is_aimed: bool,
    pub(super) joints: Vec<JointEntry>,
    pub(super) morphs: Vec<MorphEntry>,
    /// How the root moved, per second.
    pub(super) root: Travel,
}

/// What is kept of eight joints. How the numbers are read depends on the kind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(super) struct JointEntry {
    /// Dead: the old pose. Inertial: the directions of the differences, and the axes of rotations.
    pub(super) from: JointGroup,
    /// Dead: its velocity per second. Inertial: the curves of the lengths of differences, and of half the
    /// angles.
    pub(super) by: JointGroup,
    /// One over a time, of translations, rotations and scales. Dead: in which velocities die. Inertial: in
    /// which differences do. All zero where no translation, or no scale, has to be led anywhere.
    pub(super) rates: [Lanes; 3],
    /// Dead: the rotations of the last target, which stay on their side.
    pub(super) target: [Lanes; 4],
}

/// The same of a morph weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MorphEntry {
    pub(super) from: f32,
    pub(super) by: [f32; 3],
    pub(super) rate: f32,
}

impl JointEntry {
    pub(super) const EMPTY: Self = Self {
        from: JointGroup::IDENTITY,
        by: JointGroup::IDENTITY,
        rates: [Lanes([0.0; 8]); 3],
        target: [Lanes([0.0; 8]); 4],
    };

    /// All numbers, to store.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        let Self { from, by, rates, target } = self;
        let poses = [from, by]
            .into_iter()
            .flat_map(|group| group.translation.iter().chain(&group.rotation).chain(&group.scale));
        poses.chain(rates).chain(target).flat_map(|lanes| lanes.0)
    }

    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let Self { from, by, rates, target } = self;
        let poses = [from, by].into_iter().flat_map(|group| {
            group.translation.iter_mut().chain(&mut group.rotation).chain(&mut group.scale)
        });
        poses.chain(rates).chain(target).flat_map(|lanes| &mut lanes.0)
    }
}

impl MorphEntry {
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        let Self { from, by: [start, velocity, acceleration], rate } = *self;
        [from, start, velocity, acceleration, rate].into_iter()
    }

    pub(super) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let Self { from, by, rate } = self;
        std::iter::once(from).chain(by).chain(std::iter::once(rate))
    }
}

impl Transition {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let rest = skeleton.rest_pose();
        Self {
            kind: FadeKind::Dead,
            tween: None,
            is_aimed: true,
            joints: vec![JointEntry::EMPTY; rest.groups.len()],
            morphs: vec![MorphEntry::default(); rest.morph_weights.len()],
            root: Travel::NONE,
        }
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.tween.is_some()
    }

    /// Whether it has yet to see what it leads to.
    fn is_waiting(&self) -> bool {
        self.is_under_way() && !self.is_aimed
    }

    pub(super) fn end(&mut self) {
        self.tween = None;
    }

    pub(super) fn advance(&mut self, dt_secs: f64) {
        if let Some(tween) = &mut self.tween {
            tween.passed_secs += dt_secs;
            if tween.is_over() {
                self.tween = None;
            }
        }
    }

    /// The part of the way to what comes, in the mean of the next so many seconds; `None` if it is over.
    pub(super) fn mean_part(&self, secs: f64) -> Option<f64> {
        let tween = self.tween?;
        let whole = f64::from(tween.secs);
        let at = |secs: f64| (secs / whole).clamp(0.0, 1.0);
        let (from, to) = (at(tween.passed_secs), at(tween.passed_secs + secs));
        // A smooth step, and its integral.
        let step = |t: f64| t * t * (3.0 - 2.0 * t);
        let sum = |t: f64| t * t * t * (1.0 - 0.5 * t);
        Some(if to - from > 1e-6 { (sum(to) - sum(from)) / (to - from) } else { step(from) })
    }

    /// Leads a velocity from what it was when the fade began to what it is now.
    pub(super) fn lead_root(&self, velocity: Travel, part: f64) -> Travel {
        self.root.scaled(1.0 - part).plus(velocity.scaled(part))
    }

    /// Starts from a pose, and from what it would have been a little later.
    fn begin(&mut self, fade: Fade, now: &Pose, ahead: &Pose) {
        (self.kind, self.is_aimed) = (fade.kind, false);
        self.tween = Some(Tween::new(Fade { easing: Easing::SmoothStep, ..fade }));
        for ((entry, now), ahead) in self.joints.iter_mut().zip(&now.groups).zip(&ahead.groups) {
            (entry.from, entry.by) = (*now, *ahead);
        }
        let weights = now.morph_weights.iter().zip(&ahead.morph_weights);
        for (entry, (now, ahead)) in self.morphs.iter_mut().zip(weights) {
            *entry = MorphEntry { from: *now, by: [*ahead, 0.0, 0.0], rate: 0.0 };
        }
    }

    /// Leads from where it started to a clip, whose morph weights are in the pose already, or to the pose
    /// that is there.
    #[cfg_attr(canter_web, optimize(speed), inline(never))]
    pub(super) fn lead(&mut self, level: Level, clip: Option<Located<'_>>, pose: &mut Pose) {
        let Some(tween) = self.tween else { return };
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let secs = tween.passed_secs.min(tween.secs.into()) as f32;
        let (entries, groups) = (&mut self.joints[..], &mut pose.groups[..]);
        if self.kind == FadeKind::Inertial {
            let inertial = decay::Inertial { secs, entries, groups };
            match clip {
                Some(clip) if has_own_kernel(false) => dispatch!(level, simd => clip.walk(simd, inertial)),
                _ => dispatch!(level, simd => decay::follow(simd, inertial)),
            }
            decay::inertial_morphs(secs, &self.morphs, &mut pose.morph_weights);
        } else {
            let part = tween.mix(0.0, 1.0);
            let dead = decay::Dead { secs, part, entries, groups };
            match clip {
                Some(clip) if has_own_kernel(false) => dispatch!(level, simd => clip.walk(simd, dead)),
                _ => dispatch!(level, simd => decay::follow(simd, dead)),
            }
            decay::dead_morphs(secs, part, &self.morphs, &mut pose.morph_weights);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.joints.capacity() * size_of::<JointEntry>()
            + self.morphs.capacity() * size_of::<MorphEntry>()
    }
}

impl Clone for Transition {
    fn clone(&self) -> Self {
        Self { joints: self.joints.clone(), morphs: self.morphs.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { kind, tween, is_aimed, joints, morphs, root } = source;
        (self.kind, self.tween, self.is_aimed, self.root) = (*kind, *tween, *is_aimed, *root);
        self.joints.clone_from(joints);
        self.morphs.clone_from(morphs);
    }
}

impl Mixer {
    /// Keeps what a layer shows and where it is heading, before something else takes its place.
    pub(super) fn begin_transition(&mut self, layer: LayerId, fade: Fade) {
        // One that was begun at this very instant is what is on screen.
        self.aim_transitions();
        let root = if self.motion.is_some() { self.root_velocity(layer) } else { Travel::NONE };
        let skeleton = Arc::clone(&self.skeleton);
        let Some(actions) = self.actions_of_mut(layer) else { return };
        if actions.transition.is_none() {
            actions.transition = Some(Box::new(Transition::new(&skeleton)));
            self.reserve();
        }
        self.with_poses(layer, true, &|transition, now, ahead| {
            transition.begin(fade, now, ahead);
            transition.root = root;
        });
    }

    /// Lets fades that were begun since the last step see what they lead to.
    pub(super) fn aim_transitions(&mut self) {
        let layers = self.layers.iter().map(|layer| &layer.actions);
        let mut all = std::iter::once(&self.base).chain(layers);
        let Some(layer) = all.find(|actions| actions.is_waiting()).map(|actions| actions.layer) else {
            return;
        };
        self.with_poses(layer, false, &Transition::aim);
        // There are few: one after the other, without a list of them.
        self.aim_transitions();
    }

    /// Shows a layer's transition what the layer is now, and a little later.
    fn with_poses(&mut self, layer: LayerId, is_led: bool, look: &dyn Fn(&mut Transition, &Pose, &Pose)) {
        let Some(mut scratch) = self.scratch.layers.take() else { return };
        let LayerScratch { own, ahead, saved, .. } = &mut *scratch;
        self.write_own(layer, is_led, own);
        // A transition runs in the time of fades.
        let mut step = self.step(AHEAD_SECS);
        if step.fade_speed > 0.0 {
            step = self.step(AHEAD_SECS / step.fade_speed);
        }
        let part = self.actions_of(layer).map_or(1.0, |actions| actions.room_ahead(&step));
        // Fades have nothing before their start: looking back, they stand still.
        let looked = Step { secs: step.secs * part, fade_secs: (step.fade_secs * part).max(0.0), ..step };
        if let Some(actions) = self.actions_of_mut(layer) {
            actions.look_ahead(&looked, saved);
        }
        self.write_own(layer, is_led, ahead);
        ahead.extrapolate(own, part);
        if let Some(actions) = self.actions_of_mut(layer) {
            actions.look_back(&looked, saved);
            if let Some(transition) = &mut actions.transition {
                look(transition, own, ahead);
            }
        }
        self.scratch.layers = Some(scratch);
    }

    /// What a layer is by itself; `is_led` by its transition, or without.
    fn write_own(&mut self, id: LayerId, is_led: bool, pose: &mut Pose) {
        let level = Level::new();
        let Self { skeleton, base, layers, scratch, .. } = self;
        let actions = match layers.iter_mut().find(|layer| layer.id() == id) {
            Some(layer) => {
                layer.write_own(level, skeleton, scratch, pose);
                &mut layer.actions
            }
            None => {
                base.blend(level, skeleton, scratch, pose);
                base
            }
        };
        if is_led {
            actions.follow_transition(level, None, pose);
        }
    }
}

impl Actions {
    fn is_waiting(&self) -> bool {
        self.transition.as_ref().is_some_and(|transition| transition.is_waiting())
    }

    /// The part of a step that leads beyond no end of a loop, which may begin somewhere else; negative if
    /// there is more room behind.
    fn room_ahead(&self, step: &Step) -> f64 {
        let running = || {
            let playing = self.slots.iter().filter_map(Slot::playing);
            playing.filter(|action| !action.is_paused && !action.is_finished()).map(|action| &action.clock)
        };
        let ahead = running().map(|clock| clock.room(step.secs)).fold(1.0, f64::min);
        let behind = running().map(|clock| clock.room(-step.secs)).fold(1.0, f64::min);
        if ahead >= behind || ahead >= 0.5 { ahead } else { -behind }
    }

    /// Goes a little ahead, or back. Clocks stop at the ends of their clips.
    fn look_ahead(&mut self, step: &Step, saved: &mut Vec<(Clock, Fader)>) {
        saved.clear();
        saved.push((Clock::new(0.0), self.rest));
        self.rest.advance(step.fade_secs);
        for action in self.slots.iter_mut().filter_map(|slot| slot.action.as_mut()) {
            saved.push((action.clock, action.fader));
            if action.is_started {
                action.fader.advance(step.fade_secs);
            }
            if action.is_started && !action.is_paused {
                action.clock = action.clock.ahead(step.secs);
            }
        }
        self.shift_transition(step.fade_secs);
    }

    fn look_back(&mut self, step: &Step, saved: &[(Clock, Fader)]) {
        self.shift_transition(-step.fade_secs);
        let Some(((_, rest), saved)) = saved.split_first() else { return };
        self.rest = *rest;
        let actions = self.slots.iter_mut().filter_map(|slot| slot.action.as_mut());
        for (action, (clock, fader)) in actions.zip(saved) {
            (action.clock, action.fader) = (*clock, *fader);
        }
    }

    fn shift_transition(&mut self, secs: f64) {
        if let Some(tween) = self.transition.as_mut().and_then(|transition| transition.tween.as_mut()) {
            tween.passed_secs += secs;
        }
    }
}
