//! All that is measured: numbers of characters, threads, ways of playing, stages.

use std::alloc::System;
use std::hint::black_box;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use super::clock;
use super::job::{DT_SECS, Job, Staged, Times};
use crate::failure::Failure;

/// Counts what is allocated, by all threads.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const CHARACTERS: [usize; 4] = [1, 100, 1_000, 10_000];
/// So many characters go through the stages together: their poses and matrices stay in the cache.
const CHUNK: usize = 16;

/// How time moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    Play,
    Seek,
}

impl Mode {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Seek => "seek",
        }
    }
}

/// What one kind of frame costs.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Measured {
    pub(super) characters: usize,
    pub(super) threads: usize,
    pub(super) mode: Mode,
    pub(super) ns_per_character_frame: f64,
    pub(super) stages: Stages,
    pub(super) allocations_per_frame: usize,
    /// How noisy the machine was: how far the median is above the min, as a part of it.
    pub(super) spread: f64,
}

/// How the time divides, in nanoseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Stages {
    pub(super) sample: f64,
    pub(super) blend: f64,
    pub(super) compose: f64,
    pub(super) palette: f64,
}

impl Stages {
    /// The same parts of another whole.
    fn of(self, whole: f64) -> Self {
        let factor = whole / (self.sample + self.blend + self.compose + self.palette).max(f64::MIN_POSITIVE);
        Self {
            sample: self.sample * factor,
            blend: self.blend * factor,
            compose: self.compose * factor,
            palette: self.palette * factor,
        }
    }
}

/// Everything, on one thread and on `threads`.
pub(super) fn measure(job: &Job, threads: usize, seconds: f64) -> Result<Vec<Measured>, Failure> {
    let mut pools = vec![pool(1)?];
    if threads > 1 {
        pools.push(pool(threads)?);
    }
    // In each mode the four stages take half a turn each.
    let turns = CHARACTERS.len() * (2 * pools.len() + 2 * 2);
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let seconds = seconds / turns as f64;
    let mut results = Vec::new();
    for characters in CHARACTERS {
        for mode in [Mode::Play, Mode::Seek] {
            let stages = stages(job, characters, mode, seconds / 2.0);
            for pool in &pools {
                results.push(pool.install(|| frames(job, characters, mode, seconds, stages)));
            }
        }
    }
    Ok(results)
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        Failure::new(format!("there are no {threads} threads: {error}"), "give fewer --threads")
    })
}

/// A whole frame of a crowd, on the threads of the pool that this runs in.
fn frames(job: &Job, characters: usize, mode: Mode, seconds: f64, stages: Stages) -> Measured {
    let (mut crowd, actions) = job.crowd(characters);
    let mut times = Times(1);
    let mut frame = || {
        if mode == Mode::Seek {
            let times = times.clone();
            crowd.mixers_mut().par_iter_mut().enumerate().for_each(|(index, mixer)| {
                #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
                let mut own = Times(times.0 ^ (index as u32).wrapping_mul(2_654_435_761));
                for action in actions {
                    mixer.get_mut(action).map(|mut action| action.seek(own.next_secs()));
                }
            });
        }
        times.next_secs();
        crowd.update(DT_SECS);
        black_box(crowd.palette());
    };
    let nanos = clock::measure(seconds, &mut frame);
    let allocations_per_frame = allocations(&mut frame);
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let ns_per_character_frame = nanos.min / characters as f64;
    Measured {
        characters,
        threads: rayon::current_num_threads(),
        mode,
        ns_per_character_frame,
        stages: stages.of(ns_per_character_frame),
        allocations_per_frame,
        spread: nanos.spread,
    }
}

/// How often a frame allocates: the min of some tries, since other threads of the process may do so on
/// their own.
fn allocations(mut frame: impl FnMut()) -> usize {
    const TRIES: usize = 3;
    let count = |_| {
        let before = ALLOCATOR.stats();
        frame();
        let after = ALLOCATOR.stats();
        after.allocations + after.reallocations - before.allocations - before.reallocations
    };
    (0..TRIES).map(count).min().unwrap_or(0)
}

/// Each stage by itself, per character, on one thread.
fn stages(job: &Job, characters: usize, mode: Mode, seconds: f64) -> Stages {
    let mut chunk: Vec<Staged> = (0..characters.min(CHUNK)).map(|index| Staged::new(job, index)).collect();
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let count = chunk.len() as f64;
    let mut times = Times(1);
    let mut stage = |work: &mut dyn FnMut(&mut Staged)| {
        clock::measure(seconds, || chunk.iter_mut().for_each(&mut *work)).min / count
    };
    let sample = stage(&mut |character| {
        for (clip, action) in job.clips.iter().zip(character.actions) {
            let played = character.mixer.get(action).map_or(0.0, canter::Action::time_secs);
            let secs = if mode == Mode::Seek { times.next_secs() } else { played };
            clip.sample(black_box(secs), &mut character.pose);
        }
    });
    let mixed = stage(&mut |character| {
        if mode == Mode::Seek {
            for action in character.actions {
                character.mixer.get_mut(action).map(|mut action| action.seek(times.next_secs()));
            }
        }
        character.mixer.advance(DT_SECS);
        character.mixer.sample(&mut character.pose);
    });
    let compose = stage(&mut |character| character.model.compose(&job.skeleton, black_box(&character.pose)));
    let palette = stage(&mut |character| {
        job.skins.write_palettes(black_box(&character.model), &mut character.palettes);
    });
    // Reading alone may be measured a little dearer than reading and blending in one pass.
    Stages { sample: sample.min(mixed), blend: (mixed - sample).max(0.0), compose, palette }
}
