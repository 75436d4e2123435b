//! Contact sheets to look at: `CANTER_FILMS=folder cargo test -p canter-view film -- --ignored`.

use canter::glam::DVec3;
use canter_graph::{GraphData, LayerData, Value};

use super::bench::asset;
use super::studio::{Studio, folder, save, sheet};
use crate::session::many_states;
use crate::window::panels::Chosen;
use crate::window::stage::Handle;

/// The hero walks over the grid, and runs after two seconds: twelve pictures of four seconds, as a machine
/// shows them that draws so many a second.
#[test]
#[ignore = "draws pictures to look at"]
fn film_of_a_walk_that_becomes_a_run() {
    let Some(folder) = folder() else { return };
    for rate in [60_u16, 5] {
        let Some(mut studio) = Studio::new([540.0, 300.0]) else { return };
        let session = &mut studio.bench.view.session;
        session.fade_secs = 0.0;
        session.fade_to("WalkRoot").unwrap();
        session.fade_secs = 0.4;
        session.set_in_step(true);
        session.set_travels(true);
        studio.bench.view.follows = false;
        let orbit = &mut studio.bench.view.orbit;
        (orbit.target, orbit.distance) = (DVec3::new(0.0, 0.2, 3.6), 7.2);
        (orbit.yaw, orbit.pitch) = (1.45, 0.62);
        studio.bench.view.wants_frame = false;
        let mut pictures = Vec::new();
        for frame in 1..=4 * rate {
            if frame == 2 * rate + 1 {
                studio.bench.view.session.fade_to("RunRoot").unwrap();
            }
            studio.advance(1.0 / f32::from(rate));
            // At 5 frames a second all of them around the change; at 60 the same instants.
            let fifth = rate / 5;
            if frame % fifth == 0 && (frame > 3 * rate / 2 || frame % (2 * fifth) == 0) {
                pictures.push(studio.picture());
            }
        }
        save(&folder.join(format!("walk-to-run-{rate}.png")), &sheet(&pictures, 3));
    }
}

/// The diagram of a graph with 5 and with 40 states, light and dark.
#[test]
#[ignore = "draws pictures to look at"]
fn film_of_diagrams() {
    let Some(folder) = folder() else { return };
    for count in [0, 5, 40] {
        for is_dark in [false, true] {
            let Some(mut studio) = Studio::new([1280.0, 800.0]) else { return };
            let view = &mut studio.bench.view;
            view.is_dark = is_dark;
            if count == 0 {
                assert!(view.session.open_graph(&asset("hero.graph.json")));
                view.session.set_parameter(1, Value::Float(0.9));
                view.session.set_parameter(0, Value::Float(0.3));
            } else {
                let layers = vec![LayerData::new("body", many_states(count))];
                view.session.use_graph(GraphData { layers, ..GraphData::default() }, "many").unwrap();
            }
            view.session.toggle();
            for _ in 0..60 {
                studio.advance(1.0 / 60.0);
            }
            studio.bench.view.session.set_parameter(3, Value::Trigger(true));
            for _ in 0..if count == 0 { 4 } else { 6 } {
                studio.advance(1.0 / 60.0);
            }
            let theme = if is_dark { "dark" } else { "light" };
            save(&folder.join(format!("graph-{count}-{theme}.png")), &studio.picture());
            if count == 0 {
                studio.bench.view.graph.chosen = Some(Chosen::State(0));
                save(&folder.join(format!("graph-state-{theme}.png")), &studio.picture());
                studio.bench.view.graph.chosen = Some(Chosen::Transition(2));
                save(&folder.join(format!("graph-transition-{theme}.png")), &studio.picture());
            }
        }
    }
}

/// Up the stairs and down the slope, from the side.
#[test]
#[ignore = "draws pictures to look at"]
fn film_of_stairs() {
    let Some(folder) = folder() else { return };
    let Some(mut studio) = Studio::new([540.0, 300.0]) else { return };
    let session = &mut studio.bench.view.session;
    session.fade_secs = 0.0;
    session.fade_to("WalkRoot").unwrap();
    session.set_travels(true);
    session.set_stairs(true);
    let orbit = &mut studio.bench.view.orbit;
    (orbit.target, orbit.distance, orbit.yaw, orbit.pitch) = (DVec3::new(0.0, 1.1, 0.0), 4.4, 1.5, 0.12);
    studio.bench.view.wants_frame = false;
    studio.bench.view.overlays.way = false;
    let mut pictures = Vec::new();
    for frame in 1..=660 {
        studio.advance(1.0 / 60.0);
        let is_shown = frame % 12 == 0 && (120..=250).contains(&frame) || frame % 24 == 0 && frame > 370;
        if is_shown {
            studio.bench.view.follow();
            pictures.push(studio.picture());
        }
    }
    save(&folder.join("stairs.png"), &sheet(&pictures, 4));
}

/// A hand that is dragged, a look, a spring, the mirror.
#[test]
#[ignore = "draws pictures to look at"]
fn film_of_handles() {
    let Some(folder) = folder() else { return };
    let Some(mut studio) = Studio::new([1280.0, 800.0]) else { return };
    let view = &mut studio.bench.view;
    view.overlays.handles = true;
    view.session.fade_to("Idle").unwrap();
    view.session.toggle();
    let head = view.session.joint_place(view.session.head().unwrap());
    for index in 0..view.session.limbs().len() {
        if view.session.limbs()[index].name() == "hand_R" {
            view.session.set_limb_target(index, Some(head + DVec3::new(-0.45, 0.25, 0.1)));
            view.chosen_handle = Some(Handle::Limb(index));
        }
        if view.session.limbs()[index].name() == "foot_L" {
            let place = view.session.joint_place(view.session.limbs()[index].end());
            view.session.set_limb_target(index, Some(place + DVec3::new(0.1, 0.25, 0.3)));
        }
    }
    view.session.look_towards(Some(head + DVec3::new(-0.5, 0.2, 0.5)));
    save(&folder.join("handles.png"), &studio.picture());
    studio.bench.view.session.set_mirrored(true);
    studio.bench.view.is_dark = true;
    studio.advance(0.5);
    save(&folder.join("handles-mirror.png"), &studio.picture());
}
