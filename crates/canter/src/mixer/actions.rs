//! Actions that blend among themselves: those of one layer.

use std::sync::Arc;

use super::event::{Event, EventKind, EventList};
use super::fade::Fader;
use super::motion::Trace;
use super::transition::Transition;
use super::{Action, ActionId, LayerId};
use crate::clip::Clip;
use crate::clock::Span;

/// The actions of one layer, and how much of them there is.
#[derive(Debug)]
pub(crate) struct Actions {
    pub(super) layer: LayerId,
    pub(super) floor: Floor,
    /// Whether no fade of theirs is under way.
    pub(super) is_settled: bool,
    pub(super) slots: Vec<Slot>,
    /// What is there where they are not: the rest pose, or the layers below.
    pub(super) rest: Fader,
    /// On which side rotations were added in the last pose: a part for the rest pose, then one for each slot.
    pub(super) sides: Vec<u8>,
    /// The fade from what was on screen, if one was ever asked for.
    pub(super) transition: Option<Box<Transition>>,
    /// One for each slot, if the mixer tells of its actions; else none.
    pub(super) traces: Vec<Trace>,
    /// For how many actions, and timelines, room was asked for.
    pub(super) reserved: (usize, usize),
}

/// What actions blend with where they do not fill a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floor {
    /// The rest pose, which shows only where nothing plays at all.
    Rest,
    /// The layers below, which show as much as weights leave of one.
    Below,
}

#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) generation: u32,
    pub(super) action: Option<Action>,
}

impl Slot {
    /// Its action, if it was started.
    pub(super) fn playing(&self) -> Option<&Action> {
        self.action.as_ref().filter(|action| action.is_started)
    }

    fn is_free(&self) -> bool {
        self.action.is_none() && self.generation < u32::MAX
    }
}

/// How far a step leads, for clocks and for fades.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Of the clocks, by the mixer's speed.
    pub(super) secs: f64,
    pub(super) speed: f64,
    pub(super) fade_secs: f64,
    pub(super) fade_speed: f64,
}

impl Actions {
    pub(super) fn new(layer: LayerId, floor: Floor) -> Self {
        Self {
            layer,
            floor,
            is_settled: true,
            slots: Vec::new(),
            rest: Fader::FULL,
            sides: Vec::new(),
            transition: None,
            traces: Vec::new(),
            reserved: (0, 0),
        }
    }

