//! Which markers a step tells: a table of the boundaries.

use std::sync::Arc;

use canter::{Clip, Fade, LoopMode, Marker, Mixer, Play};

use super::{lasting, marked, skeleton, told};

/// Plays a clip of a second in steps; what each of them tells, behind each other.
fn steps(markers: &[(&str, f32)], play: Play, steps: &[f32]) -> String {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&marked(&skeleton, 1.0, markers), play);
    let lines = steps.iter().map(|dt| {
        mixer.advance(*dt);
        told(&mixer).join(" ")
    });
    lines.collect::<Vec<_>>().join(" | ")
}

/// The markers, how they are played, the steps, and what these tell.
type Case<'a> = (&'a [(&'a str, f32)], Play, &'a [f32], &'a str);

fn backwards() -> Play {
    Play { speed: -1.0, ..Play::default() }
}

fn looped(loop_mode: LoopMode) -> Play {
    Play { loop_mode, ..Play::default() }
}

#[test]
fn each_boundary_is_told_once() {
    let once_back = || Play { speed: -1.0, ..Play::once() };
    let cases: Vec<Case<'_>> = vec![
        // At the start: with the first step, even if it takes no time; then once per loop.
        (&[("a", 0.0)], Play::default(), &[0.0, 0.0, 0.5, 0.5, 0.5], "a0 |  |  | a1 | "),
        (&[("a", 0.0)], Play::default(), &[0.25, 1.0], "a0 | a1"),
        // At the end: when it is reached.
        (&[("z", 1.0)], Play::default(), &[0.5, 0.5, 0.25, 1.0], " | z0 |  | z1"),
        // Both: the end before the start of the next loop, in the same step.
        (&[("a", 0.0), ("z", 1.0)], Play::default(), &[0.5, 0.5, 0.5, 0.5], "a0 | z0 a1 |  | z1 a2"),
        // A step ends exactly on a marker, the next begins there.
        (&[("m", 0.5)], Play::default(), &[0.5, 0.0, 0.25], "m0 |  | "),
        // Two at one time stay in their order, and turn it round backwards.
        (&[("m", 0.5), ("n", 0.5)], Play::default(), &[1.0], "m0 n0"),
        (&[("m", 0.5), ("n", 0.5)], backwards(), &[1.0], "n-1< m-1<"),
        // Backwards from the start: the end of the loop before is the same instant.
        (
            &[("a", 0.0), ("m", 0.25), ("z", 1.0)],
            backwards(),
            &[0.5, 0.25, 0.25],
            "a0< z-1< | m-1< | a-1< z-2<",
        ),
        // Once.
        (&[("a", 0.0), ("m", 0.5), ("z", 1.0)], Play::once(), &[0.5, 5.0, 5.0], "a0 m0 | z0 | "),
        (&[("a", 0.0), ("m", 0.5), ("z", 1.0)], once_back(), &[0.5, 5.0, 5.0], "z0< m0< | a0< | "),
        // Three times: no fourth start.
        (&[("a", 0.0), ("z", 1.0)], looped(LoopMode::Times(3)), &[9.0], "a0 z0 a1 z1 a2 z2"),
        // A ping-pong turns once.
        (&[("a", 0.0), ("z", 1.0)], looped(LoopMode::PingPong), &[1.0, 1.0, 0.5], "a0 z1< | a2 | "),
        (&[("m", 0.25)], looped(LoopMode::PingPong), &[4.0], "m0 m1< m2 m3<"),
        (&[("a", 0.0), ("z", 1.0)], looped(LoopMode::PingPong), &[0.5, 1.0, 1.0, 1.0], "a0 | z1< | a2 | z3<"),
        // Several loops in a step.
        (&[("a", 0.0), ("m", 0.5)], Play::default(), &[2.75], "a0 m0 a1 m1 a2 m2"),
        // No speed: only the instant that is shown.
        (&[("a", 0.0)], Play { speed: 0.0, ..Play::default() }, &[1.0, 1.0], "a0 | "),
        // Begun in the middle.
        (&[("m", 0.5)], Play { start_secs: Some(0.5), ..Play::default() }, &[0.25, 1.0], "m0 | m1"),
        (&[("m", 0.5)], Play { start_secs: Some(0.75), ..Play::default() }, &[0.5, 0.5], " | m1"),
    ];
    for (markers, play, dts, expected) in cases {
        let described = format!("{markers:?} {play:?} {dts:?}");
        assert_eq!(steps(markers, play, dts), expected, "{described}");
    }
}

#[test]
fn a_clip_without_length_tells_all_once() {
    let skeleton = skeleton();
    for loop_mode in [LoopMode::Repeat, LoopMode::Once, LoopMode::PingPong, LoopMode::Times(3)] {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(&marked(&skeleton, 0.0, &[("a", 0.0), ("b", 0.0)]), looped(loop_mode));
        mixer.advance(0.5);
        assert_eq!(told(&mixer), ["a0", "b0"], "{loop_mode:?}");
        mixer.advance(0.5);
        assert!(told(&mixer).is_empty(), "{loop_mode:?}");
    }
}

#[test]
fn a_speed_that_changes_in_mid_loop_turns_round_without_telling_twice() {
    let skeleton = skeleton();
    let clip = marked(&skeleton, 1.0, &[("a", 0.0), ("m", 0.5), ("z", 1.0)]);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip, Play::default());
    mixer.advance(0.5);
    assert_eq!(told(&mixer), ["a0", "m0"]);
    mixer.get_mut(id).unwrap().set_speed(-1.0).unwrap();
    mixer.advance(0.25);
    assert!(told(&mixer).is_empty(), "it left the marker backwards, and does not cross it");
    mixer.get_mut(id).unwrap().set_speed(2.0).unwrap();
    mixer.advance(0.375);
    assert_eq!(told(&mixer), ["m0", "z0", "a1"]);
    mixer.get_mut(id).unwrap().set_speed(-1.0).unwrap();
    mixer.advance(0.25);
    assert!(told(&mixer).is_empty(), "it left the seam backwards: {:?}", told(&mixer));
}

