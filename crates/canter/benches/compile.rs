//! How long clips take to compile: what a program waits for when it plays one for the first time.
#![expect(clippy::print_stdout, reason = "figures are what a benchmark is for")]

use std::sync::Arc;
use std::time::Instant;

use canter::glam::{Quat, Vec3};
use canter::{Clip, Skeleton, Track, Transform};

const JOINTS: u16 = 64;
const KEYS: u16 = 61;

fn main() {
    let mut builder = Skeleton::builder();
    for joint in 0..JOINTS {
        builder.joint(format!("joint {joint}"), joint.checked_sub(1).map(usize::from), Transform::IDENTITY);
    }
    let skeleton = builder.build().expect("a tree");
    println!("microseconds to compile a clip of {JOINTS} joints, up to {KEYS} keys each: min of many runs");
    for (name, own_times, is_full) in [
        ("rotations, common times", false, false),
        ("all tracks, common times", false, true),
        ("rotations, times of their own", true, false),
        ("all tracks, times of their own", true, true),
    ] {
        let clip = clip(&skeleton, own_times, is_full);
        let min = (0..300).map(|_| micros(&clip)).fold(f64::INFINITY, f64::min);
        println!("{name:>32} {min:>8.0}");
        let min = (0..30).map(|_| micros_of_many(&clip)).fold(f64::INFINITY, f64::min);
        println!("{:>32} {min:>8.0}", "each of 32");
    }
    let threads =
        if cfg!(feature = "rayon") { "all cores" } else { "one core; on all with --features rayon" };
    println!("of 32 on {threads}");
}

fn micros_of_many(clip: &Clip) -> f64 {
    let fresh: [_; 32] = std::array::from_fn(|_| Arc::new(clip.clone()));
    let start = Instant::now();
    Clip::compile_all(&fresh);
    start.elapsed().as_secs_f64() * 1e6 / 32.0
}

fn micros(clip: &Clip) -> f64 {
    // Not compiled yet, and its keys are shared or copied before the clock starts.
    let fresh = clip.clone();
    let start = Instant::now();
    fresh.compile();
    start.elapsed().as_secs_f64() * 1e6
}

/// Keys at 30 per second; with times of their own tracks have lost all that could be spared, each others.
fn clip(skeleton: &Skeleton, own_times: bool, is_full: bool) -> Clip {
    let mut clip = Clip::builder("clip", skeleton);
    let mut random = 1_u32;
    let mut spared = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        own_times && random >> 30 != 0
    };
    for joint in skeleton.joints() {
        let mut times = || -> Vec<f32> {
            let keys = (0..KEYS).filter(|key| *key == 0 || *key + 1 == KEYS || !spared());
            keys.map(|key| f32::from(key) / 30.0).collect()
        };
        let secs = times();
        let turns = secs.iter().map(|secs| Quat::from_rotation_x(secs.sin())).collect();
        clip.rotation(joint, Track::linear(secs, turns));
        if is_full {
            let secs = times();
            let places = secs.iter().map(|secs| Vec3::new(secs.sin(), secs.cos(), *secs)).collect();
            clip.translation(joint, Track::linear(secs, places));
            let secs = times();
            let sizes = secs.iter().map(|secs| Vec3::splat(2.0 + secs.sin())).collect();
            clip.scale(joint, Track::linear(secs, sizes));
        }
    }
    clip.build().expect("good tracks")
}
