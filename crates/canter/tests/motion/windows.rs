//! Windows are entered and left in turns, and never stay open.

use std::sync::Arc;

use canter::{Clip, LoopMode, Marker, Mixer, Play};

use super::{lasting, skeleton, told};

fn clip(windows: &[(&str, f32, f32)]) -> Arc<Clip> {
    let skeleton = skeleton();
    let windows = windows.iter().map(|(name, from, length)| Marker::window(*name, *from, *length));
    Arc::new(lasting(&skeleton, "Windows", 1.0).with_markers(windows).unwrap())
}

fn steps(windows: &[(&str, f32, f32)], play: Play, steps: &[f32]) -> String {
    let mut mixer = Mixer::new(&skeleton());
    mixer.play(&clip(windows), play);
    let lines = steps.iter().map(|dt| {
        mixer.advance(*dt);
        told(&mixer).join(" ")
    });
    lines.collect::<Vec<_>>().join(" | ")
}

/// The windows, how they are played, the steps, and what these tell.
type Case<'a> = (&'a [(&'a str, f32, f32)], Play, &'a [f32], &'a str);

#[test]
fn a_window_is_entered_and_left_once_per_pass() {
    let repeat = Play::default;
    let back = || Play { speed: -1.0, ..Play::default() };
    let ping_pong = || Play { loop_mode: LoopMode::PingPong, ..Play::default() };
    let cases: Vec<Case<'_>> = vec![
        (&[("w", 0.25, 0.5)], repeat(), &[0.5, 0.5, 1.0], "+w0 | -w0 | +w1 -w1"),
        // It begins where it ends up.
        (&[("w", 0.25, 0.5)], repeat(), &[0.25, 0.5, 0.25], "+w0 | -w0 | "),
        (&[("w", 0.0, 0.5)], repeat(), &[0.0, 0.5, 0.5], "+w0 | -w0 | +w1"),
        // The whole clip: left and entered at the seam.
        (&[("w", 0.0, 1.0)], repeat(), &[0.5, 1.0], "+w0 | -w0 +w1"),
        (&[("w", 0.5, 9.0)], repeat(), &[0.75, 0.5], "+w0 | -w0"),
        // One ends where the next begins.
        (&[("v", 0.0, 0.5), ("w", 0.5, 0.5)], repeat(), &[1.25], "+v0 -v0 +w0 -w0 +v1"),
        (&[("v", 0.0, 0.5), ("w", 0.5, 0.5)], back(), &[0.75], "+w-1< -w-1< +v-1<"),
        (&[("w", 0.25, 0.5)], back(), &[0.5, 0.5], "+w-1< | -w-1<"),
        // Where a ping-pong turns, it stays in.
        (&[("w", 0.5, 0.5)], ping_pong(), &[1.0, 0.25, 0.5, 1.0], "+w0 |  | -w1< | +w2"),
        (&[("w", 0.0, 0.25)], ping_pong(), &[3.0], "+w0 -w0 +w1< -w2"),
        // The end of a clip that is played once is the end of its windows.
        (&[("w", 0.5, 0.5)], Play::once(), &[0.75, 5.0, 5.0], "+w0 | -w0 | "),
        // Begun in the midst of one.
        (&[("w", 0.25, 0.5)], Play { start_secs: Some(0.5), ..repeat() }, &[0.0, 0.5], "+w0 | -w0"),
    ];
    for (windows, play, dts, expected) in cases {
        let described = format!("{windows:?} {play:?} {dts:?}");
        assert_eq!(steps(windows, play, dts), expected, "{described}");
    }
}

#[test]
fn an_action_that_ends_leaves_its_windows() {
    let skeleton = skeleton();
    let clip = clip(&[("w", 0.25, 0.5)]);
    let ends: [fn(&mut Mixer, canter::ActionId); 4] = [
        |mixer, id| mixer.stop(id).unwrap(),
        |mixer, _| mixer.stop_all(),
        |mixer, id| mixer.fade_out(id, 0.125).unwrap(),
        |mixer, id| mixer.fade_out(id, 0.0).unwrap(),
    ];
    for end in ends {
        let mut mixer = Mixer::new(&skeleton);
        let id = mixer.play(&clip, Play::default());
        mixer.advance(0.5);
        assert_eq!(told(&mixer), ["+w0"]);
        end(&mut mixer, id);
        mixer.advance(0.125);
        assert_eq!(told(&mixer), ["-w0"]);
        mixer.advance(5.0);
        assert!(told(&mixer).is_empty());
    }
}

#[test]
fn a_layer_that_is_removed_leaves_its_windows() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let layer = mixer.add_layer(canter::Layer::new(canter::LayerMode::Over));
    mixer.layer_mut(layer).unwrap().play(&clip(&[("w", 0.25, 0.5)]), Play::default()).unwrap();
    mixer.advance(0.5);
    mixer.remove_layer(layer).unwrap();
    mixer.advance(0.1);
    assert_eq!(told(&mixer), ["-w0"]);
}

#[test]
fn after_a_seek_what_is_open_is_what_the_instant_lies_in() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip(&[("v", 0.0, 0.25), ("w", 0.5, 0.25)]), Play::default());
    mixer.advance(0.125);
    assert_eq!(told(&mixer), ["+v0"]);
    mixer.get_mut(id).unwrap().seek(0.625).unwrap();
    mixer.advance(0.0);
    assert_eq!(told(&mixer), ["-v0", "+w0"]);
    mixer.get_mut(id).unwrap().seek(0.875).unwrap();
    mixer.advance(0.0);
    assert_eq!(told(&mixer), ["-w0"]);
}

#[test]
fn turning_round_on_an_edge_leaves_and_enters() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip(&[("w", 0.25, 0.5)]), Play::default());
    let mut go = |speed: f32, dt: f32| {
        mixer.get_mut(id).unwrap().set_speed(speed).unwrap();
        mixer.advance(dt);
        told(&mixer)
    };
    assert_eq!(go(1.0, 0.25), ["+w0"]);
    assert_eq!(go(-1.0, 0.125), ["-w0<"]);
    assert_eq!(go(1.0, 0.625), ["+w0", "-w0"]);
    assert_eq!(go(-1.0, 0.25), ["+w0<"]);
}

#[test]
fn windows_are_cut_off_by_the_part_that_is_played() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip(&[("w", 0.25, 0.5), ("out", 0.75, 0.25)]), Play::default());
    mixer.get_mut(id).unwrap().set_range_secs(0.0, 0.5).unwrap();
    mixer.advance(0.75);
    assert_eq!(told(&mixer), ["+w0", "-w0", "+w1"]);
    mixer.advance(0.375);
    assert_eq!(told(&mixer), ["-w1"]);
    // A part in the midst of it: the whole loop lies within.
    mixer.get_mut(id).unwrap().set_range_secs(0.375, 0.625).unwrap();
    mixer.advance(0.5);
    assert_eq!(told(&mixer), ["+w0", "-w0", "+w1", "-w1", "+w2"]);
}

/// Found by operations at random: nothing is ever crossed, in a step over more loops than can be counted.
#[test]
fn a_ping_pong_that_never_leaves_its_window_does_not_look_for_its_end() {
    let skeleton = skeleton();
    let mut mixer = Mixer::new(&skeleton);
    let play = Play { loop_mode: LoopMode::PingPong, speed: 1e18, ..Play::default() };
    mixer.play(&clip(&[("w", 0.0, 1.0)]), play);
    mixer.advance(1.0);
    assert_eq!(told(&mixer), ["+w0"]);
    mixer.advance(1e9);
    assert!(told(&mixer).is_empty());
}
