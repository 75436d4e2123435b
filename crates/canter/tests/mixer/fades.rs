//! Fades: from where the weight is, in their time, without a jump.

use std::sync::Arc;

use proptest::prelude::*;

use canter::glam::{Quat, Vec3};
use canter::{Clip, Easing, Event, EventKind, Fade, LoopMode, Mixer, Play, Pose, Track};
use canter_testing::random::Random;
use canter_testing::{cases, chain, distance, one_joint, rise, stand};

#[test]
fn a_crossfade_moves_weight_from_one_action_to_the_other_in_its_time() {
    let skeleton = one_joint();
    let (a, b) = (stand(&skeleton, "A", 0.0), stand(&skeleton, "B", 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let from = mixer.play(&a, Play::default());
    let to = mixer.action(&b);
    mixer.crossfade(from, to, 1.0);
    for expected in [0.25, 0.5, 0.75] {
        assert!(mixer.advance(0.25).as_slice().is_empty());
        let level = |id| mixer.get(id).unwrap().fade_level();
        assert_eq!((level(from), level(to)), (1.0 - expected, expected));
        assert_eq!(mixer.effective_weight(to), Some(expected));
    }
    let events: Vec<Event> = mixer.advance(0.375).collect();
    let faded = events.iter().find(|event| event.kind == EventKind::FadedOut).unwrap();
    assert_eq!((faded.action, faded.secs_ago), (from, 0.125));
    assert!(Arc::ptr_eq(&faded.clip, &a) && events.len() == 3, "{events:?}");
    assert!(mixer.get(from).is_none());
    assert_eq!(mixer.get(to).unwrap().fade_level(), 1.0);
    assert!(!mixer.get(to).unwrap().is_fading());
}

#[test]
fn every_easing_is_followed() {
    let skeleton = one_joint();
    for &easing in Easing::ALL {
        let mut mixer = Mixer::new(&skeleton);
        let id = mixer.action(&stand(&skeleton, "A", 1.0));
        mixer.fade_in(id, Fade { secs: 1.0, easing, ..Fade::default() });
        for step in 1..=8_u8 {
            mixer.advance(0.125);
            assert_eq!(mixer.get(id).unwrap().fade_level(), easing.ease(f32::from(step) / 8.0), "{easing:?}");
        }
    }
}

#[test]
fn a_fade_without_length_switches_at_once() {
    let skeleton = one_joint();
    let (a, b) = (stand(&skeleton, "A", 1.0), stand(&skeleton, "B", 4.0));
    for secs in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut mixer = Mixer::new(&skeleton);
        let from = mixer.play(&a, Play::default());
        let to = mixer.crossfade_to(&b, secs);
        let mut pose = Pose::rest(&skeleton);
        mixer.sample(&mut pose);
        assert_eq!(canter_testing::height(&pose, &skeleton), 4.0, "{secs}");
        mixer.advance(0.0);
        assert!(mixer.get(from).is_none() && mixer.get(to).is_some());
    }
}

#[test]
fn a_crossfade_to_an_action_that_is_fading_out_turns_it_round() {
    let skeleton = one_joint();
    let (a, b) = (rise(&skeleton, "A", 10.0, 1.0), rise(&skeleton, "B", 10.0, 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let first = mixer.play(&a, Play::default());
    let second = mixer.crossfade_to(&b, 1.0);
    mixer.advance(0.25);
    assert_eq!(mixer.crossfade_to(&a, 1.0), first);
    let level = |mixer: &Mixer, id| mixer.get(id).unwrap().fade_level();
    assert_eq!((level(&mixer, first), level(&mixer, second)), (0.75, 0.25));
    mixer.advance(0.5);
    assert_eq!((level(&mixer, first), level(&mixer, second)), (0.875, 0.125));
    // It went on, it did not start over.
    assert_eq!(mixer.get(first).unwrap().time_secs(), 0.75);
    mixer.advance(0.5);
    assert!(mixer.get(second).is_none());
    assert_eq!(level(&mixer, first), 1.0);
}

#[test]
fn everything_else_fades_out_when_a_clip_is_crossfaded_to() {
    let skeleton = one_joint();
    let clips: Vec<_> = (0..4).map(|n| stand(&skeleton, &format!("clip {n}"), 1.0)).collect();
    let mut mixer = Mixer::new(&skeleton);
    for clip in &clips[..3] {
        mixer.play(clip, Play::default());
    }
    let waiting = mixer.action(&stand(&skeleton, "waiting", 1.0));
    let to = mixer.crossfade_to(&clips[3], 0.5);
    assert_eq!(mixer.actions().filter(|(_, action)| action.is_fading_out()).count(), 3);
    let faded = mixer.advance(0.5).filter(|event| event.kind == EventKind::FadedOut).count();
    assert_eq!(faded, 3);
    // What never played is not something that plays.
    assert!(mixer.get(waiting).is_some() && mixer.get(to).is_some());
    assert_eq!(mixer.actions().count(), 2);
}

#[test]
fn asking_for_the_same_crossfade_in_every_frame_does_not_put_it_off() {
    let skeleton = one_joint();
    let (idle, run) = (stand(&skeleton, "idle", 0.0), stand(&skeleton, "run", 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let from = mixer.play(&idle, Play::default());
    let mut frames = 0_u8;
    while mixer.get(from).is_some() {
        let to = mixer.crossfade_to(&run, 0.25);
        mixer.advance(1.0 / 64.0);
        frames += 1;
        assert!(frames <= 16, "the fade of 0.25 s is not over after {frames} frames");
        assert!((mixer.get(to).unwrap().fade_level() - f32::from(frames) / 16.0).abs() < 1e-6);
    }
    assert_eq!(frames, 16);
}

#[test]
fn a_fade_that_is_asked_for_again_but_shorter_is_shortened() {
    let skeleton = one_joint();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.action(&stand(&skeleton, "A", 1.0));
    mixer.fade_in(id, 10.0);
    mixer.advance(1.0);
    mixer.fade_in(id, 0.5);
    mixer.advance(0.5);
    assert_eq!(mixer.get(id).unwrap().fade_level(), 1.0);
    mixer.fade_out(id, 10.0);
    mixer.advance(1.0);
    mixer.fade_out(id, 0.5);
    mixer.advance(0.5);
    assert!(mixer.get(id).is_none());
}

#[test]
fn a_long_fade_in_short_steps_takes_its_time() {
    let skeleton = one_joint();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.action(&stand(&skeleton, "A", 1.0));
    // Steps that f32 would swallow: 100,000 + 0.001 is 100,000.
    mixer.fade_in(id, 200_000.0);
    mixer.advance(100_000.0);
    for _ in 0..1000 {
        mixer.advance(0.001);
    }
    let level = f64::from(mixer.get(id).unwrap().fade_level());
    assert!((level - 100_001.0 / 200_000.0).abs() < 1e-6, "{level}");
}

#[test]
fn what_leaves_gives_its_part_to_those_that_stay() {
    let skeleton = one_joint();
    let (a, b) = (stand(&skeleton, "A", 1.0), stand(&skeleton, "B", 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let first = mixer.play(&a, Play { weight: 0.5, ..Play::default() });
    let second = mixer.play(&b, Play { weight: 2.0, ..Play::default() });
    let weights = |mixer: &Mixer| [first, second].map(|id| mixer.effective_weight(id).unwrap());
    let are = |mixer: &Mixer, expected: [f32; 2]| {
        weights(mixer).iter().zip(expected).all(|(weight, expected)| (weight - expected).abs() < 1e-6)
    };
    assert!(are(&mixer, [0.2, 0.8]));
    mixer.fade_out(second, 1.0);
    assert!(are(&mixer, [0.2, 0.8]));
    mixer.advance(0.5);
    assert!(are(&mixer, [0.6, 0.4]));
}

#[test]
fn finishing_and_fading_out_in_one_step_is_told_in_that_order() {
    let skeleton = one_joint();
    let mut mixer = Mixer::new(&skeleton);
    let once = Play { loop_mode: LoopMode::Times(3), ..Play::default() };
    let id = mixer.play(&rise(&skeleton, "A", 1.0, 1.0), once);
    mixer.fade_out(id, 0.5);
    let kinds: Vec<_> = mixer.advance(5.0).map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Looped { times: 2 }, EventKind::Finished, EventKind::FadedOut]);
    assert_eq!(mixer.events().len(), 3);
    assert!(mixer.advance(0.1).as_slice().is_empty());
}

#[test]
fn a_paused_action_fades_and_stays_where_it_is() {
    let skeleton = one_joint();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&rise(&skeleton, "A", 1.0, 1.0), Play { start_secs: Some(0.25), ..Play::default() });
    mixer.get_mut(id).unwrap().pause();
    mixer.fade_out(id, 1.0);
    mixer.advance(0.5);
    let action = mixer.get(id).unwrap();
    assert_eq!((action.time_secs(), action.fade_level()), (0.25, 0.5));
}

proptest! {
    #![proptest_config(cases(60))]

    /// Whatever is faded in whichever way, as often as once a frame: the pose moves no further in a frame
    /// than its clips and the steepest fade can take it.
    #[test]
    fn interrupting_fades_never_makes_the_pose_jump(seed in any::<u64>(), shortest in 0.1_f32..0.5) {
        const DT_SECS: f32 = 1.0 / 240.0;
        // Of smoother step; the others are less steep.
        const STEEPEST: f32 = 2.0;
        let mut random = Random(seed);
        let skeleton = chain(3);
        // Slow clips within a right angle of each other and of the rest pose.
        let clips: Vec<Arc<Clip>> = (0..4)
            .map(|index| {
                let mut clip = Clip::builder(format!("clip {index}"), &skeleton);
                for joint in skeleton.joints() {
                    let places = vec![Vec3::Y + random.vector(0.5), Vec3::Y + random.vector(0.5)];
                    clip.translation(joint, Track::linear(vec![0.0, 10.0], places));
                    let turns = vec![Quat::from_rotation_x(random.between(-0.7, 0.7)); 2];
                    clip.rotation(joint, Track::linear(vec![0.0, 10.0], turns));
                }
                Arc::new(clip.build().unwrap())
            })
            .collect();
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&clips[0], Play { loop_mode: LoopMode::PingPong, ..Play::default() });
        let (mut before, mut now) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
        mixer.sample(&mut before);
        let calm = random.between(0.0, 1.0);
        for frame in 0..300 {
            if !random.chance(calm) {
                let fade = Fade { secs: random.between(shortest, 1.0), easing: random.pick(Easing::ALL), ..Fade::default() };
                let clip = &clips[random.below(4)];
                match random.below(4) {
                    0 | 1 => {
                        mixer.crossfade_to(clip, fade);
                    }
                    2 => {
                        let id = mixer.action(clip);
                        mixer.fade_in(id, fade);
                    }
                    _ => {
                        let id = mixer.action(clip);
                        mixer.fade_out(id, fade);
                    }
                }
            }
            mixer.advance(DT_SECS);
            mixer.sample(&mut now);
            // Each of four shares and the rest pose moves at most so far in a frame; poses are at most so far
            // apart.
            let most = 3.0 * STEEPEST * DT_SECS / shortest + 0.001;
            let apart = distance(&skeleton, &before, &now);
            prop_assert!(apart <= most, "frame {}: the pose jumps by {}, expected at most {}", frame, apart, most);
            before.clone_from(&now);
        }
    }
}

/// Asked for while a slower fade was under way, an endless one was taken for a longer one and did nothing; a
/// negative one, asked for at full weight, started a fade from full to full. Found by the model in
/// `tests/model`.
#[test]
fn a_fade_without_length_switches_at_once_while_another_is_under_way() {
    let skeleton = one_joint();
    for secs in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let mut mixer = Mixer::new(&skeleton);
        let id = mixer.action(&stand(&skeleton, "A", 1.0));
        mixer.fade_in(id, 1.0);
        mixer.advance(0.25);
        mixer.fade_in(id, secs);
        assert_eq!(mixer.get(id).unwrap().fade_level(), 1.0, "{secs} s");
        mixer.advance(0.0);
        mixer.fade_in(id, secs);
        assert!(!mixer.get(id).unwrap().is_fading(), "{secs} s");
        mixer.fade_out(id, 1.0);
        mixer.fade_out(id, secs);
        assert_eq!(mixer.get(id).unwrap().fade_level(), 0.0, "{secs} s");
    }
}
