//! Hours of play at odd frame times with a thousand characters: memory stays as it is, and clocks do not
//! drift.

use std::sync::Arc;

use canter::{ActionId, Clip, Crowd, Play};
use canter_testing::allocator::{Counting, live_bytes};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CHARACTERS: usize = 1_000;
/// A stutter, a step too short for `f32`, a hitch, usual frames, a window that was dragged.
const FRAME_SECS: [f32; 6] = [0.0, 1e-9, 0.3, 1.0 / 60.0, 1.0 / 144.0, 20.0];
const HOUR_SECS: f64 = 3_600.0;

/// What a character plays: one action that runs on for ever, and others that fade into each other.
struct Part {
    anchor: ActionId,
    /// What the anchor's time should be: a plain sum.
    expected_secs: f64,
    speed: f32,
    last: ActionId,
}

fn start(crowd: &mut Crowd, clips: &[Arc<Clip>], random: &mut Random) -> Vec<Part> {
    let part = |_| {
        let speed = random.between(0.5, 1.5);
        let mixer = crowd.spawn();
        let anchor = mixer.play(&clips[0], Play { speed, ..Play::default() });
        let last = mixer.play(&clips[1], Play::default());
        Part { anchor, expected_secs: 0.0, speed, last }
    };
    (0..CHARACTERS).map(part).collect()
}

/// One frame of all characters. A few of them start a crossfade.
fn frame(crowd: &mut Crowd, parts: &mut [Part], clips: &[Arc<Clip>], dt_secs: f32, random: &mut Random) {
    for _ in 0..CHARACTERS / 100 {
        let character = random.below(CHARACTERS);
        let (mixer, part) = (&mut crowd.mixers_mut()[character], &mut parts[character]);
        let next = mixer.action(&clips[1 + random.below(clips.len() - 1)]);
        mixer.crossfade(part.last, next, random.between(0.0, 2.0));
        part.last = next;
    }
    crowd.update(dt_secs);
    for part in parts {
        part.expected_secs += f64::from(dt_secs) * f64::from(part.speed);
    }
}

fn assert_no_drift(crowd: &Crowd, parts: &[Part]) {
    for (mixer, part) in crowd.mixers().iter().zip(parts) {
        let action = mixer.get(part.anchor).expect("nobody stops it");
        let drift = action.unwrapped_secs() - part.expected_secs;
        // A day in `f32` is known to 8 ms; here it is a millionth of a second.
        assert!(drift.abs() < 1e-6, "{drift} s off after {} s", part.expected_secs);
        let duration = f64::from(action.clip().duration_secs());
        let within = part.expected_secs.rem_euclid(duration);
        let off = (f64::from(action.time_secs()) - within).abs();
        // Around the end of a loop a hair decides on which side.
        assert!(off.min(duration - off) < 2e-6, "shows {} s, not {within} s", action.time_secs());
    }
}

#[test]
fn hours_at_odd_frame_times_leave_memory_and_clocks_as_they_should_be() {
    let mut random = Random(3);
    let rig = Rig::random(&mut random, 12);
    let clips = KINDS.map(|kind| Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip")));
    let mut crowd: Crowd = Crowd::new(&rig.skeleton, vec![Arc::new(rig.skin.clone())]);
    // Room for an action of every clip is made now, so that what grows later is a leak.
    let mut parts = start(&mut crowd, &clips, &mut random);
    for mixer in crowd.mixers_mut() {
        clips.iter().for_each(|clip| _ = mixer.action(clip));
    }
    for dt_secs in FRAME_SECS {
        frame(&mut crowd, &mut parts, &clips, dt_secs, &mut random);
    }
    let bytes = live_bytes();
    let mut played_secs = 0.0;
    let mut frames = 0;
    while played_secs < HOUR_SECS {
        let dt_secs = FRAME_SECS[frames % FRAME_SECS.len()];
        frame(&mut crowd, &mut parts, &clips, dt_secs, &mut random);
        played_secs += f64::from(dt_secs);
        frames += 1;
    }
    assert!(frames > 1_000, "{frames} frames are no hour");
    assert_no_drift(&crowd, &parts);
    // The rest of a day: a machine that sleeps and wakes.
    for _ in 0..23 {
        frame(&mut crowd, &mut parts, &clips, 3_600.0, &mut random);
    }
    assert_no_drift(&crowd, &parts);
    // Rayon's queues of jobs breathe.
    let slack = if cfg!(feature = "rayon") { 32 << 10 } else { 0 };
    assert!(live_bytes() <= bytes + slack, "{} bytes in use, {bytes} a day before", live_bytes());
    let finite = crowd.palette().iter().flat_map(|matrix| matrix.rows).flatten().all(f32::is_finite);
    assert!(finite && crowd.palette().len() == CHARACTERS * rig.skin.len());
}
