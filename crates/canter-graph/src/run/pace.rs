//! How fast a state goes that is in step with others: as all of its group do in the mean.

use canter::{Action, LoopMode};

use super::Run;
use super::weigh::rate;
use crate::graph::Motion;

/// While something fades, the pace of a group changes: it is asked for so often.
pub(super) const PACE_SECS: f64 = 1.0 / 40.0;

impl Run<'_> {
    /// Gives every state that is in a named group the pace of that; returns whether there are any.
    pub(super) fn keep_pace(&mut self) -> bool {
        let mut is_any = false;
        for layer in 0..self.state.layers.len() {
            let Some(state) = self.innermost(layer) else { continue };
            let (Some(sync), Motion::Play(tree)) = (state.sync, &state.motion) else { continue };
            if self.state.layers[layer].is_held || tree.leaves.iter().all(|leaf| leaf.length_secs <= 0.0) {
                continue;
            }
            is_any = true;
            let speed = self.amount(state.speed);
            let group = self.pace(sync.number);
            let run = &mut self.state.layers[layer];
            let weights = if run.is_smoothing { &run.cell_weights } else { &run.weights };
            run.rate = group.unwrap_or_else(|| rate(speed, tree.cycle_secs(weights)));
        }
        is_any
    }

    /// Cycles per second of all that is in step with a number; `None` if that is up to each.
    fn pace(&self, number: u32) -> Option<f64> {
        let (mut secs, mut weights, mut count) = (0.0, 0.0, 0);
        let mut strongest = (-1.0, 1.0);
        for (id, action) in self.mixer.actions().filter(|(_, action)| is_member(action, number)) {
            let weight = f64::from(self.mixer.effective_weight(id).unwrap_or(0.0));
            let speed = f64::from(action.speed());
            count += 1;
            if weight > strongest.0 {
                strongest = (weight, speed.signum());
            }
            if speed != 0.0 {
                secs += weight * length_secs(action) / speed.abs();
                weights += weight;
            }
        }
        (count > 1 && secs > 0.0).then(|| strongest.1 * weights / secs)
    }
}

/// As the mixer decides it.
fn is_member(action: &Action, number: u32) -> bool {
    action.sync().is_some_and(|sync| sync.number == number)
        && action.is_started()
        && !action.is_paused()
        && action.loop_mode() == LoopMode::Repeat
        && length_secs(action) > 0.0
}

/// Of the part of the clip that it plays.
fn length_secs(action: &Action) -> f64 {
    let (start, end) = action.clock().range_secs();
    f64::from(end) - f64::from(start)
}
