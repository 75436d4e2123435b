//! What the bounds add to a frame of a crossfading character: `cargo bench -p canter-scene --bench bounds`.
//!
//! Both are measured in turns, many times, and the least counts: machines are noisy.
#![allow(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use canter_scene::{Character, Model};

const TURNS: usize = 400;
const FRAMES: u32 = 50;

fn main() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut files: Vec<_> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if files.is_empty() {
        files.push(format!("{root}/assets/hero.glb"));
    }
    files.iter().for_each(|file| measure(file));
}

fn measure(file: &str) {
    let start = Instant::now();
    let model = Model::load(file).expect("the file loads");
    let load = start.elapsed();
    let mut character = Character::new(&model);
    for clip in model.asset.clips.iter().take(2) {
        character.mixer.crossfade_to(clip, 1e6);
    }
    let (mut frame, mut bounds) = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        frame = frame.min(time(|| {
            character.mixer.advance(1.0 / 60.0);
            character.mixer.sample(&mut character.pose);
            character.model_pose.compose(&character.model.asset.skeleton, &character.pose);
            character.write_palette();
            black_box(&mut character);
        }));
        bounds = bounds.min(time(|| {
            character.write_bounds();
            black_box(&mut character);
        }));
    }
    println!(
        "{file}: {} joints, a frame {} ns, its {} bounds {} ns: {:.1} % more (loading and fitting {load:.0?})",
        model.asset.skeleton.joint_count(),
        frame.as_nanos() / u128::from(FRAMES),
        model.bounds_len(),
        bounds.as_nanos() / u128::from(FRAMES),
        100.0 * bounds.as_secs_f64() / frame.as_secs_f64(),
    );
}

fn time(mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..FRAMES {
        run();
    }
    start.elapsed()
}
