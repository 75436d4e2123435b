//! Steps of actions within a loop, where shares stay as they are: what most frames are made of. Mostly they
//! lie between two markers; those that cross some are marked, and told by `loud`.

use crate::clock::{Clock, LoopMode, Moment};
use crate::glam::Vec4;
use crate::mixer::Action;
use crate::mixer::actions::Actions;

use super::Trace;

/// Ways are at most 2e18, and weights 1e18: one of them more does not overflow.
const MOST_WAY: Vec4 = Vec4::splat(1e38);

/// What came of it.
pub(super) struct QuietStep {
    /// The ways of those that were moved on, by their weights.
    pub(super) ways: Vec4,
    /// The weights of all.
    pub(super) weights: f64,
    /// Whether that were all, and none has anything to tell. The others are marked.
    pub(super) is_all: bool,
}

impl Actions {
    /// Moves actions on that stay in their loop. `STRAIGHT` if no root turns, and all go in straight lines.
    #[inline(always)]
    pub(super) fn advance_quiet<const STRAIGHT: bool>(&mut self, secs: f64) -> QuietStep {
        let mut step = QuietStep { ways: Vec4::ZERO, weights: 0.0, is_all: true };
        for (slot, trace) in self.slots.iter_mut().zip(&mut self.traces) {
            let Some(action) = slot.action.as_mut().filter(|action| action.is_started) else { continue };
            step.weights += f64::from(action.weight);
            if action.is_paused {
                continue;
            }
            let clock = &action.clock;
            let from = clock.moment();
            let at = from.secs + secs * f64::from(clock.speed());
            if trace.at != from || !trace.quiet.has(at) || action.is_fresh {
                step.is_all = false;
                if !trace.cross_edges(action, at) {
                    trace.is_loud = true;
                    continue;
                }
            }
            if let Some(root) = action.clip.root_motion() {
                let clip_secs = action.clock.time_secs_at(Moment { secs: at, ..from });
                let way = if STRAIGHT {
                    trace.root.go_straight_on(root, clip_secs)
                } else {
                    trace.root.go_on(root, clip_secs)
                };
                // However many there are, and however strong.
                step.ways = (step.ways + way * action.weight).clamp(-MOST_WAY, MOST_WAY);
            }
            action.clock.move_within_loop(at);
            trace.at.secs = at;
        }
        step
    }

    /// The same for any roots.
    #[inline(never)]
    pub(super) fn advance_any_quiet(&mut self, secs: f64) -> QuietStep {
        self.advance_quiet::<false>(secs)
    }
}

impl Trace {
    /// Goes over the edges that a step crosses which leads, within a loop and forwards, from between two
    /// instants to between two: nearly all that cross any do. Returns `false`, and nothing has changed, if it
    /// is of another kind.
    #[inline(never)]
    fn cross_edges(&mut self, action: &Action, at: f64) -> bool {
        let (clock, markers): (&Clock, _) = (&action.clock, action.clip.marker_edges());
        let (from, length, (_, range_end)) = (clock.moment(), clock.length_secs(), clock.range_secs());
        let leads_on = from.secs < at && at < length && clock.loop_mode() != LoopMode::PingPong;
        if !leads_on || action.is_fresh || markers.has_windows || self.at != from {
            return false;
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
            return false;
        }
        (self.quiet.after_secs, self.quiet.before_secs, self.quiet.edges_before) =
            (after_secs, before_secs, end);
        (self.from, self.crossed_from) = (from, Some(start));
        true
    }
}
