//! Layers, nested machines, and states that are stored.

use canter::{Mixer, MixerState};
use canter_graph::{AmountData, LayerData, MachineData, MaskData, StateData, TransitionData};

use crate::world::{World, assert_near, clips, cut, graph, set, skeleton, states};

#[test]
fn e39_a_layer_without_weight_still_runs_and_its_markers_weigh_nothing() {
    let mut data = graph(states(&["A"]), vec![]);
    let machine = MachineData::new(states(&["B", "C"]), vec![cut("B", "C").exit_time(1.0)]);
    let weight = AmountData::Parameter("x".to_owned());
    data.layers.push(LayerData { weight, ..LayerData::new("upper", machine) });
    let mut world = World::new(data);
    let mut weights = Vec::new();
    let World { graph, state, parameters, mixer, .. } = &mut world;
    graph.update_telling(state, parameters, 1.25, mixer, |mixer, _| {
        let of_b = mixer.markers().filter(|marker| marker.clip.name() == "B");
        weights.extend(of_b.map(|marker| marker.weight));
    });
    assert_eq!((world.at_layer(1), weights), ("C", vec![0.0]));
    assert_near(world.height().into(), 0.25);
    world.set("x", 1.0);
    world.update(0.0);
    assert_near(world.height().into(), 20.25);
}

#[test]
fn e40_a_layer_with_an_empty_mask_changes_nothing() {
    let mut data = graph(states(&["A"]), vec![]);
    let mut alone = World::new(data.clone());
    let machine = MachineData::new(states(&["B"]), vec![]);
    data.layers.push(LayerData { mask: Some(MaskData::default()), ..LayerData::new("upper", machine) });
    let mut world = World::new(data);
    for _ in 0..5 {
        alone.update(0.13);
        world.update(0.13);
        assert_eq!(alone.height().to_bits(), world.height().to_bits());
    }
}

/// `S` holds a machine of `B` and `C`; `go` leads to it and from `B` to `C`, `back` out of it.
fn nested(keep: bool) -> World {
    let mut inner = MachineData::new(states(&["B", "C"]), vec![cut("B", "C").exit_time(0.5)]);
    inner.keep = keep;
    let states = vec![StateData::new("A", "A"), StateData::new("S", inner)];
    World::new(graph(states, vec![cut("A", "S").when(set("go")), cut("S", "A").when(set("back"))]))
}

#[test]
fn e41_a_nested_machine_restarts_at_its_entry_unless_it_keeps_its_state() {
    for (keep, expected) in [(false, "S/B"), (true, "S/C")] {
        let mut world = nested(keep);
        world.set("go", true);
        world.update(0.6);
        assert_eq!(world.at(), "S/C");
        assert_eq!(world.told(), ["leave A", "enter S", "enter S/B", "leave S/B", "enter S/C"]);
        assert_near(world.height().into(), 20.1);
        world.set("go", false);
        world.set("back", true);
        world.update(0.1);
        assert_eq!(world.at(), "A");
        world.set("back", false);
        world.set("go", true);
        world.update(0.1);
        assert_eq!(world.at(), expected);
    }
}

#[test]
fn e42_at_its_exit_a_nested_machine_holds_its_last_pose_until_it_is_left() {
    let inner = MachineData::new(states(&["B"]), vec![cut("B", "exit").exit_time(0.5)]);
    let states = vec![StateData::new("S", inner), StateData::new("A", "A")];
    let leaves = cut("S", "A").exit_time(1.0).when(set("go"));
    let mut world = World::new(graph(states, vec![leaves]));
    world.update(2.0);
    assert_eq!(world.told(), ["leave S/B", "finished S"]);
    assert!(world.state.is_finished(0));
    assert_near(world.height().into(), 10.5);
    world.set("go", true);
    world.update(0.25);
    assert_eq!(world.at(), "A");
    assert_near(world.height().into(), 0.25);
}

#[test]
fn e42_at_its_exit_the_rest_of_the_step_goes_on_outside() {
    let inner = MachineData::new(states(&["B"]), vec![cut("B", "exit").exit_time(0.5)]);
    let states = vec![StateData::new("S", inner), StateData::new("A", "A")];
    let mut world = World::new(graph(states, vec![cut("S", "A").exit_time(1.0)]));
    world.update(0.75);
    assert_eq!(world.told(), ["leave S/B", "finished S", "leave S", "enter A"]);
    assert_near(world.height().into(), 0.25);
}

#[test]
fn an_inner_transition_does_not_cut_the_fade_around_it_short() {
    let inner = MachineData::new(states(&["B", "C"]), vec![cut("B", "C")]);
    let states = vec![StateData::new("A", "A"), StateData::new("S", inner)];
    let mut world = World::new(graph(states, vec![TransitionData::new("A", "S").when(set("go")).secs(1.0)]));
    world.update(0.5);
    let before = world.height();
    world.set("go", true);
    world.update(0.0);
    assert_eq!(world.at(), "S/C");
    assert!((world.height() - before).abs() < 1e-4);
    world.update(1.0);
    assert_near(world.height().into(), 21.0);
}

#[test]
fn e44_what_was_stored_goes_on_with_the_same_bits() {
    let transitions = vec![
        TransitionData::new("A", "B").when(set("go")).secs(0.5),
        TransitionData::new("B", "C").exit_time(0.7).secs(0.3),
    ];
    let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
    world.set("go", true);
    world.update(0.3);
    let state = serde_json::to_string(&world.state).unwrap();
    let parameters = serde_json::to_string(&world.parameters).unwrap();
    let mixer = serde_json::to_string(&world.mixer.state()).unwrap();
    let mut again = World::new(world.graph.data().clone());
    again.state = serde_json::from_str(&state).unwrap();
    again.parameters = serde_json::from_str(&parameters).unwrap();
    let stored: MixerState = serde_json::from_str(&mixer).unwrap();
    let skeleton = skeleton();
    again.mixer = Mixer::from_state(&skeleton, &stored, &clips(&skeleton)).unwrap();
    for _ in 0..40 {
        world.update(0.05);
        again.update(0.05);
        assert_eq!(world.height().to_bits(), again.height().to_bits());
        assert_eq!(world.state, again.state);
    }
    assert_eq!(world.at(), "C");
}

#[test]
fn a_state_of_another_graph_is_refused() {
    let mut world = nested(true);
    world.set("go", true);
    world.update(0.6);
    let mut other = World::new(graph(states(&["A", "B"]), vec![]));
    other.state = world.state.clone();
    let before = other.state.clone();
    other.update(0.5);
    assert_eq!(other.state, before);
    // Numbers that were tampered with are refused or do no harm.
    let stored = serde_json::to_value(&world.state).unwrap();
    let text = stored.to_string();
    for (from, to) in
        [("\"state\":", "\"state\":9"), ("\"state\":3", "\"state\":1"), ("\"left_in\":[", "\"left_in\":[7,")]
    {
        if let Ok(state) = serde_json::from_str(&text.replace(from, to)) {
            world.state = state;
            world.update(0.1);
        }
    }
}
