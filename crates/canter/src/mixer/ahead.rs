//! The pose of a mixer as it will be after a time, if nothing is asked of it until then.

use super::Mixer;
use super::actions::Actions;
use crate::clock::Clock;
use crate::pose::Pose;

/// What a mixer was before it was looked at ahead of time. Working memory, which mixers take turns with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    clocks: Vec<Clock>,
    sides: Vec<u8>,
}

impl Mixer {
    /// Whether nothing but clocks decides about its next poses: there is no fade, no layer, and nobody is in step with
    /// others.
    pub(crate) fn is_clockwork(&self) -> bool {
        let is_simple = self.motion.as_ref().is_none_or(|motion| motion.is_simple);
        self.is_plain() && self.base.is_settled && is_simple
    }

    /// Writes the pose of a mixer that is [clockwork](Self::is_clockwork) as it will be after a time; the mixer stays as
    /// it is. A copy of it would do the same, at the cost of a copy.
    pub(crate) fn sample_ahead(&mut self, secs: f64, pose: &mut Pose, before: &mut Before) {
        let secs = self.step(secs).secs;
        self.base.go_ahead(secs, before);
        self.sample(pose);
        self.base.go_back(before);
    }
}

impl Actions {
    fn go_ahead(&mut self, secs: f64, before: &mut Before) {
        before.clocks.clear();
        before.sides.clone_from(&self.sides);
        for slot in 0..self.slots.len() {
            let Some(action) = &mut self.slots[slot].action else { continue };
            before.clocks.push(action.clock);
            if action.is_started && !action.is_paused {
                let span = action.clock.advance(secs);
                if span.looped > 0 {
                    self.follow_loop(slot, span.looped % 2 == 1);
                }
            }
        }
    }

    fn go_back(&mut self, before: &Before) {
        self.sides.copy_from_slice(&before.sides);
        let actions = self.slots.iter_mut().filter_map(|slot| slot.action.as_mut());
        actions.zip(&before.clocks).for_each(|(action, clock)| action.clock = *clock);
    }
}
