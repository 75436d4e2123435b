//! A weight on its way from one value to another.

/// The curve that a fade follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Easing {
    /// In a straight line.
    #[default]
    Linear,
    /// Slow at the start.
    QuadraticIn,
    /// Slow at the end.
    QuadraticOut,
    /// Slow at both ends: two parabolas.
    QuadraticInOut,
    /// Slow at both ends: 3t² - 2t³.
    SmoothStep,
    /// Slower still at both ends: 6t⁵ - 15t⁴ + 10t³.
    SmootherStep,
}

impl Easing {
    /// All curves, to choose from.
    pub const ALL: &[Self] = &[
        Self::Linear,
        Self::QuadraticIn,
        Self::QuadraticOut,
        Self::QuadraticInOut,
        Self::SmoothStep,
        Self::SmootherStep,
    ];

    /// Maps the part of the time that has passed, from 0 to 1, to the part of the way.
    #[must_use]
    pub fn ease(self, t: f32) -> f32 {
        match self {
            Self::Linear => t,
            Self::QuadraticIn => t * t,
            Self::QuadraticOut => t * (2.0 - t),
            Self::QuadraticInOut if t < 0.5 => 2.0 * t * t,
            Self::QuadraticInOut => 1.0 - 2.0 * (1.0 - t) * (1.0 - t),
            Self::SmoothStep => t * t * (3.0 - 2.0 * t),
            Self::SmootherStep => t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
        }
    }
}

/// How long a fade takes and on which curve. A plain number of seconds is a linear fade.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fade {
    /// Its length in seconds; zero, negative or not finite switches at once.
    pub secs: f32,
    /// Its curve.
    pub easing: Easing,
}

impl Fade {
    /// Its length, with 0 for all that switches at once.
    pub(crate) fn whole_secs(self) -> f32 {
        if self.secs.is_finite() { self.secs.max(0.0) } else { 0.0 }
    }
}

impl From<f32> for Fade {
    fn from(secs: f32) -> Self {
        Self { secs, easing: Easing::Linear }
    }
}

/// How far an action is faded in, and the fade that is changing that.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Fader {
    /// From 0, not heard, to 1, fully there.
    pub(crate) level: f32,
    running: Option<Running>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Running {
    from: f32,
    to: f32,
    /// In double precision: short steps must not get lost in a long fade.
    passed_secs: f64,
    secs: f32,
    easing: Easing,
}

impl Fader {
    pub(crate) const FULL: Self = Self { level: 1.0, running: None };
    pub(crate) const SILENT: Self = Self { level: 0.0, running: None };

    /// Starts a fade from where the level is now, so that nothing jumps.
    pub(crate) fn fade(&mut self, to: f32, fade: Fade) {
        let secs = fade.whole_secs();
        if secs <= 0.0 {
            self.level = to;
        }
        self.running = Some(Running { from: self.level, to, passed_secs: 0.0, secs, easing: fade.easing });
    }

    /// The level that it is on its way to, or at.
    pub(crate) fn target(&self) -> f32 {
        self.running.map_or(self.level, |running| running.to)
    }

    /// Whether it will be there no later than a fade that starts now.
    pub(crate) fn is_sooner_than(&self, fade: Fade) -> bool {
        let remaining_secs =
            self.running.map_or(0.0, |running| f64::from(running.secs) - running.passed_secs);
        remaining_secs <= f64::from(fade.whole_secs())
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Whether the numbers are what fades can lead to.
    pub(crate) fn is_sane(&self) -> bool {
        let unit = 0.0..=1.0;
        unit.contains(&self.level)
            && self.running.is_none_or(|running| {
                unit.contains(&running.from)
                    && unit.contains(&running.to)
                    && running.secs.is_finite()
                    && running.passed_secs >= 0.0
            })
    }

    /// Moves on by a time; answers whether a fade to nothing has ended.
    pub(crate) fn advance(&mut self, dt_secs: f32) -> bool {
        let Some(running) = &mut self.running else { return false };
        running.passed_secs += f64::from(dt_secs);
        let secs = f64::from(running.secs);
        if running.passed_secs >= secs {
            self.level = running.to;
            self.running = None;
            return self.level <= 0.0;
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let part = running.easing.ease((running.passed_secs / secs) as f32);
        // Rounding may lead a hair beyond the end.
        self.level = (running.from + (running.to - running.from) * part).clamp(0.0, 1.0);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_leads_from_nothing_to_all_and_never_back() {
        for &easing in Easing::ALL {
            assert_eq!((easing.ease(0.0), easing.ease(1.0)), (0.0, 1.0), "{easing:?}");
            let steps: Vec<f32> = (0..=100_u8).map(|step| easing.ease(f32::from(step) / 100.0)).collect();
            assert!(steps.is_sorted(), "{easing:?}");
        }
    }

    #[test]
    fn curves_that_are_slow_at_both_ends_are_symmetric() {
        for easing in [Easing::Linear, Easing::QuadraticInOut, Easing::SmoothStep, Easing::SmootherStep] {
            for step in 0..=50_u8 {
                let t = f32::from(step) / 50.0;
                assert!((easing.ease(t) + easing.ease(1.0 - t) - 1.0).abs() < 1e-6, "{easing:?} {t}");
            }
        }
    }

    #[test]
    fn an_interrupted_fade_goes_on_from_where_it_is() {
        let mut fader = Fader::SILENT;
        fader.fade(1.0, 1.0.into());
        fader.advance(0.25);
        assert_eq!(fader.level, 0.25);
        fader.fade(0.0, Fade { secs: 1.0, easing: Easing::QuadraticInOut });
        assert_eq!(fader.level, 0.25);
        assert!(!fader.advance(0.5));
        assert_eq!(fader.level, 0.125);
        assert!(fader.advance(10.0));
        assert_eq!(fader.level, 0.0);
    }
}
