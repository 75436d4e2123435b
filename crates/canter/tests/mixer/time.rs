//! Clocks: speed, loops, ends, seeks, and steps of any size.

use std::sync::Arc;

use proptest::prelude::*;

use canter::{ActionId, Clip, EventKind, LoopMode, Mixer, Play, Pose, Skeleton};
use canter_testing::{cases, height, one_joint, rise};

fn playing(secs: f32, play: Play) -> (Mixer, ActionId) {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", secs, 4.0);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip, play);
    (mixer, id)
}

fn time(mixer: &Mixer, id: ActionId) -> f32 {
    mixer.get(id).unwrap().time_secs()
}

fn kinds(mixer: &mut Mixer, dt_secs: f32) -> Vec<EventKind> {
    mixer.advance(dt_secs).map(|event| event.kind).collect()
}

fn shown(skeleton: &Arc<Skeleton>, mixer: &mut Mixer) -> f32 {
    let mut pose = Pose::rest(skeleton);
    mixer.sample(&mut pose);
    height(&pose, skeleton)
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn playback_advances_by_dt_times_speed() {
    for (speed, dt_secs, expected) in
        [(1.0, 0.25, 0.25), (0.5, 0.25, 0.125), (3.0, 0.25, 0.75), (0.0, 0.25, 0.0), (-1.0, 0.25, 0.75)]
    {
        let (mut mixer, id) = playing(1.0, Play { speed, ..Play::default() });
        mixer.advance(dt_secs);
        assert_eq!(time(&mixer, id), expected, "speed {speed}");
    }
}

#[test]
fn nine_tenths_and_two_tenths_wrap_to_one_tenth_in_a_loop_of_a_second() {
    let (mut mixer, id) = playing(1.0, Play::default());
    mixer.advance(0.9);
    assert_eq!(kinds(&mut mixer, 0.2), [EventKind::Looped { times: 1 }]);
    assert!(near(time(&mixer, id), 0.1), "{}", time(&mixer, id));
    assert_eq!(mixer.get(id).unwrap().loops(), 1);
    assert!((mixer.get(id).unwrap().unwrapped_secs() - 1.1).abs() < 1e-6);
}

#[test]
fn speed_2_moves_two_tenths_in_one_tenth() {
    let (mut mixer, id) = playing(1.0, Play { speed: 2.0, ..Play::default() });
    mixer.advance(0.1);
    assert!(near(time(&mixer, id), 0.2));
}

#[test]
fn halfway_between_keys_0_and_4_is_2() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", 1.0, 4.0);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&clip, Play::default());
    mixer.advance(0.5);
    assert_eq!(shown(&skeleton, &mut mixer), 2.0);
}

/// Where a clip of a second is after each step of 0.4 s, and what happened.
#[test]
fn every_loop_mode_in_both_directions() {
    use EventKind::{Finished, Looped};
    const ONE: EventKind = Looped { times: 1 };
    type Steps = &'static [(f32, &'static [EventKind])];
    let table: &[(LoopMode, f32, Steps)] = &[
        (LoopMode::Once, 1.0, &[(0.4, &[]), (0.8, &[]), (1.0, &[Finished]), (1.0, &[]), (1.0, &[])]),
        (LoopMode::Once, -1.0, &[(0.6, &[]), (0.2, &[]), (0.0, &[Finished]), (0.0, &[])]),
        (LoopMode::Repeat, 1.0, &[(0.4, &[]), (0.8, &[]), (0.2, &[ONE]), (0.6, &[]), (0.0, &[ONE])]),
        (LoopMode::Repeat, -1.0, &[(0.6, &[ONE]), (0.2, &[]), (0.8, &[ONE]), (0.4, &[])]),
        (
            LoopMode::PingPong,
            1.0,
            &[(0.4, &[]), (0.8, &[]), (0.8, &[ONE]), (0.4, &[]), (0.0, &[ONE]), (0.4, &[])],
        ),
        (LoopMode::PingPong, -1.0, &[(0.4, &[ONE]), (0.8, &[]), (0.8, &[ONE]), (0.4, &[]), (0.0, &[ONE])]),
        (
            LoopMode::Times(2),
            1.0,
            &[(0.4, &[]), (0.8, &[]), (0.2, &[ONE]), (0.6, &[]), (1.0, &[Finished]), (1.0, &[])],
        ),
        (LoopMode::Times(2), -1.0, &[(0.6, &[]), (0.2, &[]), (0.8, &[ONE]), (0.4, &[]), (0.0, &[Finished])]),
        (LoopMode::Times(0), 1.0, &[(0.4, &[]), (0.8, &[]), (1.0, &[Finished]), (1.0, &[])]),
        (LoopMode::Repeat, 4.0, &[(0.6, &[ONE]), (0.2, &[Looped { times: 2 }]), (0.8, &[ONE])]),
        (LoopMode::Times(3), 10.0, &[(1.0, &[Looped { times: 2 }, Finished]), (1.0, &[])]),
    ];
    for (loop_mode, speed, steps) in table {
        let (mut mixer, id) = playing(1.0, Play { loop_mode: *loop_mode, speed: *speed, ..Play::default() });
        for (index, (expected, events)) in steps.iter().enumerate() {
            // A hair more than 0.4 in f32: the fifth step passes the boundary at 2.
            let happened = kinds(&mut mixer, 0.4);
            let got = time(&mixer, id);
            assert!(
                (got - expected).abs() < 1e-5,
                "{loop_mode:?} at {speed}, step {index}: {got}, not {expected}"
            );
            assert_eq!(happened, *events, "{loop_mode:?} at {speed}, step {index}");
        }
    }
}

