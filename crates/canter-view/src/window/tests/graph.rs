//! Graphs and handles in the window.

use canter::glam::DVec3;
use canter_graph::Value;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, pos2, vec2};

use super::bench::{Bench, asset};
use crate::session::{GraphEdit, MachinePath, many_states};
use crate::window::panels::Chosen;

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.size = vec2(1280.0, 900.0);
    bench.frame(RawInput::default());
    bench
}

fn drag(bench: &mut Bench, from: Pos2, to: Pos2) {
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    bench.events(vec![Event::PointerMoved(from)]);
    bench.events(vec![button(from, true)]);
    for part in 1_u8..=4 {
        bench.events(vec![Event::PointerMoved(from + (to - from) * (f32::from(part) / 4.0))]);
    }
    bench.events(vec![button(to, false)]);
}

#[test]
fn a_dropped_graph_runs_and_its_parts_are_shown_and_removed() {
    let mut bench = bench();
    bench.drop(asset("hero.graph.json"));
    assert!(bench.view.session.runs_graph(), "{:?}", bench.view.session.error());
    assert_eq!(bench.view.title(), "hero.glb · Move - Canter");
    for chosen in
        [Some(Chosen::State(0)), Some(Chosen::State(3)), Some(Chosen::Transition(2)), Some(Chosen::State(99))]
    {
        bench.view.graph.chosen = chosen;
        bench.frame(RawInput::default());
    }
    for layer in [1, 2, 7] {
        bench.view.graph.enter(MachinePath::of_layer(layer));
        bench.frame(RawInput::default());
    }
    assert_eq!(bench.view.graph.path.layer, 0, "there are three layers");
    bench.view.graph.chosen = Some(Chosen::State(3));
    bench.key(Key::Delete);
    let states = |bench: &Bench| bench.view.session.graph().unwrap().data().layers[0].machine.states.len();
    assert_eq!((states(&bench), bench.view.graph.chosen), (3, None));
    assert!(bench.view.session.undo_graph());
    assert_eq!(states(&bench), 4);
    bench.key(Key::D);
    assert!(bench.view.graph.is_hidden);
    // A number plays a clip by hand; a file that is no graph changes nothing.
    bench.key(Key::Num3);
    assert!(!bench.view.session.runs_graph());
    bench.drop(asset("../Cargo.lock"));
    assert!(bench.view.session.error().is_some());
}

#[test]
fn many_states_and_every_size_can_be_shown_and_states_are_dragged() {
    let mut bench = bench();
    let layers = vec![canter_graph::LayerData::new("body", many_states(40))];
    let data = canter_graph::GraphData { layers, ..canter_graph::GraphData::default() };
    bench.view.session.use_graph(data, "many").unwrap();
    for size in [[1280.0, 900.0], [600.0, 430.0], [3.0, 2000.0], [1280.0, 900.0]] {
        bench.size = size.into();
        bench.frame(RawInput::default());
        bench.frame(RawInput::default());
    }
    // Somewhere on the paper there is a state: a drag over it moves one and writes down where all are.
    let is_placed = |bench: &Bench| {
        let machine = &bench.view.session.graph().unwrap().data().layers[0].machine;
        machine.states.iter().all(|state| state.position.is_some())
    };
    assert!(!is_placed(&bench));
    let mut y = 560.0;
    while y < 880.0 && !is_placed(&bench) {
        drag(&mut bench, pos2(560.0, y), pos2(570.0, y + 6.0));
        y += 13.0;
    }
    assert!(is_placed(&bench));
    let path = MachinePath::of_layer(0);
    assert!(bench.view.session.edit_graph(&path, GraphEdit::RemoveState(39)));
    assert!(!bench.view.session.set_parameter(0, Value::Float(1.0)));
}

#[test]
fn a_hand_follows_its_handle_and_the_camera_stays() {
    let mut bench = bench();
    bench.key(Key::I);
    let index = bench.view.session.limbs().iter().position(|limb| limb.name() == "hand_R").unwrap();
    let hand = bench.view.session.limbs()[index].end();
    let before = bench.view.session.joint_place(hand);
    let orbit = bench.view.orbit;
    let at = bench.view.seen_at(before).expect("the hand is seen");
    drag(&mut bench, at, at + vec2(-30.0, -40.0));
    let target = bench.view.session.limb_target(index).expect("it is dragged");
    assert!(target.y > before.y + 0.02, "{before} {target}");
    assert!(bench.view.session.joint_place(hand).distance(target) < 1e-3);
    assert_eq!(bench.view.orbit, orbit);
    let seen = bench.view.seen_at(target).unwrap();
    assert!(seen.distance(at + vec2(-30.0, -40.0)) < 2.0, "it is below the pointer: {seen}");
    // A double click lets go.
    bench.click(seen);
    bench.click(seen);
    assert_eq!(bench.view.session.limb_target(index), None);
    assert!(bench.view.session.joint_place(hand).distance(before) < 1e-5);
}

#[test]
fn keys_switch_what_corrects_the_pose() {
    let mut bench = bench();
    bench.key(Key::E);
    bench.key(Key::X);
    bench.key(Key::L);
    bench.events(vec![Event::PointerMoved(pos2(500.0, 200.0))]);
    let session = &bench.view.session;
    assert!(session.has_stairs() && session.is_mirrored() && session.look_target().is_some());
    assert!(session.look_target().is_some_and(DVec3::is_finite));
    for key in [Key::E, Key::X, Key::L] {
        bench.key(key);
    }
    let session = &bench.view.session;
    assert!(!session.has_stairs() && !session.is_mirrored() && session.look_target().is_none());
}
