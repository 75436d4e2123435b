//! The shortest of many short runs, and how far the median lies above it.

use std::time::{Duration, Instant};

/// A run is at least this long, so that reading the clock does not count.
const RUN: Duration = Duration::from_micros(300);
const MIN_RUNS: usize = 3;
const MAX_RUNS: usize = 20_000;

/// Nanoseconds of one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nanos {
    pub(super) min: f64,
    /// How far the median is above the min, as a part of it.
    pub(super) spread: f64,
}

/// Calls something again and again for a time.
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
    while runs.len() < MIN_RUNS || (start.elapsed().as_secs_f64() < seconds && runs.len() < MAX_RUNS) {
        runs.push(time(calls).as_secs_f64() * 1e9 / f64::from(calls));
    }
    runs.sort_by(f64::total_cmp);
    let (min, median) = (runs[0], runs[runs.len() / 2]);
    Nanos { min, spread: if min > 0.0 { median / min - 1.0 } else { 0.0 } }
}
