//! How fast a state goes that is in step with others: as the mixer leads them.

use canter::{Action, LoopMode};

use super::Run;

impl Run<'_> {
    /// Finds how fast the states of all layers go for which somebody waits; returns for how long they do.
    pub(super) fn keep_pace(&mut self) -> f64 {
        let mut secs = f64::INFINITY;
        for layer in 0..self.state.layers.len() {
            let waits = self.innermost(layer).is_some_and(|state| state.waits);
            if waits && !self.state.looked.is_idle[layer] {
                secs = secs.min(self.find_pace(layer));
            } else {
                self.state.layers[layer].pace = self.state.layers[layer].rate;
            }
        }
        secs
    }

    /// Finds how fast the state of a layer goes; returns for how long it does.
    pub(super) fn find_pace(&mut self, layer: usize) -> f64 {
        let timed = self.timed(layer).filter(|_| !self.state.layers[layer].is_held);
        let found = timed.and_then(|(id, length_secs)| Some((self.mixer.pace(id)?, length_secs)));
        let run = &mut self.state.layers[layer];
        run.pace = run.rate;
        let Some((pace, length_secs)) = found else { return f64::INFINITY };
        (run.rate, run.pace) = (pace.mean_speed / length_secs, pace.speed / length_secs);
        pace.secs
    }
}

/// Whether an action is in step with a number, as the mixer decides it.
pub(super) fn is_member(action: &Action, number: u32) -> bool {
    let (start, end) = action.clock().range_secs();
    action.sync().is_some_and(|sync| sync.number == number)
        && action.is_started()
        && !action.is_paused()
        && action.loop_mode() == LoopMode::Repeat
        && end > start
}