    /// All of them, with their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ActionId, &Action)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(slot, entry)| Some((self.id(slot), entry.action.as_ref()?)))
    }

    pub(super) fn id(&self, slot: usize) -> ActionId {
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before 2³² actions")]
        ActionId { layer: self.layer, slot: slot as u32, generation: self.slots[slot].generation }
    }

    #[inline]
    pub(super) fn get(&self, id: ActionId) -> Option<&Action> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.action.as_ref().filter(|_| slot.generation == id.generation)
    }

    /// Puts an action into a free slot.
    pub(super) fn insert(&mut self, action: Action) -> usize {
        let stride = self.sides_stride();
        let slot = match self.slots.iter().position(Slot::is_free) {
            Some(free) => free,
            None => {
                self.slots.push(Slot { generation: 0, action: None });
                self.slots.len() - 1
            }
        };
        self.slots[slot].action = Some(action);
        if let Some(trace) = self.traces.get_mut(slot) {
            *trace = Trace::default();
        }
        self.reserve_sides(stride);
        self.forget_sides(slot);
        slot
    }

    pub(super) fn remove(&mut self, slot: usize) {
        let slot = &mut self.slots[slot];
        if slot.action.take().is_some() {
            // At the last generation the slot is not used again: an id never means another action.
            slot.generation = slot.generation.saturating_add(1);
        }
    }

    /// Removes an action; others fill its place at once, and fades go on from there.
    pub(super) fn stop(&mut self, slot: usize) {
        let shares = self.shares();
        let was_at_rest = self.is_at_rest();
        self.remove(slot);
        if self.is_at_rest() && !was_at_rest {
            self.rest_with_the_last(shares.rest);
        }
        if self.slots.iter().all(|slot| slot.playing().is_none()) {
            self.end_transition();
        }
        self.rebase();
    }

    pub(super) fn stop_all(&mut self) {
        for slot in 0..self.slots.len() {
            self.remove(slot);
        }
        self.rest = Fader::FULL;
        self.end_transition();
    }

    /// Starts an action from its beginning if it does not play yet; returns whether it does not.
    pub(super) fn prepare(&mut self, slot: usize) -> bool {
        let Some(action) = &mut self.slots[slot].action else { return false };
        let starts = !action.is_started;
        if starts {
            action.is_started = true;
            action.is_fresh = true;
            action.clock.rewind();
            self.forget_sides(slot);
        }
        starts
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn advance(&mut self, step: &Step, events: &mut EventList) {
        self.rest.advance(step.fade_secs);
        let mut is_settled = self.rest.tween.is_none();
        for slot in 0..self.slots.len() {
            let Some(action) = &mut self.slots[slot].action else { continue };
            if !action.is_started {
                continue;
            }
            let faded_out = action.fader.advance(step.fade_secs);
            is_settled &= action.fader.tween.is_none();
            if !action.is_paused && !action.clock.advance_within_loop(step.secs) {
                let span = action.clock.advance(step.secs);
                self.tell_span(slot, &span, step, events);
            }
            if let Some(secs_since) = faded_out {
                self.tell(events, slot, EventKind::FadedOut, secs_since / step.fade_speed);
                self.remove(slot);
            }
        }
        self.is_settled = is_settled;
    }

    pub(super) fn advance_transition(&mut self, step: &Step) {
        if let Some(transition) = &mut self.transition {
            transition.advance(step.fade_secs);
        }
    }

    /// Tells of loops and ends.
    pub(super) fn tell_span(&mut self, slot: usize, span: &Span, step: &Step, events: &mut EventList) {
        if span.looped > 0 {
            let is_odd = span.looped % 2 == 1;
            let kind = EventKind::Looped { times: span.looped };
            self.tell(events, slot, kind, span.secs_since_loop / step.speed);
            self.follow_loop(slot, is_odd);
        }
        if span.finished {
            self.tell(events, slot, EventKind::Finished, span.secs_since_end / step.speed);
        }
    }

    /// A clip that starts again may do so with the opposites of the quaternions that it ended with.
    pub(super) fn follow_loop(&mut self, slot: usize, is_odd: bool) {
        let action = self.slots[slot].action.as_ref();
        let wraps = action.filter(|action| is_odd && action.loop_mode() != crate::LoopMode::PingPong);
        if let Some(clip) = wraps.map(|action| Arc::clone(&action.clip)) {
            self.turn_sides(slot, &clip);
        }
    }

    pub(super) fn tell(&self, events: &mut EventList, slot: usize, kind: EventKind, secs_ago: f64) {
        if let Some(action) = &self.slots[slot].action {
            let clip = Arc::clone(&action.clip);
            // A step without length may be divided by a speed of 0.
            let secs_ago = if secs_ago.is_finite() { secs_ago } else { 0.0 } + events.later_secs;
            #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
            let secs_ago = secs_ago as f32;
            events.push(Event { action: self.id(slot), clip, kind, secs_ago });
        }
    }

    /// Whether a fade of any kind is under way.
    pub(super) fn is_fading(&self) -> bool {
        !self.is_settled || self.has_transition()
    }

    pub(super) fn has_transition(&self) -> bool {
        self.transition.as_ref().is_some_and(|transition| transition.is_under_way())
    }

    pub(super) fn end_transition(&mut self) {
        if let Some(transition) = &mut self.transition {
            transition.end();
        }
    }

    /// Bytes of `sides` for each slot.
    #[inline]
    pub(super) fn sides_stride(&self) -> usize {
        self.sides.len() / (1 + self.slots.len())
    }

    /// Makes room for the sides of all slots; `stride` bytes for each.
    pub(super) fn reserve_sides(&mut self, stride: usize) {
        self.sides.resize((1 + self.slots.len()) * stride, 0);
    }

    /// The next pose decides anew on which side the rotations of an action lie.
    pub(super) fn forget_sides(&mut self, slot: usize) {
        let stride = self.sides_stride();
        self.sides[(1 + slot) * stride] = 0;
    }

    /// The same for all actions.
    pub(super) fn forget_all_sides(&mut self) {
        let stride = self.sides_stride();
        self.sides.iter_mut().step_by(stride).for_each(|is_known| *is_known = 0);
    }

    /// Keeps sides where they are while the clip jumps from its last key to its first.
    fn turn_sides(&mut self, slot: usize, clip: &Clip) {
        let stride = self.sides_stride();
        let sides = &mut self.sides[(1 + slot) * stride + 1..];
        for (side, turn) in sides.iter_mut().zip(&clip.rows().opposite_ends) {
            *side ^= turn;
        }
    }

    /// Without what it shares with others.
    pub(super) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.sides.capacity()
            + self.traces.capacity() * size_of::<Trace>()
            + self.transition.as_ref().map_or(0, |transition| transition.memory_bytes())
    }
}

impl Clone for Actions {
    fn clone(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            sides: self.sides.clone(),
            transition: self.transition.clone(),
            traces: self.traces.clone(),
            ..*self
        }
    }

    /// Without allocating, if there was room for as many before.
    fn clone_from(&mut self, source: &Self) {
        let Self { layer, floor, is_settled, slots, rest, sides, transition, traces, reserved } = source;
        (self.layer, self.floor, self.is_settled, self.rest) = (*layer, *floor, *is_settled, *rest);
        self.reserved = *reserved;
        self.slots.clone_from(slots);
        self.sides.clone_from(sides);
        self.transition.clone_from(transition);
        self.traces.clone_from(traces);
    }
}
