//! Steps of actions that loop, end or cross a marker, where shares stay as they are.

use std::sync::Arc;

use super::{Motion, NOWHEN};
use crate::clip::root_motion::Travel;
use crate::mixer::Mixer;
use crate::mixer::actions::{Actions, Step};
use crate::mixer::event::EventList;
use crate::mixer::passage::{Passage, Place};

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
            let Some(action) = &mut self.slots[slot].action else { continue };
            if let Some(start) = trace.crossed_from.take() {
                let (from, weight) = (trace.from, shares.of(action));
                trace.weight = weight;
                let way_secs = action.clock.moment().secs - from.secs;
                let place = |behind| Place { loops: from.loops, behind };
                motion.passages.push(Passage {
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
                    start: place(start),
                    end: place(trace.quiet.edges_before),
                });
            }
            if !trace.is_loud {
                continue;
            }
            trace.is_loud = false;
            let (from, weight) = (action.clock.moment(), shares.of(action));
            trace.weight = weight;
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
