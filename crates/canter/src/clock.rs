//! Time that runs through a clip: the one place where it is wrapped, turned round or stopped.

#[cfg(test)]
mod tests;

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

/// The time of a clip that plays: where it is, how fast it runs, and what it does at the end.
///
/// Time is unwrapped: a number of loops and the time within the loop, in double precision. However long a
/// clock runs and however large a step is, no precision is lost and loops are counted exactly.
/// [`advance`](Self::advance) returns the [`Span`] that a step covered, from which events and root motion are
/// read.
///
/// ```
/// use canter::{Clock, LoopMode};
///
/// let mut clock = Clock::new(2.0);
/// let span = clock.advance(5.0);
/// assert_eq!((span.looped, clock.time_secs()), (2, 1.0));
///
/// clock.set_loop_mode(LoopMode::Once);
/// let span = clock.advance(1.5);
/// assert!(span.finished && span.secs_since_end == 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    start_secs: f32,
    end_secs: f32,
    speed: f32,
    loop_mode: LoopMode,
    moment: Moment,
    is_finished: bool,
}

/// An instant of a [`Clock`], loops included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Loops completed; negative when it went back beyond its start.
    pub loops: i64,
    /// Time since the loop began, from 0 to the length of the range. In a ping-pong, odd loops run backwards.
    pub secs: f64,
}

/// What a step of time covered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// Where the step began.
    pub from: Moment,
    /// Where it ended.
    pub to: Moment,
    /// How often an end of the range was passed and play went on; a ping-pong turned.
    pub looped: u64,
    /// How many seconds of the step were left when the last of these loops began.
    pub secs_since_loop: f64,
    /// Whether the clock came to its end with this step.
    pub finished: bool,
    /// How many seconds of the step were left when it came to its end.
    pub secs_since_end: f64,
}

/// An end of all loops.
#[derive(Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

impl Clock {
    /// A clock at the start of a clip of this length, which it repeats. A length that is negative or not
    /// finite counts as 0.
    #[must_use]
    pub fn new(duration_secs: f32) -> Self {
        let end_secs = if duration_secs.is_finite() { duration_secs.max(0.0) } else { 0.0 };
        Self {
            start_secs: 0.0,
            end_secs,
            speed: 1.0,
            loop_mode: LoopMode::default(),
            moment: Moment::default(),
            is_finished: false,
        }
    }

