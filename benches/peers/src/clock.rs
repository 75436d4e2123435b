//! The shortest time of many short runs: what the work takes when nothing else gets in its way.

use std::time::{Duration, Instant};

/// A run is at least this long, so that reading the clock does not count, and short enough to be left alone
/// by the scheduler now and then.
const RUN: Duration = Duration::from_micros(400);
/// How long a set of jobs is measured.
const TOTAL: Duration = Duration::from_secs(2);
const LEAST_RUNS: usize = 12;

/// Nanoseconds per call of each job; the jobs take turns.
pub(crate) fn nanos_per_call(jobs: &mut [Box<dyn FnMut() + '_>]) -> Vec<f64> {
    let calls: Vec<usize> = jobs.iter_mut().map(|job| calls_per_run(job)).collect();
    let mut min = vec![f64::INFINITY; jobs.len()];
    let start = Instant::now();
    let mut runs = 0;
    while runs < LEAST_RUNS || start.elapsed() < TOTAL {
        runs += 1;
        for (index, job) in jobs.iter_mut().enumerate() {
            let nanos = time_warm(job, calls[index]).as_secs_f64() * 1e9 / calls[index] as f64;
            min[index] = min[index].min(nanos);
        }
    }
    min
}

fn time(job: &mut dyn FnMut(), calls: usize) -> Duration {
    let start = Instant::now();
    (0..calls).for_each(|_| job());
    start.elapsed()
}

/// The same in caches that are its own again: a thousand characters of the job before it have driven it out of them.
fn time_warm(job: &mut dyn FnMut(), calls: usize) -> Duration {
    if calls == 1 {
        job();
    }
    time(job, calls)
}

/// Also warms up caches and branch prediction.
fn calls_per_run(job: &mut dyn FnMut()) -> usize {
    let mut calls = 1;
    while time(job, calls) < RUN && calls < 1 << 20 {
        calls *= 2;
    }
    calls
}
