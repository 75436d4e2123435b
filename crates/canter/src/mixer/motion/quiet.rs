//! Steps of actions between two markers, within a loop, where shares stay as they are: what most frames are made of.

use crate::clock::Moment;
use crate::glam::Vec4;
use crate::mixer::actions::Actions;

/// Ways are at most 2e18, and weights 1e18: one of them more does not overflow.
const MOST_WAY: Vec4 = Vec4::splat(1e38);

/// What came of it.
pub(super) struct QuietStep {
    /// The ways of those that were moved on, by their weights.
    pub(super) ways: Vec4,
    /// The weights of all.
    pub(super) weights: f64,
    /// Whether that were all. The others are marked as loud.
    pub(super) is_all: bool,
}

impl Actions {
    /// Moves actions on that have nothing to tell. `STRAIGHT` if no root turns, and all go in straight lines.
    #[inline(always)]
    pub(super) fn advance_quiet<const STRAIGHT: bool>(&mut self, secs: f64) -> QuietStep {
        let mut step = QuietStep { ways: Vec4::ZERO, weights: 0.0, is_all: true };
        for (slot, trace) in self.slots.iter_mut().zip(&mut self.traces) {
            let Some(action) = slot.action.as_mut().filter(|action| action.is_started) else { continue };
            step.weights += f64::from(action.weight);
            if action.is_paused {
                continue;
            }
            let clock = &mut action.clock;
            let at = clock.moment().secs + secs * f64::from(clock.speed());
            let mut is_loud = action.is_fresh || trace.at != clock.moment() || !trace.quiet.has(at);
            if !is_loud && let Some(root) = action.clip.root_motion() {
                let clip_secs = clock.time_secs_at(Moment { secs: at, ..clock.moment() });
                let way = if STRAIGHT {
                    trace.root.go_straight_on(root, clip_secs)
                } else {
                    Some(trace.root.go_on(root, clip_secs))
                };
                match way {
                    // However many there are, and however strong.
                    Some(way) => step.ways = (step.ways + way * action.weight).clamp(-MOST_WAY, MOST_WAY),
                    None => is_loud = true,
                }
            }
            if is_loud {
                (trace.is_loud, step.is_all) = (true, false);
                continue;
            }
            clock.move_within_loop(at);
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
