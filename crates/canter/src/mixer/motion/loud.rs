//! Steps of actions that loop, end or cross a marker, where shares stay as they are.

use std::sync::Arc;

use super::{Motion, NOWHEN, Trace};
use crate::clip::root_motion::Travel;
use crate::clock::LoopMode;
use crate::mixer::actions::{Actions, Step};
use crate::mixer::event::EventList;
use crate::mixer::passage::{Passage, Place};
use crate::mixer::{Action, Mixer};

impl Mixer {
    /// Moves actions on that may have something to tell. Returns their ways by their weights.
    #[inline(never)]
    pub(super) fn advance_loud(&mut self, dt_secs: f64) -> Travel {
        let step = self.step(dt_secs);
        let Self { base, motion: Some(motion), events, .. } = self else { return Travel::NONE };
        base.advance_loud(&step, dt_secs, motion, events)
    }
}

impl Actions {
    #[inline(always)]
    fn advance_loud(
        &mut self,
        step: &Step,
        dt_secs: f64,
        motion: &mut Motion,
        events: &mut EventList,
    ) -> Travel {
        let mut ways = Travel::NONE;
        let shares = self.shares();
        for slot in 0..self.slots.len() {
            let (id, trace) = (self.id(slot), &mut self.traces[slot]);
            let Some(action) = self.slots[slot].action.as_mut().filter(|_| trace.is_loud) else { continue };
            trace.is_loud = false;
            let (from, weight) = (action.clock.moment(), shares.of(action));
            trace.weight = weight;
            if let Some((start, end)) = trace.cross_edges(action, step.secs) {
                if let Some(root) = action.clip.root_motion() {
                    let way = Travel::of_vec4(trace.root.go_on(root, action.clock.time_secs()));
                    ways = ways.plus(way.scaled(action.weight.into()));
                    motion.joint = Some(root.joint());
                }
                if start == end {
                    continue;
                }
                let way_secs = action.clock.moment().secs - from.secs;
                let passage = Passage {
                    action: id,
                    clip: Arc::clone(&action.clip),
                    from,
                    clock: action.clock,
                    is_fresh: false,
                    is_backward: false,
                    open: 0,
                    closes: false,
                    is_silent: false,
                    secs: (way_secs / (f64::from(action.clock.speed()) * step.speed)).min(dt_secs),
                    way_secs,
                    weights: (weight, weight),
                    start,
                    end,
                };
                motion.passages.push(passage, Some(start), Some(end));
                continue;
            }
            let span = action.clock.advance(step.secs);
            if let Some(root) = action.clip.root_motion() {
                let secs = action.clock.time_secs();
                let travel = if trace.at == from && from.loops == action.clock.moment().loops {
                    Travel::of_vec4(trace.root.go_on(root, secs))
                } else {
                    trace.root.look(root, secs);
                    root.along(from, &action.clock)
                };
                ways = ways.plus(travel.scaled(action.weight.into()));
                motion.joint = Some(root.joint());
            }
            let tells = trace.find_quiet(action, from);
            // There is nothing to be told of the instant at which it began.
            action.is_fresh &= tells;
            let to = action.clock.moment();
            trace.at = if trace.quiet.has(to.secs) { to } else { NOWHEN };
            self.tell_span(slot, &span, step, events);
            if tells {
                let trace = &mut self.traces[slot];
                (trace.from, trace.weight_before) = (from, weight);
                (trace.is_led, trace.was_placed) = (false, false);
                self.pass_one(slot, Some(dt_secs), step.speed, false, &mut motion.passages);
            }
        }
        ways
    }
}

impl Trace {
    /// Moves an action on by a step within a loop, forwards, from between two instants to between two: what nearly all
    /// steps do that cross any. Returns the places of both; `None`, and nothing has changed, if the step is of another
    /// kind.
    #[inline]
    fn cross_edges(&mut self, action: &mut Action, step_secs: f64) -> Option<(Place, Place)> {
        let (clock, markers) = (&mut action.clock, action.clip.marker_edges());
        let (from, length, (_, range_end)) = (clock.moment(), clock.length_secs(), clock.range_secs());
        let at = from.secs + step_secs * f64::from(clock.speed());
        let leads_on = from.secs < at && at < length && clock.loop_mode() != LoopMode::PingPong;
        if !leads_on || action.is_fresh || markers.has_windows || self.at != from {
            return None;
        }
        let start = self.quiet.edges_before;
        let (mut end, mut after_secs) = (start, self.quiet.after_secs);
        let before_secs = loop {
            let secs = markers.edges.get(end).map_or(length, |edge| {
                let secs = edge.secs.min(range_end);
                clock.secs_in_loop(secs, from.loops)
            });
            if at < secs {
                break secs;
            }
            (after_secs, end) = (secs, end + 1);
        };
        if at <= after_secs {
            return None;
        }
        clock.move_within_loop(at);
        self.at.secs = at;
        (self.quiet.after_secs, self.quiet.before_secs, self.quiet.edges_before) =
            (after_secs, before_secs, end);
        let place = |behind| Place { loops: from.loops, behind };
        Some((place(start), place(end)))
    }
}