#[test]
fn once_holds_its_last_pose_and_finishes_exactly_once() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", 1.0, 4.0);
    for (speed, end) in [(1.0, 4.0), (-1.0, 0.0)] {
        let mut mixer = Mixer::new(&skeleton);
        let id = mixer.play(&clip, Play { loop_mode: LoopMode::Once, speed, ..Play::default() });
        let finished: usize = (0..100)
            .map(|_| kinds(&mut mixer, 0.125).iter().filter(|kind| **kind == EventKind::Finished).count())
            .sum();
        assert_eq!(finished, 1);
        assert!(mixer.get(id).unwrap().is_finished());
        assert_eq!(shown(&skeleton, &mut mixer), end);
    }
}

#[test]
fn exactly_at_the_end_once_is_finished_and_repeat_is_at_the_start() {
    let (mut once, id) = playing(1.0, Play { loop_mode: LoopMode::Once, ..Play::default() });
    assert_eq!(kinds(&mut once, 1.0), [EventKind::Finished]);
    assert_eq!(time(&once, id), 1.0);
    let (mut repeat, id) = playing(1.0, Play::default());
    assert_eq!(kinds(&mut repeat, 1.0), [EventKind::Looped { times: 1 }]);
    assert_eq!(time(&repeat, id), 0.0);
}

#[test]
fn an_action_that_played_backwards_begins_at_its_end() {
    let (mixer, id) = playing(1.0, Play { loop_mode: LoopMode::Once, speed: -1.0, ..Play::default() });
    assert_eq!(time(&mixer, id), 1.0);
    let (mixer, id) = playing(1.0, Play { loop_mode: LoopMode::Times(3), speed: -1.0, ..Play::default() });
    assert_eq!((time(&mixer, id), mixer.get(id).unwrap().loops()), (1.0, 2));
}

#[test]
fn a_finished_action_that_is_turned_round_runs_back_and_finishes_again() {
    let (mut mixer, id) = playing(1.0, Play { loop_mode: LoopMode::Once, ..Play::default() });
    assert_eq!(kinds(&mut mixer, 5.0), [EventKind::Finished]);
    mixer.get_mut(id).unwrap().set_speed(-1.0).unwrap();
    assert_eq!(kinds(&mut mixer, 0.25), []);
    assert_eq!(time(&mixer, id), 0.75);
    assert!(!mixer.get(id).unwrap().is_finished());
    assert_eq!(kinds(&mut mixer, 1.0), [EventKind::Finished]);
}

#[test]
fn a_finished_action_that_is_wanted_again_starts_as_a_new_one_and_fades_from_the_old_one() {
    let (mut mixer, old) = playing(1.0, Play { speed: 2.0, weight: 0.5, ..Play::once() });
    mixer.advance(5.0);
    let new = mixer.fade_in(old, 0.2).unwrap();
    assert_ne!(new, old);
    assert_eq!((time(&mixer, old), time(&mixer, new)), (1.0, 0.0));
    let action = mixer.get(new).unwrap();
    assert_eq!((action.speed(), action.weight(), action.loop_mode()), (2.0, 0.5, LoopMode::Once));
    mixer.advance(0.1);
    assert_eq!(mixer.effective_weight(old), Some(0.5));
    assert_eq!(kinds(&mut mixer, 0.1), [EventKind::FadedOut]);
    assert_eq!(kinds(&mut mixer, 2.0), [EventKind::Finished]);
    // So it does when its clip is asked for.
    let clip = Arc::clone(mixer.get(new).unwrap().clip());
    let third = mixer.crossfade_to(&clip, 0.2);
    let action = mixer.get(third).unwrap();
    assert!(third != new && action.time_secs() == 0.0);
    assert_eq!((action.speed(), action.weight(), action.loop_mode()), (2.0, 0.5, LoopMode::Once));
    mixer.stop(third);
    // A reset takes the same action back at once.
    mixer.get_mut(new).unwrap().reset();
    assert_eq!((time(&mixer, new), mixer.get(new).unwrap().is_finished()), (0.0, false));
}