#[test]
fn what_is_paused_tells_nothing() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&marked(&skeleton, 1.0, &[("a", 0.0), ("m", 0.5)]), Play::default());
    mixer.get_mut(id).unwrap().pause();
    mixer.advance(2.0);
    assert!(told(&mixer).is_empty());
    mixer.get_mut(id).unwrap().resume();
    mixer.advance(0.75);
    assert_eq!(told(&mixer), ["a0", "m0"]);
}

#[test]
fn seek_is_silent_and_scrub_tells() {
    let skeleton = skeleton();
    let clip = marked(&skeleton, 1.0, &[("a", 0.0), ("m", 0.5), ("n", 0.75)]);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip, Play::default());
    mixer.advance(0.25);
    mixer.get_mut(id).unwrap().seek(0.625).unwrap();
    mixer.advance(0.0);
    assert!(told(&mixer).is_empty());
    // What lies at the very time that was sought is shown, and told.
    mixer.get_mut(id).unwrap().seek(0.75).unwrap();
    mixer.advance(0.125);
    assert_eq!(told(&mixer), ["n0"]);
    mixer.get_mut(id).unwrap().scrub(0.25).unwrap();
    mixer.get_mut(id).unwrap().scrub(0.5).unwrap();
    assert_eq!(told(&mixer), ["n0"], "of the step before, until the next one");
    mixer.advance(0.0);
    assert_eq!(told(&mixer), ["n0<", "m0<", "m0"]);
    mixer.advance(0.0);
    assert!(told(&mixer).is_empty());
    assert!(mixer.get_mut(id).unwrap().scrub(f32::NAN).is_err());
}

#[test]
fn scrubbing_stays_in_its_loop() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&marked(&skeleton, 1.0, &[("m", 0.5)]), Play::default());
    mixer.advance(2.25);
    mixer.get_mut(id).unwrap().scrub(0.75).unwrap();
    mixer.advance(0.0);
    assert_eq!((told(&mixer), mixer.get(id).unwrap().loops()), (vec!["m2".to_owned()], 2));
}

#[test]
fn seconds_ago_are_those_of_the_step() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let play = Play { speed: 2.0, ..Play::default() };
    mixer.play(&marked(&skeleton, 1.0, &[("a", 0.0), ("m", 0.5)]), play);
    mixer.set_speed(0.5);
    mixer.advance(1.25);
    let ago: Vec<f32> = mixer.markers().map(|event| event.secs_ago).collect();
    assert_eq!(ago, [1.25, 0.75, 0.25]);
    // An end that comes early: what was before it is that long ago.
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&marked(&skeleton, 1.0, &[("m", 0.5), ("z", 1.0)]), Play::once());
    mixer.advance(3.0);
    let ago: Vec<f32> = mixer.markers().map(|event| event.secs_ago).collect();
    assert_eq!(ago, [2.5, 2.0]);
}

#[test]
fn a_part_of_a_clip_tells_what_lies_in_it() {
    let skeleton = skeleton();
    let clip = marked(&skeleton, 1.0, &[("a", 0.0), ("b", 0.25), ("m", 0.5), ("e", 0.75), ("z", 1.0)]);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip, Play::default());
    mixer.get_mut(id).unwrap().set_range_secs(0.25, 0.75).unwrap();
    mixer.advance(1.0);
    assert_eq!(told(&mixer), ["b0", "m0", "e0", "b1", "m1", "e1", "b2"]);
}

