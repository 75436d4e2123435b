//! Where an action is: one number that counts on through all loops.

use canter::LoopMode;

#[derive(Clone, Debug)]
pub(crate) struct Clock {
    pub(crate) duration: f64,
    pub(crate) speed: f32,
    pub(crate) loop_mode: LoopMode,
    pub(crate) is_finished: bool,
    /// From the start of the first loop.
    secs: f64,
    /// The instant between two loops belongs to the one before: it was put there, or stopped there, and did
    /// not play on.
    is_at_end: bool,
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    pub(crate) looped: u64,
    pub(crate) finished: bool,
}

impl Clock {
    pub(crate) fn new(duration: f64) -> Self {
        Self {
            duration,
            speed: 1.0,
            loop_mode: LoopMode::Repeat,
            is_finished: false,
            secs: 0.0,
            is_at_end: false,
        }
    }

    fn plays(&self) -> Option<f64> {
        match self.loop_mode {
            LoopMode::Once => Some(1.0),
            LoopMode::Times(times) => Some(f64::from(times.max(1))),
            LoopMode::Repeat | LoopMode::PingPong => None,
        }
    }

    pub(crate) fn loops(&self) -> i64 {
        let loops = (self.secs / self.duration).floor() - if self.is_at_end { 1.0 } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "small and whole")]
        let loops = loops as i64;
        loops
    }

    /// The instant of the clip that shows.
    pub(crate) fn shown_secs(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let within = self.secs - self.loops() as f64 * self.duration;
        let runs_back = self.loop_mode == LoopMode::PingPong && self.loops().rem_euclid(2) == 1;
        if runs_back { self.duration - within } else { within }
    }

    /// To the start; to the end of all loops if there is one and it runs backwards.
    pub(crate) fn rewind(&mut self) {
        self.is_finished = false;
        let end = self.plays().filter(|_| self.speed < 0.0);
        (self.secs, self.is_at_end) = end.map_or((0.0, false), |plays| (plays * self.duration, true));
    }

    /// To a time from the start of the first loop; an end that there is stops it.
    pub(crate) fn seek(&mut self, secs: f64) {
        self.is_finished = false;
        let end = self.plays().map(|plays| plays * self.duration);
        let is_beyond = end.is_some_and(|end| secs >= end);
        self.secs = end.map_or(secs, |end| secs.clamp(0.0, end));
        self.is_at_end = is_beyond || secs == self.duration;
    }

    pub(crate) fn set_loop_mode(&mut self, loop_mode: LoopMode) {
        if loop_mode != self.loop_mode {
            let shown = self.shown_secs();
            self.loop_mode = loop_mode;
            let before = self.plays().filter(|_| self.speed < 0.0).map_or(0.0, |plays| plays - 1.0);
            (self.secs, self.is_at_end) = (before * self.duration + shown, shown == self.duration);
        }
    }

    pub(crate) fn advance(&mut self, dt: f64) -> Progress {
        let step = dt * f64::from(self.speed);
        if self.speed == 0.0 {
            return Progress::default();
        }
        if step == 0.0 {
            // It stays where it is, and may find out that this is the end.
            let end = self.plays().map(|plays| plays * self.duration);
            let stops =
                end.is_some_and(|end| if self.speed > 0.0 { self.secs >= end } else { self.secs <= 0.0 });
            let finished = stops && !self.is_finished;
            self.is_finished = stops;
            return Progress { looped: 0, finished };
        }
        let loops = self.loops();
        self.secs += step;
        self.is_at_end = false;
        let mut stops = false;
        if let Some(end) = self.plays().map(|plays| plays * self.duration) {
            stops = if step > 0.0 { self.secs >= end } else { self.secs <= 0.0 };
            self.is_at_end = self.secs >= end;
            self.secs = self.secs.clamp(0.0, end);
        }
        let finished = stops && !self.is_finished;
        self.is_finished = stops;
        Progress { looped: self.loops().abs_diff(loops), finished }
    }
}