#[test]
fn a_clip_without_length_holds_its_only_pose() {
    let skeleton = one_joint();
    let still = rise(&skeleton, "Still", 0.0, 4.0);
    assert_eq!(still.duration_secs(), 0.0);
    for (loop_mode, expected) in [
        (LoopMode::Repeat, &[] as &[EventKind]),
        (LoopMode::PingPong, &[]),
        (LoopMode::Once, &[EventKind::Finished]),
        (LoopMode::Times(3), &[EventKind::Finished]),
    ] {
        for speed in [1.0, -1.0] {
            let mut mixer = Mixer::new(&skeleton);
            mixer.play(&still, Play { loop_mode, speed, ..Play::default() });
            assert_eq!(kinds(&mut mixer, 0.1), expected, "{loop_mode:?} at {speed}");
            assert_eq!(kinds(&mut mixer, 3600.0), [], "{loop_mode:?} at {speed}");
            // Of two keys at one time the later one holds.
            assert_eq!(shown(&skeleton, &mut mixer), 4.0);
        }
    }
}

#[test]
fn a_step_of_an_hour_is_the_same_time_in_a_thousand_steps() {
    for loop_mode in [LoopMode::Repeat, LoopMode::PingPong, LoopMode::Times(10_000), LoopMode::Times(17)] {
        for speed in [1.0, -0.7, 3.3] {
            let play = Play { loop_mode, speed, ..Play::default() };
            let (mut one, id) = playing(0.733, play.clone());
            let (mut many, _) = playing(0.733, play);
            let at_once = one.advance(3600.0).collect::<Vec<_>>();
            let mut looped = 0;
            for _ in 0..1000 {
                for event in many.advance(3.6) {
                    if let EventKind::Looped { times } = event.kind {
                        looped += times;
                    }
                }
            }
            // 3.6 is no dyadic number: a thousand times its rounding.
            let (a, b) = (one.get(id).unwrap(), many.get(id).unwrap());
            let drift = (3600.0 - 1000.0 * f64::from(3.6_f32)) * f64::from(speed);
            let drift = if a.is_finished() { 0.0 } else { drift };
            assert!((a.unwrapped_secs() - b.unwrapped_secs() - drift).abs() < 1e-8, "{loop_mode:?} {speed}");
            assert_eq!(a.loops(), b.loops());
            let in_one = at_once.iter().find_map(|event| match event.kind {
                EventKind::Looped { times } => Some(times),
                _ => None,
            });
            assert_eq!(in_one.unwrap_or(0), looped, "{loop_mode:?} {speed}");
        }
    }
}

#[test]
fn a_step_that_is_no_time_is_refused_and_changes_nothing() {
    let (mut mixer, id) = playing(1.0, Play::default());
    mixer.advance(0.25);
    mixer.fade_out(id, 0.5);
    let before = mixer.state();
    for dt_secs in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.1, -f32::MIN_POSITIVE] {
        assert_eq!(kinds(&mut mixer, dt_secs), []);
        assert_eq!(mixer.state(), before, "{dt_secs}");
    }
}

