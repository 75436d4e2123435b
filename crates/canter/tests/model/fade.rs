//! How far an action is faded in.

use canter::{Easing, Fade};

#[derive(Clone, Debug)]
pub(crate) struct Level {
    from: f64,
    to: f64,
    passed: f64,
    secs: f64,
    easing: Easing,
    is_running: bool,
}

impl Level {
    pub(crate) fn constant(level: f64) -> Self {
        Self { from: level, to: level, passed: 0.0, secs: 0.0, easing: Easing::Linear, is_running: false }
    }

    pub(crate) fn level(&self) -> f64 {
        if self.passed >= self.secs {
            return self.to;
        }
        self.from + (self.to - self.from) * ease(self.easing, self.passed / self.secs)
    }

    pub(crate) fn is_running(&self) -> bool {
        self.is_running
    }

    pub(crate) fn is_fading_out(&self) -> bool {
        self.is_running && self.to == 0.0
    }

    /// From the present level. What is as good as there already is not put off.
    pub(crate) fn fade(&mut self, to: f64, fade: Fade) {
        // Zero, negative or not finite switches at once.
        let secs = if fade.secs.is_finite() && fade.secs > 0.0 { f64::from(fade.secs) } else { 0.0 };
        // Full is full, without any fade; but only a fade to nothing ends an action.
        let is_on_its_way = self.to == to && (self.is_running || to > 0.0) && self.secs - self.passed <= secs;
        if !is_on_its_way {
            let from = self.level();
            *self = Self { from, to, passed: 0.0, secs, easing: fade.easing, is_running: true };
        }
    }

    /// Whether a fade to nothing has come to its end.
    pub(crate) fn advance(&mut self, dt: f64) -> bool {
        if !self.is_running {
            return false;
        }
        self.passed += dt;
        if self.passed < self.secs {
            return false;
        }
        *self = Self::constant(self.to);
        self.to == 0.0
    }
}

fn ease(easing: Easing, t: f64) -> f64 {
    match easing {
        Easing::Linear => t,
        Easing::QuadraticIn => t.powi(2),
        Easing::QuadraticOut => 1.0 - (1.0 - t).powi(2),
        Easing::QuadraticInOut if t < 0.5 => (2.0 * t).powi(2) / 2.0,
        Easing::QuadraticInOut => 1.0 - (2.0 - 2.0 * t).powi(2) / 2.0,
        Easing::SmoothStep => 3.0 * t.powi(2) - 2.0 * t.powi(3),
        Easing::SmootherStep => 6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3),
        _ => unreachable!("an easing that the model does not know"),
    }
}
