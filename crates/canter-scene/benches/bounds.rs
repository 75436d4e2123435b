//! What the bounds of a crossfading character cost, and how large they are beside the exact box:
//! `cargo bench -p canter-scene --bench bounds -- FILES`.
//!
//! Times are taken in turns, many times, and the shortest counts: machines are noisy. A file without clips is
//! given two that turn every joint, since its frame would have nothing to sample.
#![allow(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use canter::glam::Quat;
use canter::{Clip, Play, Track};
use canter_scene::{Character, Model};

const TURNS: usize = 400;
const FRAMES: u32 = 50;
/// Instants of each clip at which sizes are compared.
const INSTANTS: u16 = 24;

fn main() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut files: Vec<_> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if files.is_empty() {
        files.push(format!("{root}/assets/hero.glb"));
    }
    println!("| model | joints | frame ns | bounds ns | % of the frame | size, mean | size, max |");
    println!("|---|---|---|---|---|---|---|");
    for file in &files {
        let model = Model::load(file).expect("the file loads");
        let clips = clips(&model);
        let (frame, bounds) = times(&model, &clips);
        let (mean, max) = sizes(&model, &clips);
        println!(
            "| {} | {} | {:.0} | {:.0} | {:.1} | {mean:.2} | {max:.2} |",
            Path::new(file).file_stem().unwrap_or_default().display(),
            model.asset.skeleton.joint_count(),
            frame.as_secs_f64() * 1e9 / f64::from(FRAMES),
            bounds.as_secs_f64() * 1e9 / f64::from(FRAMES),
            100.0 * bounds.as_secs_f64() / frame.as_secs_f64(),
        );
    }
}

/// Those of the file, or some.
fn clips(model: &Model) -> Vec<Arc<Clip>> {
    if !model.asset.clips.is_empty() {
        return model.asset.clips.clone();
    }
    let skeleton = &model.asset.skeleton;
    let turn = |radians: f32| {
        let mut clip = Clip::builder(format!("{radians} radians"), skeleton);
        for joint in skeleton.joints() {
            let rest = skeleton.rest(joint).rotation;
            let keys = vec![rest, rest * Quat::from_rotation_x(radians)];
            clip.rotation(joint, Track::linear(vec![0.0, 1.0], keys));
        }
        Arc::new(clip.build().expect("its tracks are in order"))
    };
    vec![turn(0.1), turn(-0.1)]
}

/// Of many frames without bounds, and of as many bounds.
fn times(model: &Arc<Model>, clips: &[Arc<Clip>]) -> (Duration, Duration) {
    let mut character = Character::new(model);
    for clip in clips.iter().take(2) {
        character.mixer.crossfade_to(clip, 1e6);
    }
    let (mut frame, mut bounds) = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        frame = frame.min(time(|| {
            character.update(1.0 / 60.0);
            black_box(&mut character);
        }));
        bounds = bounds.min(time(|| {
            black_box(black_box(&character).bounds());
        }));
    }
    (frame, bounds)
}

fn time(mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..FRAMES {
        run();
    }
    start.elapsed()
}

/// How many times as large as the exact box: the mean over all clips along the worst axis, and the worst
/// instant.
fn sizes(model: &Arc<Model>, clips: &[Arc<Clip>]) -> (f64, f32) {
    let mut sum = [0.0; 3];
    let (mut count, mut max) = (0.0_f64, 1.0_f32);
    for clip in clips {
        for instant in 0..INSTANTS {
            let mut character = Character::new(model);
            let start_secs = Some(clip.duration_secs() * f32::from(instant) / f32::from(INSTANTS));
            character.mixer.play(clip, Play { start_secs, ..Play::default() });
            character.update(0.0);
            let (size, exact) = (character.bounds().size(), character.exact_bounds().size());
            for axis in 0..3 {
                // In relation to something flat everything is large.
                let is_flat = exact[axis] <= exact.max_element() * 1e-3;
                let ratio = if is_flat { 1.0 } else { size[axis] / exact[axis] };
                sum[axis] += f64::from(ratio);
                max = max.max(ratio);
            }
            count += 1.0;
        }
    }
    (sum.into_iter().map(|sum| sum / count.max(1.0)).fold(1.0, f64::max), max)
}
