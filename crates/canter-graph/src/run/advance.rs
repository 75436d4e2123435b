//! Time goes on: the mixer, the clocks of states, and fades.

use canter::{ActionId, Transform};

use super::{INSTANT_SECS, Run};
use crate::graph::{Motion, State};
use crate::state::StateClock;

impl StateClock {
    /// Moves on by a time. A motion without length is at its end at once, or stays where it is.
    fn advance(&mut self, rate: f64, secs: f64, state: &State) {
        let by = if rate == 0.0 { 0.0 } else { rate * secs };
        let at = self.cycles + by;
        self.cycles = match state.plays() {
            Some(plays) => at.clamp(0.0, plays),
            None if at.is_finite() => at,
            None => self.cycles,
        };
        self.is_fresh = false;
    }
}

impl Run<'_> {
    /// Cycles per second of a step, of a state that does so many per second of the mixer.
    pub(super) fn real_rate(&self, rate: f64) -> f64 {
        let speed = f64::from(self.mixer.speed());
        // A motion without length stands still with its mixer, too.
        if speed == 0.0 { 0.0 } else { rate * speed }
    }

    /// Seconds of fades per second of a step.
    fn fade_rate(&self) -> f64 {
        if self.mixer.fades_follow_speed() { f64::from(self.mixer.speed()) } else { 1.0 }
    }

    /// The time to the next end of a fade, or all that is left.
    pub(super) fn next_end_of_fade(&self, rest: f64) -> f64 {
        let mut next = rest;
        for level in self.state.layers.iter().flat_map(|run| &run.levels) {
            if let Some(fade) = &level.fade {
                next = next.min(fade.remaining_secs() / self.fade_rate());
            }
        }
        next
    }

    pub(super) fn advance(&mut self, secs: f64) {
        self.mixer.advance_exactly(secs);
        self.go_root_way(secs);
        self.state.time_secs += secs;
        let fade_secs = secs * self.fade_rate();
        for layer in 0..self.state.layers.len() {
            self.advance_clocks(layer, secs, fade_secs);
        }
    }

    /// Adds the way of the root in the mixer's last step.
    fn go_root_way(&mut self, secs: f64) {
        let root = self.mixer.root_motion();
        self.state.root = after(self.state.root, root.transform);
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let secs = secs as f32;
        self.state.root_yaw += root.yaw_rate * secs;
        self.state.root_secs += secs;
    }

    fn advance_clocks(&mut self, layer: usize, secs: f64, fade_secs: f64) {
        let stands = self.cycles_of_mixer(layer);
        let rate = self.real_rate(self.state.layers[layer].rate);
        for index in 0..self.state.layers[layer].levels.len() {
            let fade = self.state.layers[layer].levels[index].fade;
            let source_rate = fade.map_or(0.0, |fade| self.real_rate(fade.source_rate));
            let levels = &mut self.state.layers[layer].levels;
            let is_innermost = index + 1 == levels.len();
            let level = &mut levels[index];
            match stands.filter(|_| is_innermost) {
                Some(cycles) => level.clock = StateClock { cycles, is_fresh: false },
                None => {
                    let rate = if is_innermost { rate } else { 0.0 };
                    level.clock.advance(rate, secs, &self.graph.states[level.state as usize]);
                }
            }
            let Some(fade) = &mut level.fade else { continue };
            fade.passed_secs += fade_secs;
            fade.source.advance(source_rate, secs, &self.graph.states[fade.from as usize]);
            if fade.remaining_secs() <= INSTANT_SECS {
                level.fade = None;
            }
        }
    }

    /// How often the innermost state of a layer has played, by the clock of the one of its clips that times it: the mixer
    /// owns time.
    pub(super) fn cycles_of_mixer(&self, layer: usize) -> Option<f64> {
        let (id, length_secs) = self.timed(layer)?;
        Some(self.mixer.get(id)?.unwrapped_secs() / length_secs)
    }

    /// What times the innermost state of a layer, and its length: the clip that was strongest when the state was entered.
    pub(super) fn timed(&self, layer: usize) -> Option<(ActionId, f64)> {
        let Motion::Play(tree) = &self.innermost(layer)?.motion else { return None };
        let run = &self.state.layers[layer];
        let leaf = tree.leaves.get(run.timed as usize).filter(|leaf| leaf.length_secs > 0.0)?;
        Some((*run.actions.get(run.timed as usize)?, leaf.length_secs))
    }
}

/// One way of a root after another one; neither changes the scale.
fn after(first: Transform, second: Transform) -> Transform {
    if second == Transform::IDENTITY {
        return first;
    }
    Transform {
        translation: first.translation + first.rotation * second.translation,
        rotation: (first.rotation * second.rotation).normalize(),
        ..Transform::IDENTITY
    }
}
