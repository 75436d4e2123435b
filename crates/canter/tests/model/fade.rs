//! How much of an action there is.

use canter::{Easing, Fade};

#[derive(Clone, Debug)]
pub(crate) struct Fader {
    pub(crate) is_wanted: bool,
    from_level: f64,
    from_share: f64,
    running: Option<Running>,
}

#[derive(Clone, Debug)]
struct Running {
    passed: f64,
    secs: f64,
    easing: Easing,
}

impl Fader {
    pub(crate) fn settled(is_wanted: bool) -> Self {
        Self { is_wanted, from_level: 0.0, from_share: 0.0, running: None }
    }

    /// Of the way that a fade leads.
    fn part(&self) -> f64 {
        match &self.running {
            Some(running) if running.passed < running.secs => {
                ease(running.easing, running.passed / running.secs)
            }
            _ => 1.0,
        }
    }

    pub(crate) fn level(&self) -> f64 {
        let to = if self.is_wanted { 1.0 } else { 0.0 };
        self.from_level + (to - self.from_level) * self.part()
    }

    pub(crate) fn share(&self, goal: f64) -> f64 {
        self.from_share + (goal - self.from_share) * self.part()
    }

    pub(crate) fn is_under_way(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.passed < running.secs)
    }

    /// Whether a fade of its own is running, not one that only makes room.
    pub(crate) fn is_fading(&self) -> bool {
        self.running.is_some() && !(self.is_wanted && self.from_level >= 1.0)
    }

    pub(crate) fn remaining(&self) -> f64 {
        self.running.as_ref().map_or(0.0, |running| (running.secs - running.passed).max(0.0))
    }

    /// What is as good as there already is not put off.
    pub(crate) fn is_on_its_way(&self, is_wanted: bool, fade: Fade) -> bool {
        self.is_wanted == is_wanted
            && (self.running.is_some() || is_wanted)
            && self.remaining() <= length(fade)
    }

    pub(crate) fn start(&mut self, is_wanted: bool, share: f64, secs: f64, easing: Easing) {
        let running = Some(Running { passed: 0.0, secs, easing });
        *self = Self { is_wanted, from_level: self.level(), from_share: share, running };
    }

    /// From another share, in the time that is left.
    pub(crate) fn rebase(&mut self, share: f64) {
        if let Some(easing) = self.running.as_ref().map(|running| running.easing)
            && self.is_under_way()
        {
            self.start(self.is_wanted, share, self.remaining(), easing);
        }
    }

    /// The same with a share that it was given at once: it is at least as far in.
    pub(crate) fn take_over(&mut self, share: f64) {
        self.rebase(share);
        if self.is_under_way() && self.is_wanted {
            self.from_level = if share > 1.0 - 1e-6 { 1.0 } else { self.from_level.max(share) };
        }
    }

    /// Whether a fade to nothing has come to its end.
    pub(crate) fn advance(&mut self, dt: f64) -> bool {
        let Some(running) = &mut self.running else { return false };
        running.passed += dt;
        if running.passed < running.secs {
            return false;
        }
        self.running = None;
        !self.is_wanted
    }
}

/// Zero, negative or not finite switches at once.
pub(crate) fn length(fade: Fade) -> f64 {
    if fade.secs.is_finite() && fade.secs > 0.0 { f64::from(fade.secs) } else { 0.0 }
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
