//! The shortest time of many short runs: what the work takes when nothing else gets in its way.

use std::time::{Duration, Instant};

/// A run is at least this long, so that reading the clock does not count, and short enough to be left alone
/// by the scheduler now and then.
const RUN: Duration = Duration::from_micros(400);
/// How long a set of jobs is measured.
const TOTAL: Duration = Duration::from_millis(1_500);
const LEAST_RUNS: usize = 5;

/// Nanoseconds per call of each job; the jobs take turns.
pub(crate) fn nanos_per_call<const N: usize>(jobs: &mut [&mut dyn FnMut(); N]) -> [f64; N] {
    let calls = std::array::from_fn::<usize, N, _>(|index| calls_per_run(jobs[index]));
    let mut min = [f64::INFINITY; N];
    let start = Instant::now();
    let mut runs = 0;
    while runs < LEAST_RUNS || start.elapsed() < TOTAL {
        runs += 1;
        for index in 0..N {
            let nanos = time_warm(jobs[index], calls[index]).as_secs_f64() * 1e9;
            #[expect(clippy::cast_precision_loss, reason = "a small count")]
            let per_call = nanos / calls[index] as f64;
            min[index] = min[index].min(per_call);
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
