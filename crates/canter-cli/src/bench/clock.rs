//! The shortest of many short runs, and how far the median lies above it.

use std::time::{Duration, Instant};

/// A run is at least this long, so that reading the clock does not count.
const RUN: Duration = Duration::from_micros(300);
const MIN_RUNS: usize = 3;
const MAX_RUNS: usize = 20_000;
/// Above this spread the machine was busy with something else.
pub(super) const BUSY: f64 = 0.2;
/// On a busy machine the time is drawn out by this factor at most: a quiet while may come.
const PATIENCE: f64 = 4.0;

/// Nanoseconds of one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nanos {
    pub(super) min: f64,
    /// How far the median is above the min, as a part of it.
    pub(super) spread: f64,
}

/// Calls something again and again for a time, and for longer while the machine is busy.
pub(super) fn measure(seconds: f64, mut call: impl FnMut()) -> Nanos {
    let mut time = |calls: u32| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed()
    };
    // This warms up caches and branch prediction, too.
    let mut calls = 1;
    while time(calls) < RUN && calls < 1 << 20 {
        calls *= 2;
    }
    let start = Instant::now();
    let mut runs = Vec::new();
    let mut until = seconds;
    loop {
        while runs.len() < MIN_RUNS || (start.elapsed().as_secs_f64() < until && runs.len() < MAX_RUNS) {
            runs.push(time(calls).as_secs_f64() * 1e9 / f64::from(calls));
        }
        let nanos = Nanos::of(&mut runs);
        if nanos.spread <= BUSY || until >= PATIENCE * seconds || runs.len() >= MAX_RUNS {
            return nanos;
        }
        until += seconds;
    }
}

impl Nanos {
    fn of(runs: &mut [f64]) -> Self {
        runs.sort_by(f64::total_cmp);
        let (min, median) = (runs[0], runs[runs.len() / 2]);
        Self { min, spread: if min > 0.0 { median / min - 1.0 } else { 0.0 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_how_far_the_median_lies_above_the_min() {
        let nanos = Nanos::of(&mut [3.0, 2.0, 9.0]);
        assert_eq!((nanos.min, nanos.spread), (2.0, 0.5));
        assert_eq!(Nanos::of(&mut [0.0, 0.0, 0.0]).spread, 0.0);
    }

    #[test]
    fn no_time_still_gives_a_few_runs() {
        let mut calls = 0;
        assert!(measure(0.0, || calls += 1).min >= 0.0);
        assert!(calls >= MIN_RUNS);
    }
}
