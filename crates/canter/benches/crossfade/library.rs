//! A library of clips: what it costs that characters play different ones, packed and not.

use std::hint::black_box;
use std::sync::Arc;

use canter::{Clip, Crowd, PackMode, PackOptions, Play, Pose};

use crate::DT_SECS;
use crate::clock::nanos_per_call;
use crate::rig::Rig;

const CHARACTERS: usize = 1_000;
const PAIRS: usize = 200;

type Pair = [Arc<Clip>; 2];

/// The word before a kind of clips of which only sampling is counted.
pub(crate) const SAMPLE: &str = "sample:";
pub(crate) const KINDS: [(&str, Option<PackMode>); 3] =
    [("as they are", None), ("packed, fast", Some(PackMode::Fast)), ("packed, small", Some(PackMode::Small))];

/// The clips of a rig, packed or not.
fn packed(rig: &Rig, mode: Option<PackMode>) -> Pair {
    let Some(mode) = mode else { return rig.clips.clone() };
    rig.clips.each_ref().map(|clip| {
        let options = PackOptions { mode, ..PackOptions::default() };
        Arc::new(clip.pack(&rig.skeleton, options).expect("clips of this rig").clip)
    })
}

/// Samples clip A of a kind so many times.
pub(crate) fn sample(rig: &Rig, kind: &str, times: u64) {
    let Some((_, mode)) = KINDS.into_iter().find(|(name, _)| *name == kind) else { return };
    let ([clip, _], mut pose) = (packed(rig, mode), Pose::rest(&rig.skeleton));
    for time in 0..times {
        #[expect(clippy::cast_precision_loss, reason = "a small count")]
        let secs = (time as f32 * DT_SECS) % clip.duration_secs();
        clip.sample(secs, black_box(&mut pose));
    }
}

/// Prints a table.
pub(crate) fn print(rigs: [(&str, &Rig); 2]) {
    println!(
        "\n| | clip A, bytes | clip B, bytes | ns to sample A | ns a character, one pair | 200 pairs | ratio |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (tracks, rig) in rigs {
        let kinds = KINDS.map(|(name, mode)| (name, packed(rig, mode)));
        let samples = samples(rig, kinds.each_ref().map(|(_, pair)| pair));
        for ((name, pair), sample) in kinds.iter().zip(samples) {
            let [one, many] = crowds(rig, pair);
            let [a, b] = pair.each_ref().map(|clip| clip.memory_bytes());
            println!(
                "| {tracks}, {name} | {a} | {b} | {sample:.0} | {one:.0} | {many:.0} | {:.2} |",
                many / one
            );
        }
    }
}

/// Nanoseconds to sample clip A of each pair, taking turns.
fn samples(rig: &Rig, pairs: [&Pair; 3]) -> [f64; 3] {
    const TIMES: u16 = 64;
    let mut poses = [Pose::rest(&rig.skeleton), Pose::rest(&rig.skeleton), Pose::rest(&rig.skeleton)];
    let sample = |pair: &Pair, pose: &mut Pose| {
        for time in 0..TIMES {
            pair[0].sample(f32::from(time) / f32::from(TIMES), black_box(pose));
        }
    };
    let [a, b, c] = &mut poses;
    let mut jobs: [&mut dyn FnMut(); 3] =
        [&mut || sample(pairs[0], a), &mut || sample(pairs[1], b), &mut || sample(pairs[2], c)];
    nanos_per_call(&mut jobs).map(|nanos| nanos / f64::from(TIMES))
}

/// Nanoseconds of a character that plays the same pair as all others, and one of many pairs.
fn crowds(rig: &Rig, pair: &Pair) -> [f64; 2] {
    let copies: Vec<Pair> =
        (0..PAIRS).map(|_| pair.each_ref().map(|clip| Arc::new((**clip).clone()))).collect();
    let crowd = |pairs: &[Pair]| {
        let mut crowd: Crowd = Crowd::new(&rig.skeleton, vec![Arc::clone(&rig.skin)]);
        for index in 0..CHARACTERS {
            let mixer = crowd.spawn();
            for clip in &pairs[index % pairs.len()] {
                #[expect(clippy::cast_precision_loss, reason = "a small index")]
                let start_secs = Some(index as f32 * 0.037);
                mixer.play(clip, Play { start_secs, weight: 0.5, ..Play::default() });
            }
        }
        crowd
    };
    let (mut one, mut many) = (crowd(&copies[..1]), crowd(&copies));
    let mut jobs: [&mut dyn FnMut(); 2] = [&mut || one.update(DT_SECS), &mut || many.update(DT_SECS)];
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    nanos_per_call(&mut jobs).map(|nanos| nanos / CHARACTERS as f64)
}