#[test]
fn seeking_goes_anywhere_and_refuses_what_is_no_time() {
    let table = [
        (LoopMode::Repeat, 0.25, 0.25, 0),
        (LoopMode::Repeat, 1.0, 1.0, 0),
        (LoopMode::Repeat, 2.25, 0.25, 2),
        (LoopMode::Repeat, -0.25, 0.75, -1),
        (LoopMode::PingPong, 1.25, 0.75, 1),
        (LoopMode::PingPong, -0.25, 0.25, -1),
        (LoopMode::Once, 5.0, 1.0, 0),
        (LoopMode::Once, -5.0, 0.0, 0),
        (LoopMode::Times(3), 1.5, 0.5, 1),
        (LoopMode::Times(3), 9.5, 1.0, 2),
    ];
    for (loop_mode, secs, expected, loops) in table {
        let (mut mixer, id) = playing(1.0, Play { loop_mode, ..Play::default() });
        mixer.get_mut(id).unwrap().seek(secs).unwrap();
        let action = mixer.get(id).unwrap();
        assert_eq!((action.time_secs(), action.loops()), (expected, loops), "{loop_mode:?} {secs}");
        for refused in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(mixer.get_mut(id).unwrap().seek(refused).is_err());
            assert_eq!(time(&mixer, id), expected);
        }
    }
}

#[test]
fn a_seek_past_the_end_finishes_with_the_next_step_even_one_of_no_length() {
    for (speed, secs) in [(1.0, 5.0), (1.0, 1.0), (-1.0, -3.0)] {
        for dt_secs in [0.0, 0.25] {
            let (mut mixer, id) = playing(1.0, Play { speed, ..Play::once() });
            mixer.get_mut(id).unwrap().seek(secs).unwrap();
            assert!(!mixer.get(id).unwrap().is_finished());
            let events: Vec<_> = mixer.advance(dt_secs).collect();
            assert_eq!(events.iter().map(|event| event.kind).collect::<Vec<_>>(), [EventKind::Finished]);
            assert_eq!(events[0].secs_ago, dt_secs, "{speed} {secs}");
            assert_eq!(kinds(&mut mixer, dt_secs), []);
        }
    }
}

#[test]
fn events_say_how_long_ago_they_were_and_of_which_clip() {
    let (mut mixer, id) = playing(1.0, Play { speed: 2.0, loop_mode: LoopMode::Times(2), ..Play::default() });
    // Two loops of half a second: the second begins after 0.5 s, the end comes after 1 s.
    let events: Vec<_> = mixer.advance(1.25).collect();
    let told: Vec<_> = events.iter().map(|event| (event.kind, event.secs_ago)).collect();
    assert_eq!(told, [(EventKind::Looped { times: 1 }, 0.75), (EventKind::Finished, 0.25)]);
    assert!(events.iter().all(|event| event.action == id && event.clip.name() == "Rise"));
    for loop_mode in [LoopMode::Repeat, LoopMode::PingPong] {
        for speed in [1.0, -1.0] {
            let (mut mixer, _) = playing(1.0, Play { speed, loop_mode, ..Play::default() });
            mixer.advance(0.5);
            let ago: Vec<_> = mixer.advance(2.75).map(|event| event.secs_ago).collect();
            assert_eq!(ago, [0.25], "{loop_mode:?} {speed}");
        }
    }
}

#[test]
fn the_body_of_a_loop_over_events_may_use_the_mixer() {
    let skeleton = one_joint();
    let (rise, idle) = (rise(&skeleton, "Rise", 1.0, 4.0), rise(&skeleton, "Idle", 1.0, 1.0));
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&rise, Play::once());
    for event in mixer.advance(2.0) {
        assert_eq!(event.kind, EventKind::Finished);
        mixer.crossfade_to(&idle, 0.25);
    }
    assert_eq!((mixer.actions().count(), mixer.events().len()), (2, 1));
}

#[test]
fn a_hit_stop_stops_all_clocks_and_fades_as_asked() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", 10.0, 4.0);
    for (follow, level) in [(false, 0.5), (true, 0.0)] {
        let mut mixer = Mixer::new(&skeleton);
        let id = mixer.play(&clip, Play { fade: 1.0.into(), ..Play::default() });
        mixer.set_fades_follow_speed(follow);
        mixer.set_speed(0.0);
        mixer.advance(0.5);
        let action = mixer.get(id).unwrap();
        assert_eq!((action.time_secs(), action.fade_level()), (0.0, level));
        mixer.set_speed(0.5);
        mixer.advance(0.5);
        let action = mixer.get(id).unwrap();
        assert_eq!((action.time_secs(), action.fade_level()), (0.25, if follow { 0.25 } else { 1.0 }));
        for refused in [-1.0, f32::NAN, f32::INFINITY] {
            mixer.set_speed(refused);
            assert_eq!(mixer.speed(), 0.5);
        }
    }
}

