//! Fades: how much of an action there is while that changes.

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

/// How a fade leads from what plays to what comes.
///
/// On a layer that covers what is below, a fade from nothing, to nothing, or of actions with masks of their
/// own is a smooth crossfade, whatever its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FadeKind {
    /// Both play on, and their shares change.
    #[default]
    Cross,
    /// Only what comes plays. The difference to the pose that was there dies away without overshooting, and
    /// begins with the velocity that was there. Quick and lively; best for short fades between poses that are
    /// not far apart.
    Inertial,
    /// Only what comes plays. The pose that was there moves on with its velocity, which dies away, and is
    /// blended over. Always between two sensible poses; best where anything may interrupt anything.
    Dead,
}

impl FadeKind {
    /// All kinds, to choose from.
    pub const ALL: &[Self] = &[Self::Cross, Self::Inertial, Self::Dead];
}

/// How long a fade takes, on which curve, and how. A plain number of seconds is a linear crossfade.
///
/// ```
/// # use canter::{Easing, Fade};
/// let crossfade = Fade { easing: Easing::SmoothStep, ..Fade::cross(0.3) };
/// let from_what_is_on_screen = Fade::dead(0.25);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fade {
    /// Its length in seconds; zero, negative or not finite switches at once.
    pub secs: f32,
    /// Its curve, if it is a crossfade; the other kinds have their own.
    pub easing: Easing,
    /// How it leads from what plays to what comes.
    pub kind: FadeKind,
}

impl Fade {
    /// A linear crossfade: both play, and their shares change.
    #[must_use]
    pub const fn cross(secs: f32) -> Self {
        Self { secs, easing: Easing::Linear, kind: FadeKind::Cross }
    }

    /// A fade in which the difference to what was on screen dies away; see [`FadeKind::Inertial`].
    #[must_use]
    pub const fn inertial(secs: f32) -> Self {
        Self { kind: FadeKind::Inertial, ..Self::cross(secs) }
    }

    /// A fade in which what was on screen moves on and is blended over; see [`FadeKind::Dead`].
    #[must_use]
    pub const fn dead(secs: f32) -> Self {
        Self { kind: FadeKind::Dead, ..Self::cross(secs) }
    }

    /// A crossfade that begins and ends slowly, in the same time.
    pub(super) fn smooth(self) -> Self {
        Self { easing: Easing::SmoothStep, kind: FadeKind::Cross, ..self }
    }

    /// Its length, with 0 for all that switches at once.
    pub(crate) fn whole_secs(self) -> f32 {
        if self.secs.is_finite() { self.secs.max(0.0) } else { 0.0 }
    }
}

impl From<f32> for Fade {
    fn from(secs: f32) -> Self {
        Self::cross(secs)
    }
}

/// What rounding leaves of a time is less.
const INSTANT_SECS: f64 = 1e-9;
/// A cell of a fade is this long, in seconds,
const CELL_SECS: f64 = 1.0 / 40.0;
/// unless that made more of them than this.
const MOST_CELLS: f64 = 64.0;

/// Time that passes on the way from one value to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tween {
    /// In double precision: short steps must not get lost in a long fade.
    pub(crate) passed_secs: f64,
    pub(crate) secs: f32,
    pub(crate) easing: Easing,
}

impl Tween {
    pub(crate) fn new(fade: Fade) -> Self {
        Self { passed_secs: 0.0, secs: fade.whole_secs(), easing: fade.easing }
    }

    pub(crate) fn remaining_secs(&self) -> f64 {
        (f64::from(self.secs) - self.passed_secs).max(0.0)
    }

    /// Whether a fade can have these numbers.
    pub(super) fn is_sane(&self) -> bool {
        self.secs >= 0.0 && self.secs.is_finite() && self.passed_secs >= 0.0 && self.passed_secs.is_finite()
    }

    /// What has less than an instant to go is over: how a time was cut into steps must not decide about that.
    pub(super) fn is_over(&self) -> bool {
        self.passed_secs + INSTANT_SECS >= f64::from(self.secs)
    }

    /// The *cell* that it is in, from when to when. What has to be one number for a while, such as the pace of a group,
    /// is that of the middle of a cell: the same one however a time is cut into steps.
    fn cell(&self) -> (f64, f64) {
        let secs = f64::from(self.secs);
        let cell_secs = CELL_SECS.max(secs / MOST_CELLS);
        // What is nearer to the next one than any rounding is in that.
        let start = (self.passed_secs / cell_secs + 1e-6).floor() * cell_secs;
        (start, (start + cell_secs).min(secs))
    }

    /// The time to the end of the cell that it is in.
    pub(super) fn secs_to_end_of_cell(&self) -> f64 {
        (self.cell().1 - self.passed_secs).max(0.0)
    }

    /// As it is in the middle of its cell.
    pub(super) fn in_cell(self) -> Self {
        let (start, end) = self.cell();
        Self { passed_secs: (start + end) / 2.0, ..self }
    }

    /// What lies so far between two numbers.
    pub(super) fn mix(&self, from: f32, to: f32) -> f32 {
        mix(from, to, self.part())
    }

    /// The part of the way, from 0 to 1.
    fn part(&self) -> f32 {
        if self.is_over() {
            return 1.0;
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let part = (self.passed_secs / f64::from(self.secs)) as f32;
        self.easing.ease(part)
    }
}

/// How much of an action, or of the rest pose, there is, and the fade that is changing that.
///
/// A fade moves two numbers in one time. The *level* is how far an action is faded in by itself, from 0 to 1.
/// The *share* is its part of the whole; it moves from what it was when the fade began to what it will be
/// when all has settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fader {
    /// Whether it is to stay. What is not wanted leaves when its fade is over.
    pub(crate) is_wanted: bool,
    pub(crate) from_level: f32,
    pub(crate) from_share: f32,
    pub(crate) tween: Option<Tween>,
    /// Of the way between; 1 when there is no fade.
    part: f32,
}