    /// The instant of the clip, within the range.
    #[must_use]
    #[inline]
    pub fn time_secs(&self) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let secs = (f64::from(self.start_secs) + self.secs_in_range()) as f32;
        // Sums of huge numbers are rounded. (`clamp` would look whether the range is one.)
        let secs = if secs < self.start_secs { self.start_secs } else { secs };
        if secs > self.end_secs { self.end_secs } else { secs }
    }

    /// The instant of the clip at another moment of the clock.
    #[inline]
    pub(crate) fn time_secs_at(&self, moment: Moment) -> f32 {
        Self { moment, ..*self }.time_secs()
    }

    /// Time since the start of the range, as it is seen: odd loops of a ping-pong run backwards.
    #[inline]
    fn secs_in_range(&self) -> f64 {
        let runs_back = self.loop_mode == LoopMode::PingPong && self.moment.loops & 1 == 1;
        if runs_back { self.length_secs() - self.moment.secs } else { self.moment.secs }
    }

    /// Time since a loop began at which a time of the clip is seen.
    #[inline]
    pub(crate) fn secs_in_loop(&self, clip_secs: f32, loops: i64) -> f64 {
        let secs = f64::from(clip_secs) - f64::from(self.start_secs);
        if self.runs_back(loops) { self.length_secs() - secs } else { secs }
    }

    /// Whether a loop is one of those of a ping-pong that lead back.
    #[inline]
    pub(crate) fn runs_back(&self, loops: i64) -> bool {
        self.loop_mode == LoopMode::PingPong && loops & 1 == 1
    }

    /// Where it is, loops included.
    #[must_use]
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The time played since the start of the first loop.
    #[must_use]
    pub fn unwrapped_secs(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact for 2⁵³ loops")]
        let loops = self.moment.loops as f64;
        loops * self.length_secs() + self.moment.secs
    }

    /// Seconds of the clip per second; negative runs backwards.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// What it does at the end.
    #[must_use]
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// The part of the clip that it plays, from its start to its end in seconds.
    #[must_use]
    pub fn range_secs(&self) -> (f32, f32) {
        (self.start_secs, self.end_secs)
    }

    /// Whether it has come to its end and stays there.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// The length of the part of the clip that it plays.
    #[inline]
    pub(crate) fn length_secs(&self) -> f64 {
        f64::from(self.end_secs) - f64::from(self.start_secs)
    }

    /// Sets the speed. Returns `false`, and changes nothing, if it is not finite.
    #[must_use = "a speed that is not finite is refused"]
    pub fn set_speed(&mut self, speed: f32) -> bool {
        if speed.is_finite() {
            self.speed = speed;
        }
        speed.is_finite()
    }

    /// Sets what happens at the end. The instant stays; if the mode is another one, loops are counted anew.
    pub fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        if loop_mode != self.loop_mode {
            self.moment.secs = self.secs_in_range();
            self.loop_mode = loop_mode;
            self.moment.loops = self.last_loop_if_backwards().unwrap_or(0);
        }
    }

    /// Plays only a part of the clip. The instant stays if it lies in the range, else the nearest end of it
    /// is taken; loops are counted anew. Returns `false`, and changes nothing, unless `start <= end` and both
    /// are finite.
    #[must_use = "a range that is empty or not finite is refused"]
    pub fn set_range_secs(&mut self, start: f32, end: f32) -> bool {
        let is_range = start.is_finite() && end.is_finite() && start <= end;
        if is_range {
            let secs = self.time_secs().clamp(start, end);
            (self.start_secs, self.end_secs) = (start, end);
            self.moment.secs = f64::from(secs) - f64::from(start);
            self.moment.loops = self.last_loop_if_backwards().unwrap_or(0);
            self.is_finished = false;
        }
        is_range
    }

    /// Goes to where it begins: the end of all loops if it has an end and runs backwards, else the start.
    pub fn rewind(&mut self) {
        self.is_finished = false;
        self.moment = match self.last_loop_if_backwards() {
            Some(last) => Moment { loops: last, secs: self.length_secs() },
            None => Moment::default(),
        };
    }

    /// The loop that it begins in, if it runs backwards and there is a last one.
    fn last_loop_if_backwards(&self) -> Option<i64> {
        let plays = self.loop_mode.plays()?;
        (self.speed < 0.0).then_some(plays - 1)
    }

    /// Goes to a time of the clip in the first loop; beyond the range it wraps, or stops, as the loop mode
    /// says. Returns `false`, and changes nothing, if the time is not finite.
    #[must_use = "a time that is not finite is refused"]
    pub fn seek(&mut self, secs: f32) -> bool {
        if secs.is_finite() {
            self.is_finished = false;
            let secs = f64::from(secs) - f64::from(self.start_secs);
            self.moment = Moment { loops: 0, secs };
            if !(0.0..=self.length_secs()).contains(&secs) {
                self.moment.secs = 0.0;
                self.go_to(secs);
            }
        }
        secs.is_finite()
    }

    /// Moves on by a step, which is at least 0. Costs the same for any number of loops.
    #[must_use]
    pub fn advance(&mut self, dt_secs: f64) -> Span {
        let from = self.moment;
        let speed = f64::from(self.speed);
        if speed == 0.0 {
            return Span { from, to: from, ..Span::default() };
        }
        if self.advance_within_loop(dt_secs) {
            return Span { from, to: self.moment, ..Span::default() };
        }
        let step_secs = dt_secs * speed;
        let at = self.moment.secs + step_secs;
        // A step of no length does not leave the end of a loop, but finds out that it is the end of all.
        let end = if step_secs == 0.0 { self.end() } else { self.go_to(at) };
        let heads_for = if speed < 0.0 { End::First } else { End::Last };
        let is_at_end = end == Some(heads_for);
        let finished = is_at_end && !self.is_finished;
        self.is_finished = is_at_end;
        self.span(from, at, finished)
    }

    /// Moves on by a step, unless it ends or passes a loop. Most do not.
    #[inline]
    pub(crate) fn advance_within_loop(&mut self, dt_secs: f64) -> bool {
        let at = self.moment.secs + dt_secs * f64::from(self.speed);
        let is_within = at > 0.0 && at < self.length_secs();
        if is_within {
            self.move_within_loop(at);
        }
        is_within
    }

    /// Goes to a time since the start of the present loop that lies between its ends.
    #[inline]
    pub(crate) fn move_within_loop(&mut self, secs: f64) {
        self.moment.secs = secs;
        self.is_finished = false;
    }

    /// Goes to a time of the clip in the present loop; what lies outside of the range is cut off.
    pub(crate) fn scrub(&mut self, secs: f32) {
        let secs = f64::from(secs.clamp(self.start_secs, self.end_secs)) - f64::from(self.start_secs);
        self.is_finished = false;
        self.moment.secs = if self.runs_back(self.moment.loops) { self.length_secs() - secs } else { secs };
    }

    /// Goes to another moment of an endless loop, as one that others lead.
    pub(crate) fn go_along(&mut self, moment: Moment) -> Span {
        let from = self.moment;
        let secs = moment.secs.clamp(0.0, self.length_secs());
        self.moment = Moment { secs, ..moment };
        Span { from, to: self.moment, looped: moment.loops.abs_diff(from.loops), ..Span::default() }
    }

    /// Whether the loop goes on without end, always in one direction.
    pub(crate) fn is_endless(&self) -> bool {
        self.loop_mode == LoopMode::Repeat
    }

    /// The loops in which it plays, if there is an end to them.
    pub(crate) fn last_loop(&self) -> Option<i64> {
        self.loop_mode.plays().map(|plays| plays - 1)
    }

    /// The same clock a little later. It stops at the ends of its loop.
    pub(crate) fn ahead(mut self, dt_secs: f64) -> Self {
        let at = self.moment.secs + dt_secs * f64::from(self.speed);
        self.moment.secs = at.clamp(0.0, self.length_secs());
        self
    }

    /// The part of a step, which may be negative, that leads beyond no end of the loop. What has no length stays where
    /// it is, however long the step.
    pub(crate) fn room(&self, dt_secs: f64) -> f64 {
        let (way, length) = (dt_secs * f64::from(self.speed), self.length_secs());
        let room = if way < 0.0 { self.moment.secs } else { length - self.moment.secs };
        if room >= way.abs() || length <= 0.0 { 1.0 } else { room / way.abs() }
    }

    /// What a step covered that led from a moment to `at`, counted from the start of the loop it began in.
    fn span(&self, from: Moment, at: f64, finished: bool) -> Span {
        let (to, length) = (self.moment, self.length_secs());
        let looped = to.loops.abs_diff(from.loops);
        let speed = f64::from(self.speed).abs();
        #[expect(clippy::cast_precision_loss, reason = "exact for 2⁵³ loops")]
        let covered = to.loops.saturating_sub(from.loops) as f64 * length;
        // What the step would have gone on by, had nothing stopped it.
        let beyond = (at - covered - to.secs).abs();
        let in_loop = if self.speed < 0.0 { length - to.secs } else { to.secs };
        Span {
            from,
            to,
            looped,
            secs_since_loop: if looped > 0 { (beyond + in_loop) / speed } else { 0.0 },
            finished,
            secs_since_end: if finished { beyond / speed } else { 0.0 },
        }
    }

    /// Goes to a time counted from the start of the present loop, and wraps it or stops at an end.
    fn go_to(&mut self, secs: f64) -> Option<End> {
        let length = self.length_secs();
        if length <= 0.0 {
            return self.end();
        }
        self.moment = wrap(self.moment.loops, secs, length);
        let plays = self.loop_mode.plays()?;
        let end = self.end();
        match end {
            Some(End::Last) => self.moment = Moment { loops: plays - 1, secs: length },
            Some(End::First) => self.moment = Moment { loops: 0, secs: 0.0 },
            None => {}
        }
        end
    }

    /// The end of all loops that it is at, or beyond. Without a length it is at both: the one that it heads
    /// for.
    fn end(&self) -> Option<End> {
        let plays = self.loop_mode.plays()?;
        let (Moment { loops, secs }, length) = (self.moment, self.length_secs());
        if length <= 0.0 {
            return Some(if self.speed < 0.0 { End::First } else { End::Last });
        }
        let is_last = loops >= plays || (loops == plays - 1 && secs >= length);
        let is_first = loops < 0 || (loops == 0 && secs <= 0.0);
        match (is_first, is_last) {
            (_, true) => Some(End::Last),
            (true, false) => Some(End::First),
            (false, false) => None,
        }
    }

    /// The same clock with other numbers, or `None` if no clock can have these.
    pub(crate) fn restored(self, moment: Moment, is_finished: bool) -> Option<Self> {
        let is_in_range = (0.0..=self.length_secs()).contains(&moment.secs);
        is_in_range.then_some(Self { moment, is_finished, ..self })
    }
}

/// The loop that a time lies in, and the time within it. Costs the same for any number of loops.
fn wrap(loops: i64, secs: f64, length: f64) -> Moment {
    let mut crossed = (secs / length).floor();
    let mut rest = secs - crossed * length;
    // Rounding may leave the rest a little outside.
    if rest >= length {
        crossed += 1.0;
        rest = 0.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
    Moment { loops: loops.saturating_add(crossed as i64), secs: rest.max(0.0) }
}