#[test]
fn an_action_can_play_a_part_of_its_clip() {
    let (mut mixer, id) = playing(4.0, Play::default());
    mixer.get_mut(id).unwrap().set_range_secs(1.0, 2.0).unwrap();
    assert_eq!(time(&mixer, id), 1.0);
    assert_eq!(kinds(&mut mixer, 1.25), [EventKind::Looped { times: 1 }]);
    assert_eq!(time(&mixer, id), 1.25);
    mixer.get_mut(id).unwrap().set_range_secs(0.0, 4.0).unwrap();
    assert_eq!(time(&mixer, id), 1.25);
}

#[test]
fn a_pause_stops_the_clock_and_not_the_pose() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", 1.0, 4.0);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip, Play::default());
    mixer.advance(0.5);
    mixer.get_mut(id).unwrap().pause();
    mixer.advance(0.25);
    assert_eq!(shown(&skeleton, &mut mixer), 2.0);
    mixer.get_mut(id).unwrap().resume();
    mixer.advance(0.25);
    assert_eq!(shown(&skeleton, &mut mixer), 3.0);
}

#[test]
fn an_action_that_was_only_asked_for_does_not_play_until_it_is_resumed() {
    let skeleton = one_joint();
    let clip: Arc<Clip> = rise(&skeleton, "Rise", 1.0, 4.0);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.action(&clip);
    assert_eq!(kinds(&mut mixer, 0.5), []);
    assert_eq!((shown(&skeleton, &mut mixer), time(&mixer, id)), (0.0, 0.0));
    mixer.get_mut(id).unwrap().resume();
    mixer.advance(0.5);
    assert_eq!(shown(&skeleton, &mut mixer), 2.0);
}

#[test]
fn another_loop_mode_keeps_the_pose_and_ends_after_the_present_loop() {
    let (mut mixer, id) = playing(1.0, Play::default());
    mixer.advance(5.25);
    mixer.get_mut(id).unwrap().set_loop_mode(LoopMode::Once);
    assert_eq!(kinds(&mut mixer, 0.25), []);
    assert_eq!(time(&mixer, id), 0.5);
    assert_eq!(kinds(&mut mixer, 0.5), [EventKind::Finished]);

    // A ping-pong on its way back shows the same instant in any other mode.
    let (mut mixer, id) = playing(1.0, Play { loop_mode: LoopMode::PingPong, ..Play::default() });
    mixer.advance(1.25);
    assert_eq!(time(&mixer, id), 0.75);
    mixer.get_mut(id).unwrap().set_loop_mode(LoopMode::Repeat);
    assert_eq!(time(&mixer, id), 0.75);
    mixer.get_mut(id).unwrap().set_loop_mode(LoopMode::Repeat);
    assert_eq!(time(&mixer, id), 0.75);

    // Backwards the last loop comes first.
    mixer.get_mut(id).unwrap().set_speed(-1.0).unwrap();
    mixer.get_mut(id).unwrap().set_loop_mode(LoopMode::Times(2));
    assert_eq!(kinds(&mut mixer, 1.0), [EventKind::Looped { times: 1 }]);
    assert_eq!(kinds(&mut mixer, 1.0), [EventKind::Finished]);
}

proptest! {
    #![proptest_config(cases(500))]

    /// Ping-pong is a triangle wave, repeat a saw, in either direction and for any step.
    #[test]
    fn loops_are_waves_of_the_unwrapped_time(
        secs in 0.1_f32..5.0,
        speed in -5.0_f32..5.0,
        steps in prop::collection::vec(0.0_f32..20.0, 1..20),
    ) {
        let duration = f64::from(secs);
        for loop_mode in [LoopMode::Repeat, LoopMode::PingPong] {
            let (mut mixer, id) = playing(secs, Play { loop_mode, speed, ..Play::default() });
            let mut total = 0.0_f64;
            for step in &steps {
                mixer.advance(*step);
                total += f64::from(*step) * f64::from(speed);
            }
            let saw = total.rem_euclid(duration);
            let triangle = duration - (total.rem_euclid(2.0 * duration) - duration).abs();
            let shown = f64::from(mixer.get(id).unwrap().time_secs());
            let around = |a: f64, b: f64| (a - b).abs().min(duration - (a - b).abs());
            match loop_mode {
                LoopMode::Repeat => prop_assert!(around(shown, saw) < 1e-6, "{} {}", shown, saw),
                _ => prop_assert!((shown - triangle).abs() < 1e-6, "{} {}", shown, triangle),
            }
            prop_assert!((mixer.get(id).unwrap().unwrapped_secs() - total).abs() < 1e-9 * total.abs().max(1.0));
        }
    }
}
