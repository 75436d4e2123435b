//! How fast a state goes that is in step with others: as the mixer leads them.

use canter::{Action, LoopMode};

use super::Run;

impl Run<'_> {
    /// Finds how fast the states of all layers go; returns for how long they do.
    pub(super) fn keep_pace(&mut self) -> f64 {
        let mut secs = f64::INFINITY;
        for layer in 0..self.state.layers.len() {
            self.state.layers[layer].pace = self.state.layers[layer].rate;
            // Nobody waits for what an idle one comes to.
            if self.state.looked.is_idle[layer] || self.state.layers[layer].is_held {
                continue;
            }
            let Some((id, length_secs)) = self.timed(layer) else { continue };
            if let Some(pace) = self.mixer.pace(id) {
                let run = &mut self.state.layers[layer];
                (run.rate, run.pace) = (pace.mean_speed / length_secs, pace.speed / length_secs);
                secs = secs.min(pace.secs);
            }
        }
        secs
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
