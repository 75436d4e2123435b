mod bench;
mod film;
mod graph;
mod studio;

use std::time::Duration;

use egui::{Event, Key, Modifiers, PointerButton, RawInput, pos2, vec2};

use bench::{Bench, asset};

#[test]
fn a_dropped_file_is_shown_and_a_broken_one_is_not() {
    let mut bench = Bench::new();
    bench.drop(asset("README.md"));
    assert!(bench.view.session.error().is_some());
    assert_eq!(bench.view.session.name(), "hero.glb");
    bench.key(Key::Escape);
    assert!(bench.view.session.error().is_none());
    bench.drop(asset("nothing.glb"));
    assert!(bench.view.session.error().is_some());
    bench.drop(asset("sword.glb"));
    assert_eq!(bench.view.title(), "sword.glb - Canter");
    assert!(bench.view.session.error().is_none());
}

#[test]
fn keys_do_what_the_help_sheet_says() {
    let mut bench = Bench::new();
    assert_eq!(bench.view.title(), "hero.glb · Walk at 0.00 s - Canter");
    bench.key(Key::ArrowRight);
    assert_eq!(bench.view.title(), "hero.glb · Walk at 0.03 s - Canter");
    bench.key(Key::Num6);
    assert_eq!(bench.view.title(), "hero.glb · Jump - Canter");
    bench.key(Key::Space);
    assert!(!bench.view.session.is_playing());
    for key in [Key::K, Key::B, Key::N, Key::G, Key::T, Key::H, Key::S, Key::W] {
        bench.key(key);
    }
    let overlays = bench.view.overlays;
    assert!(overlays.skeleton && overlays.bounds && overlays.normals && !overlays.ground);
    assert!(bench.view.is_dark && bench.view.shows_help && bench.view.session.shows_weights());
    assert_eq!(bench.view.session.held().len(), 1);
    bench.key(Key::Escape);
    assert!(!bench.view.shows_help && !bench.view.wants_exit);
    bench.key(Key::O);
    assert!(bench.view.dialog.is_some());
    bench.key(Key::Q);
    assert!(!bench.view.wants_exit, "a dialog has keys of its own");
    bench.key(Key::Escape);
    bench.key(Key::Q);
    assert!(bench.view.dialog.is_none() && bench.view.wants_exit);
}

#[test]
fn a_click_on_the_figure_picks_a_joint_and_one_beside_it_lets_go() {
    let mut bench = Bench::new();
    bench.click(pos2(440.0, 260.0));
    let joint = bench.view.session.picked().expect("the hero is in the middle");
    assert!(bench.view.title().ends_with(&format!(" · {} - Canter", bench.view.joint_name(joint))));
    bench.click(pos2(250.0, 80.0));
    assert_eq!(bench.view.session.picked(), None);
}

#[test]
fn a_layer_is_added_by_the_panel_and_colours_the_joints() {
    let mut bench = Bench::new();
    bench.size = vec2(1200.0, 1000.0);
    let spine = bench.view.session.model().asset.skeleton.joint("spine");
    bench.view.session.pick(spine);
    bench.view.session.add_layer(canter::LayerMode::Over);
    bench.view.session.add_layer(canter::LayerMode::Additive);
    assert!(bench.view.session.play_on_layer(0, 4) && bench.view.session.play_on_layer(1, 0));
    for shown in [Some(0), Some(1), Some(7), None] {
        bench.view.shown_layer = shown;
        bench.frame(RawInput::default());
    }
    assert_eq!(bench.view.session.layers()[0].settings().top, spine);
    // Another file has no layers.
    bench.view.shown_layer = Some(1);
    bench.drop(asset("hero.glb"));
    assert!(bench.view.shown_layer.is_none() && bench.view.session.layers().is_empty());
}

#[test]
fn every_size_of_a_window_can_be_shown() {
    let mut bench = Bench::new();
    for size in [[0.0, 0.0], [1.0, 1.0], [5000.0, 3.0], [2.0, 400.0], [560.0, 320.0], [900.0, 600.0]] {
        bench.size = size.into();
        bench.view.wants_frame = true;
        bench.frame(RawInput::default());
        assert!(bench.view.orbit.camera().eye.is_finite(), "{size:?}");
    }
}

#[test]
fn slow_frames_keep_the_true_speed_and_a_window_that_was_away_does_not_jump() {
    for (away_secs, steps_secs) in [(0.2, 0.2..=0.25), (5.0, 0.25..=0.25)] {
        let mut bench = Bench::new();
        bench.view.session.toggle();
        bench.view.last_frame -= Duration::from_secs_f64(away_secs);
        bench.frame(RawInput::default());
        let time_secs = bench.view.session.action().expect("he walks").time_secs();
        assert!(steps_secs.contains(&time_secs), "{away_secs} s became {time_secs} s");
    }
}

#[test]
fn markers_are_added_and_dragged_on_the_timeline() {
    let mut bench = Bench::new();
    // The lane is the lowest strip of the window; the clip of one second is 864 points wide.
    let at = |secs: f32| pos2(18.0 + 864.0 * secs, 583.0);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    bench.click(at(0.25));
    assert!((bench.view.session.action().unwrap().time_secs() - 0.25).abs() < 0.01);
    bench.click(at(0.25));
    let markers = |bench: &Bench| -> Vec<(String, f32)> {
        let markers = bench.view.session.markers().iter();
        markers.map(|marker| (marker.name.to_string(), (100.0 * marker.secs).round())).collect()
    };
    let expected = |secs: f32| {
        [("foot_L", 0.0), ("marker", secs), ("foot_R", 50.0)].map(|(name, secs)| (name.to_owned(), secs))
    };
    assert_eq!(markers(&bench), expected(25.0), "a double click adds one");
    assert_eq!(bench.view.session.chosen_marker(), Some(1));

    bench.events(vec![Event::PointerMoved(at(0.25)), button(at(0.25), true)]);
    for secs in [0.3, 0.35, 0.4] {
        bench.events(vec![Event::PointerMoved(at(secs))]);
    }
    bench.events(vec![button(at(0.4), false)]);
    assert_eq!(markers(&bench), expected(40.0), "a drag moves it");
    assert!((bench.view.session.action().unwrap().time_secs() - 0.25).abs() < 0.01, "and not the time");
    bench.key(Key::Delete);
    assert_eq!(bench.view.session.markers().len(), 2);
}

#[test]
fn the_camera_follows_a_figure_that_travels_if_it_should() {
    for follows in [true, false] {
        let mut bench = Bench::new();
        bench.view.follows = follows;
        let before = bench.view.orbit.target;
        bench.view.session.fade_to("RunRoot").expect("the hero runs");
        bench.key(Key::M);
        bench.view.session.advance(2.0);
        bench.view.session.toggle();
        bench.frame(RawInput::default());
        let moved = bench.view.orbit.target - before;
        let place = bench.view.session.place();
        assert!(place.z > 4.0);
        let expected = if follows { place } else { canter::glam::DVec3::ZERO };
        assert!(moved.distance(expected) < 1e-6, "{moved} {place}");
    }
}