#[test]
fn markers_of_several_actions_come_in_the_order_of_time() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    for number in 0..12_u8 {
        let at = f32::from((number * 5) % 12) / 16.0;
        let name = format!("n{number:02}");
        mixer.play(&marked(&skeleton, 1.0, &[(&name, at)]), Play::default());
    }
    mixer.advance(3.0);
    let events: Vec<_> = mixer.markers().collect();
    assert_eq!(events.len(), 37);
    assert!(events.is_sorted_by(|a, b| a.secs_ago >= b.secs_ago));
    assert_eq!(&*events[0].name, "n00");
}

#[test]
fn a_step_over_a_thousand_loops_tells_a_thousand_times() {
    let skeleton = skeleton();
    let clip = marked(&skeleton, 0.25, &[("a", 0.0), ("m", 0.125)]);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&clip, Play::default());
    mixer.play(&marked(&skeleton, 0.5, &[("other", 0.25)]), Play::default());
    mixer.advance(250.0625);
    assert_eq!(mixer.markers().count(), 1001 + 1000 + 500);
    // A million of loops cost no more than is asked for.
    mixer.advance(1e9);
    assert_eq!(mixer.markers().take(3).count(), 3);
}

#[test]
fn an_action_that_is_faded_out_tells_what_it_crossed_until_then() {
    let skeleton = skeleton();
    let clip = marked(&skeleton, 1.0, &[("b", 0.25), ("m", 0.5), ("e", 0.75)]);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip, Play::default());
    mixer.play(&Arc::new(lasting(&skeleton, "Other", 1.0)), Play::default());
    mixer.fade_out(id, 0.5).unwrap();
    mixer.advance(10.0);
    let events: Vec<_> = mixer.markers().map(|event| (event.name.to_string(), event.weight)).collect();
    assert_eq!(events.len(), 2, "{events:?}");
    let ago: Vec<f32> = mixer.markers().map(|event| event.secs_ago).collect();
    assert_eq!(ago, [9.75, 9.5]);
    assert!((events[0].1 - 0.25).abs() < 1e-6 && events[1].1 < 1e-6, "{events:?}");
    assert_eq!(mixer.markers().above(0.1).count(), 1);
}

#[test]
fn a_cut_tells_nothing_of_what_was_cut() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&marked(&skeleton, 1.0, &[("m", 0.5)]), Play::default());
    mixer.advance(0.25);
    mixer.crossfade_to(&marked(&skeleton, 1.0, &[("n", 0.5)]), Fade::default());
    mixer.advance(0.75);
    assert_eq!(told(&mixer), ["n0"]);
}

#[test]
fn a_refused_step_tells_nothing() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&marked(&skeleton, 1.0, &[("a", 0.0)]), Play::default());
    mixer.advance(0.5);
    mixer.advance(f32::NAN);
    assert!(told(&mixer).is_empty());
    assert_eq!(mixer.root_motion(), canter::RootStep::default());
}

#[test]
fn the_body_of_the_loop_may_use_the_mixer() {
    let skeleton = skeleton();
    let clip = marked(&skeleton, 1.0, &[("a", 0.0), ("m", 0.5)]);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&clip, Play::default());
    mixer.advance(0.75);
    for event in mixer.markers() {
        mixer.stop(event.action);
        mixer.play(&clip, Play::default());
        mixer.advance(0.0);
    }
    assert_eq!(told(&mixer), ["a0"]);
}

#[test]
fn markers_that_cannot_be_are_refused_by_name() {
    let skeleton = skeleton();
    let refused = |marker: Marker| {
        let clip: Clip = lasting(&skeleton, "Walk", 1.0);
        clip.with_markers([marker]).unwrap_err().to_string()
    };
    assert_eq!(
        refused(Marker::new("late", 1.5)),
        "clip \"Walk\", marker \"late\": it is at 1.5 s; expected a time from 0 to 1 s, the clip's length"
    );
    assert!(refused(Marker::new("never", f32::NAN)).contains("it is at NaN s"));
    assert!(
        refused(Marker::window("odd", 0.0, -1.0)).contains("it lasts -1 s; expected a finite number from 0")
    );
    let many = (0..65).map(|_| Marker::window("many", 0.0, 0.5));
    let error = lasting(&skeleton, "Walk", 1.0).with_markers(many).unwrap_err();
    assert_eq!(error.to_string(), "clip \"Walk\", all markers: there are 65 windows; expected at most 64");
}

#[test]
fn a_loop_before_the_end_of_a_fade_is_told_when_it_was() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let play = Play { start_secs: Some(0.75), ..Play::default() };
    let action = mixer.play(&marked(&skeleton, 1.0, &[("m", 0.1)]), play);
    mixer.fade_out(action, 0.5);
    // It loops after 0.25 s and is gone after 0.5 s.
    let ago: Vec<_> = mixer.advance(0.75).map(|event| event.secs_ago).collect();
    assert_eq!(ago, [0.5, 0.25]);
}