impl Fader {
    pub(crate) const FULL: Self = Self::settled(true);
    pub(crate) const SILENT: Self = Self::settled(false);

    const fn settled(is_wanted: bool) -> Self {
        Self { is_wanted, from_level: 0.0, from_share: 0.0, tween: None, part: 1.0 }
    }

    /// Puts a stored fader back, or returns `None` if no fades lead to these numbers.
    pub(crate) fn restored(
        is_wanted: bool,
        from_level: f32,
        from_share: f32,
        tween: Option<Tween>,
    ) -> Option<Self> {
        let unit = 0.0..=1.0;
        let is_sane = unit.contains(&from_level)
            && unit.contains(&from_share)
            && tween.is_none_or(|tween| tween.is_sane());
        let part = tween.map_or(1.0, |tween| tween.part());
        is_sane.then_some(Self { is_wanted, from_level, from_share, tween, part })
    }

    /// How far it is faded in, from 0 to 1.
    #[inline]
    pub(crate) fn level(&self) -> f32 {
        let target = if self.is_wanted { 1.0 } else { 0.0 };
        // Rounding may lead a little beyond the end.
        mix(self.from_level, target, self.part).clamp(0.0, 1.0)
    }

    /// Its part of the whole, if `goal` is what it will be when all has settled.
    #[inline]
    pub(crate) fn share(&self, goal: f32) -> f32 {
        mix(self.from_share, goal, self.part)
    }

    /// Starts a fade from the present level and the given share, so that nothing jumps.
    pub(crate) fn start(&mut self, is_wanted: bool, share: f32, fade: Fade) {
        let tween = Tween::new(fade);
        *self = Self {
            is_wanted,
            from_level: self.level(),
            from_share: share,
            tween: Some(tween),
            part: tween.part(),
        };
    }

    /// Goes on in the remaining time from the given share.
    pub(crate) fn rebase(&mut self, share: f32) {
        if let Some(tween) = self.tween.filter(|tween| !tween.is_over()) {
            #[expect(clippy::cast_possible_truncation, reason = "a fade is that long at most")]
            let secs = tween.remaining_secs() as f32;
            self.start(self.is_wanted, share, Fade { easing: tween.easing, ..Fade::cross(secs) });
        }
    }

    /// Goes on from a share that it was given at once: it is at least as far in as that.
    pub(crate) fn take_over(&mut self, share: f32) {
        self.rebase(share);
        if self.is_under_way() && self.is_wanted {
            // Rounding leaves a little of the whole.
            self.from_level = if share > 1.0 - 1e-6 { 1.0 } else { self.from_level.max(share) };
        }
    }

    /// Whether it is where its fade leads to.
    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        self.part >= 1.0
    }

    /// Whether a fade has some way to go.
    pub(crate) fn is_under_way(&self) -> bool {
        self.tween.is_some_and(|tween| !tween.is_over())
    }

    /// Whether it will be there no later than by a fade that starts now.
    pub(crate) fn is_on_its_way(&self, is_wanted: bool, fade: Fade) -> bool {
        let is_under_way = self.tween.is_some() || self.is_wanted;
        let remaining_secs = self.tween.map_or(0.0, |tween| tween.remaining_secs());
        self.is_wanted == is_wanted && is_under_way && remaining_secs <= f64::from(fade.whole_secs())
    }

    /// Whether its level is changing, or about to.
    pub(crate) fn is_running(&self) -> bool {
        self.tween.is_some() && !(self.is_wanted && self.from_level >= 1.0)
    }

    /// Is as in the middle of the cell of its fade, until it [is as now](Self::show_now) again.
    pub(super) fn show_cell(&mut self) {
        self.part = self.tween.map_or(1.0, |tween| tween.in_cell().part());
    }

    pub(super) fn show_now(&mut self) {
        self.part = self.tween.map_or(1.0, |tween| tween.part());
    }

    /// Moves on by a time; returns how long ago a fade to nothing has ended, if it has.
    #[inline]
    pub(crate) fn advance(&mut self, dt_secs: f64) -> Option<f64> {
        let tween = self.tween.as_mut()?;
        tween.passed_secs += dt_secs;
        self.part = tween.part();
        if !tween.is_over() {
            return None;
        }
        let over_secs = (tween.passed_secs - f64::from(tween.secs)).max(0.0);
        self.tween = None;
        (!self.is_wanted).then_some(over_secs)
    }
}

/// From `a` to `b`, exact at both ends.
#[inline]
fn mix(a: f32, b: f32, part: f32) -> f32 {
    if part >= 1.0 { b } else { a + (b - a) * part }
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
        fader.start(true, 0.0, 1.0.into());
        fader.advance(0.25);
        assert_eq!((fader.level(), fader.share(0.5)), (0.25, 0.125));
        fader.start(false, 0.125, Fade { easing: Easing::QuadraticInOut, ..Fade::cross(1.0) });
        assert_eq!((fader.level(), fader.share(0.0)), (0.25, 0.125));
        assert_eq!(fader.advance(0.5), None);
        assert_eq!((fader.level(), fader.share(0.0)), (0.125, 0.0625));
        assert_eq!(fader.advance(10.0), Some(9.5));
        assert_eq!((fader.level(), fader.share(0.0)), (0.0, 0.0));
    }
}
