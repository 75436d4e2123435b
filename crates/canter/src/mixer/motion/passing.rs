//! What actions have crossed in a step, kept until somebody asks.

use std::sync::Arc;

use super::{NOWHEN, Trace};
use crate::clock::Moment;
use crate::mixer::Action;
use crate::mixer::actions::Actions;
use crate::mixer::passage::{Passage, PassageList, Place};

/// A stretch of a loop between two markers, without its ends: a step within tells nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quiet {
    loops: i64,
    pub(super) after_secs: f64,
    pub(super) before_secs: f64,
    /// How many edges of the clip are before it.
    pub(super) edges_before: usize,
}

impl Quiet {
    #[inline]
    fn covers(&self, from: Moment, to: Moment) -> bool {
        from.loops == self.loops && to.loops == self.loops && self.has(from.secs) && self.has(to.secs)
    }

    /// The place among edges of a moment within, for somebody who goes through the clip backwards or not.
    #[inline]
    fn place(&self, moment: Moment, edges: usize, runs_back: bool) -> Option<Place> {
        let behind = if runs_back { edges - self.edges_before } else { self.edges_before };
        let is_within = moment.loops == self.loops && self.has(moment.secs);
        is_within.then_some(Place { loops: moment.loops, behind })
    }

    #[inline]
    pub(super) fn has(&self, secs: f64) -> bool {
        self.after_secs < secs && secs < self.before_secs
    }
}

impl Trace {
    /// Looks for the stretch between two markers that an action is in, where the next steps will mostly lie.
    /// Returns whether the step that led there may have something to tell: it was not within.
    pub(super) fn find_quiet(&mut self, action: &Action, from: Moment) -> bool {
        let (edges, clock) = (&action.clip.marker_edges().edges, &action.clock);
        let (to, now_secs, (start, end)) = (clock.moment(), clock.time_secs(), clock.range_secs());
        let behind = edges.partition_point(|edge| edge.secs <= now_secs);
        let before = behind.checked_sub(1).map_or(start, |edge| edges[edge].secs.max(start));
        let after = edges.get(behind).map_or(end, |edge| edge.secs.min(end));
        let [before, after] = [before, after].map(|secs| clock.secs_in_loop(secs, to.loops));
        self.last_quiet = self.quiet;
        self.quiet = Quiet {
            loops: to.loops,
            after_secs: before.min(after),
            before_secs: before.max(after),
            edges_before: behind,
        };
        !edges.is_empty() && (action.is_fresh || !self.quiet.covers(from, to))
    }
}

impl Actions {
    /// Looks for the next marker and for the root anew: its clock reads other times of the clip.
    pub(in crate::mixer) fn forget_places(&mut self, slot: usize) {
        if let Some(trace) = self.traces.get_mut(slot) {
            (trace.quiet, trace.last_quiet, trace.at) = (Quiet::default(), Quiet::default(), NOWHEN);
        }
    }

    /// Keeps what all actions have crossed in a step.
    pub(super) fn pass(&mut self, dt_secs: f64, speed: f64, passages: &mut PassageList) {
        for slot in 0..self.slots.len() {
            let Some(action) = self.slots[slot].playing() else { continue };
            let trace = &mut self.traces[slot];
            // Windows are a state: who leads from now on has to enter those that it is in.
            let is_quiet = !action.clip.marker_edges().has_windows
                && !trace.is_led
                && !action.is_fresh
                && (trace.quiet.covers(trace.from, action.clock.moment())
                    || !trace.find_quiet(action, trace.from));
            if !is_quiet {
                self.pass_one(slot, Some(dt_secs), speed, false, passages);
            }
        }
    }

    /// Keeps what an action has crossed since the step began, which took `dt_secs` unless it ended before.
    pub(super) fn pass_one(
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
        let runs_back = is_backward != clock.runs_back(from.loops);
        let edges = action.clip.marker_edges().edges.len();
        let start = trace.last_quiet.place(from, edges, runs_back);
        let end = trace.quiet.place(to, edges, is_backward != clock.runs_back(to.loops));
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
            way_secs: way.abs(),
            weights: (trace.weight_before, if closes { 0.0 } else { trace.weight }),
            start: Place::default(),
            end: Place::default(),
        };
        trace.open = passage.open_after();
        passages.push_between(passage, start, end);
    }

    /// What has to be told when an action ends between two steps: that it leaves its windows.
    pub(in crate::mixer) fn leave_windows(&mut self, slot: usize, passages: &mut PassageList) {
        let id = self.id(slot);
        let Some(action) = &self.slots[slot].action else { return };
        let Some(trace) = self.traces.get_mut(slot).filter(|trace| trace.open != 0) else { return };
        let passage = Passage {
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
            way_secs: 0.0,
            weights: (trace.weight, trace.weight),
            start: Place::default(),
            end: Place::default(),
        };
        // It is told what is open alone.
        passages.push(passage);
    }

    /// Puts an action to another time of its loop, and keeps what it passes on the way.
    pub(in crate::mixer) fn scrub(&mut self, slot: usize, secs: f32, passages: &mut PassageList) {
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
            way_secs: (to.secs - from.secs).abs(),
            weights: (trace.weight, trace.weight),
            start: Place::default(),
            end: Place::default(),
        };
        trace.open = passage.open_after();
        passages.push_between(passage, None, None);
    }
}
