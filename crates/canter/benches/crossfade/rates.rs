//! What a crowd costs of which four fifths are far away, beside one that is sampled in every frame.

use std::sync::Arc;
use std::time::Instant;

use canter::{Crowd, UpdateRate};

use crate::rig::Rig;
use crate::{DT_SECS, start};

const MEMBERS: usize = 10_000;
/// One of so many is near.
const NEAR: usize = 5;
/// All take turns so often.
const ROUNDS: usize = 100;
/// Until samples are spread evenly over frames: then each frame costs the same.
const WARM_UP_FRAMES: usize = 16;

fn crowd(rig: &Rig, far: UpdateRate, saves: impl Fn(Crowd) -> Crowd) -> Crowd {
    let mut crowd = saves(Crowd::new(&rig.skeleton, vec![Arc::clone(&rig.skin)]));
    for member in 0..MEMBERS {
        start(crowd.spawn(), rig, member);
        if member % NEAR > 0 {
            crowd.set_rate(member, far);
        }
    }
    (0..WARM_UP_FRAMES).for_each(|_| crowd.update(DT_SECS));
    crowd
}

/// What this thread spent on a CPU, where the system tells: a frame of ten thousand takes longer than a slice of the
/// scheduler, and on a machine that does other work the time of the clock says nothing.
fn cpu_nanos() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

pub(crate) fn print(rig: &Rig) {
    let (lowest, quarter) = (UpdateRate::LOWEST, UpdateRate::every(4));
    let both = |crowd: Crowd| crowd.blend_in_shader().step_when_sampled();
    let mut full = crowd(rig, UpdateRate::FULL, |crowd| crowd);
    let mut palette = crowd(rig, lowest, Crowd::step_when_sampled);
    let mut shader = crowd(rig, lowest, both);
    let mut every_frame = crowd(rig, lowest, Crowd::blend_in_shader);
    let mut quarter = crowd(rig, quarter, both);
    let mut hidden = crowd(rig, UpdateRate::HIDDEN, Crowd::step_when_sampled);
    let mut jobs: [&mut dyn FnMut(); 6] = [
        &mut || full.update(DT_SECS),
        &mut || shader.update(DT_SECS),
        &mut || every_frame.update(DT_SECS),
        &mut || quarter.update(DT_SECS),
        &mut || palette.update(DT_SECS),
        &mut || hidden.update(DT_SECS),
    ];
    // Systems count it by their own ticks: the sum of all rounds is right, a single one may be nothing.
    let mut sums = [0.0; 6];
    for _ in 0..ROUNDS {
        for (sum, job) in sums.iter_mut().zip(&mut jobs) {
            let start = Instant::now();
            let cpu = cpu_nanos();
            job();
            let wall = start.elapsed().as_secs_f64() * 1e9;
            let nanos = cpu.zip(cpu_nanos()).map_or(wall, |(start, end)| end - start);
            *sum += nanos;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let [full, shader, every_frame, quarter, palette, hidden] =
        sums.map(|nanos| nanos / (ROUNDS * MEMBERS) as f64);
    println!("    {MEMBERS} members at full rate: {full:.0}; of which four fifths are far, as part of that:");
    for (how, nanos) in [
        ("sampled in every eighth frame, blended in the shader", shader),
        ("the same, but all step in every frame", every_frame),
        ("sampled in every fourth frame, blended in the shader", quarter),
        ("sampled in every eighth frame, palettes moved on", palette),
        ("hidden", hidden),
    ] {
        println!("        {:.2} ({nanos:.0}) {how}", nanos / full);
    }
}
