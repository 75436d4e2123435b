//! One clip that plays: its clock, its weight and its way of looping.

use std::sync::Arc;

use super::fade::Fader;
use super::mask::JointMask;
use crate::clip::Clip;

/// What happens at the end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LoopMode {
    /// It finishes and holds its last pose; played backwards, its first.
    Once,
    /// It starts again.
    #[default]
    Repeat,
    /// It is played this many times (0 counts as 1), then finishes as with `Once`.
    Times(u32),
    /// It runs back, and at the start forward again.
    PingPong,
}

impl LoopMode {
    /// How often the clip is played through, if there is an end to it.
    fn plays(self) -> Option<i64> {
        match self {
            Self::Once => Some(1),
            Self::Times(times) => Some(i64::from(times.max(1))),
            Self::Repeat | Self::PingPong => None,
        }
    }
}

/// A clip in a mixer: what plays, where it is, how fast and how strong.
///
/// Its time is kept as a number of loops and the time within the loop, in double precision: however long it
/// plays and however large a step is, no precision is lost, and loops are counted exactly.
#[derive(Clone, Debug)]
pub struct Action {
    pub(crate) clip: Arc<Clip>,
    pub(crate) speed: f32,
    pub(crate) weight: f32,
    pub(crate) loop_mode: LoopMode,
    /// Loops completed; negative when it went back beyond its start.
    pub(crate) loops: i64,
    /// Time within the loop, from 0 to the clip's length.
    pub(crate) local_secs: f64,
    pub(crate) is_started: bool,
    pub(crate) is_paused: bool,
    pub(crate) is_finished: bool,
    pub(crate) fader: Fader,
    pub(crate) mask: Option<Arc<JointMask>>,
}

/// What a step of time did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) looped: u64,
    pub(crate) finished: bool,
}

impl Action {
    pub(crate) fn new(clip: Arc<Clip>) -> Self {
        Self {
            clip,
            speed: 1.0,
            weight: 1.0,
            loop_mode: LoopMode::default(),
            loops: 0,
            local_secs: 0.0,
            is_started: false,
            is_paused: false,
            is_finished: false,
            fader: Fader::SILENT,
            mask: None,
        }
    }

    /// What it plays.
    #[must_use]
    pub fn clip(&self) -> &Arc<Clip> {
        &self.clip
    }

    /// The instant of the clip that it shows, from 0 to the clip's length.
    #[must_use]
    pub fn time_secs(&self) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let secs = self.shown_secs() as f32;
        secs
    }

    fn shown_secs(&self) -> f64 {
        let runs_back = self.loop_mode == LoopMode::PingPong && self.loops.rem_euclid(2) == 1;
        if runs_back { self.duration() - self.local_secs } else { self.local_secs }
    }

    /// How many loops it has completed; negative when it went back beyond its start.
    #[must_use]
    pub fn loops(&self) -> i64 {
        self.loops
    }

    /// The time played since its start, loops included.
    #[must_use]
    pub fn unwrapped_secs(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact for 2⁵³ loops")]
        let loops = self.loops as f64;
        loops * self.duration() + self.local_secs
    }

    /// Seconds of the clip per second; negative runs backwards.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// The weight that it was given, without fades and other actions.
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.weight
    }

    /// How far it is faded in, from 0 to 1.
    #[must_use]
    pub fn fade_level(&self) -> f32 {
        self.fader.level
    }

    /// What it does at the end of the clip.
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Which joints it moves; `None` for all.
    #[must_use]
    pub fn mask(&self) -> Option<&Arc<JointMask>> {
        self.mask.as_ref()
    }

    /// Whether it was played or faded in since it was made.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.is_started
    }

    /// Whether its clock stands still; its pose still counts.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Whether it has reached its end and holds its last pose.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Whether a fade is under way.
    #[must_use]
    pub fn is_fading(&self) -> bool {
        self.fader.is_running()
    }

    /// Whether it is on its way out.
    #[must_use]
    pub fn is_fading_out(&self) -> bool {
        self.fader.is_running() && self.fader.target() <= 0.0
    }

    /// Its weight with fades, before normalisation.
    pub(crate) fn present_weight(&self) -> f32 {
        if self.is_started { self.weight * self.fader.level } else { 0.0 }
    }

    fn duration(&self) -> f64 {
        f64::from(self.clip.duration_secs())
    }

    /// Another loop mode at the instant that it shows, in its first loop.
    pub(crate) fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        if loop_mode != self.loop_mode {
            self.local_secs = self.shown_secs();
            self.loop_mode = loop_mode;
            self.loops = self.last_loop_if_backwards().unwrap_or(0);
        }
    }

    /// Goes to where it begins: the end of all loops if it has an end and runs backwards, else the start.
    pub(crate) fn rewind(&mut self) {
        self.is_finished = false;
        (self.loops, self.local_secs) = match self.last_loop_if_backwards() {
            Some(last) => (last, self.duration()),
            None => (0, 0.0),
        };
    }

    /// The loop that it begins in, if it runs backwards and there is a last one.
    fn last_loop_if_backwards(&self) -> Option<i64> {
        let plays = self.loop_mode.plays()?;
        (self.speed < 0.0).then_some(plays - 1)
    }

    /// Goes to a time that counts from the start of the first loop.
    pub(crate) fn seek(&mut self, secs: f64) {
        self.is_finished = false;
        (self.loops, self.local_secs) = (0, 0.0);
        let duration = self.duration();
        if (0.0..=duration).contains(&secs) {
            self.local_secs = secs;
        } else {
            self.place(secs);
        }
    }

    /// Moves the clock.
    pub(crate) fn advance(&mut self, dt_secs: f64) -> Progress {
        let step_secs = dt_secs * f64::from(self.speed);
        if !self.is_started || self.is_paused || step_secs == 0.0 {
            return Progress::default();
        }
        let loops_before = self.loops;
        let end = self.place(self.local_secs + step_secs);
        let at_end = match end {
            Some(End::Last) => step_secs > 0.0,
            Some(End::First) => step_secs < 0.0,
            None => false,
        };
        let finished = at_end && !self.is_finished;
        self.is_finished = at_end;
        Progress { looped: self.loops.abs_diff(loops_before), finished }
    }

    /// Goes to a time within or beyond the present loop, and wraps it or stops at an end.
    fn place(&mut self, local_secs: f64) -> Option<End> {
        let duration = self.duration();
        if duration <= 0.0 {
            // Both ends at once: the one that it runs to.
            let end = if self.speed < 0.0 { End::First } else { End::Last };
            return self.loop_mode.plays().map(|_| end);
        }
        let (loops, local_secs) = wrap(self.loops, local_secs, duration);
        (self.loops, self.local_secs) = (loops, local_secs);
        let plays = self.loop_mode.plays()?;
        if loops >= plays {
            (self.loops, self.local_secs) = (plays - 1, duration);
            Some(End::Last)
        } else if loops < 0 || (loops == 0 && local_secs <= 0.0) {
            (self.loops, self.local_secs) = (0, 0.0);
            Some(End::First)
        } else {
            None
        }
    }
}

/// An end of all loops.
enum End {
    First,
    Last,
}

/// Brings a time into the loop that it lies in. Costs the same for any number of loops.
fn wrap(loops: i64, local_secs: f64, duration: f64) -> (i64, f64) {
    if (0.0..duration).contains(&local_secs) {
        return (loops, local_secs);
    }
    let mut crossed = (local_secs / duration).floor();
    let mut rest = local_secs - crossed * duration;
    // Rounding may leave the rest a hair outside.
    if rest >= duration {
        crossed += 1.0;
        rest = 0.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
    (loops.saturating_add(crossed as i64), rest.max(0.0))
}
