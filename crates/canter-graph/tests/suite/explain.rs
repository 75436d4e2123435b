//! What plays, and why; and the way to a state.

use canter_graph::{TransitionData, TravelError};

use crate::world::{World, cut, graph, set, states};

#[test]
fn what_plays_is_explained_in_words_and_as_data() {
    let transitions = vec![
        TransitionData::new("A", "B").when(set("jump")).secs(1.0),
        cut("B", "C").exit_time(0.8).when(set("go")),
    ];
    let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
    world.update(0.5);
    let waits = &world.graph.explain(&world.state, &world.parameters, &world.mixer).layers[0].waiting;
    assert_eq!((waits[0].to.as_str(), waits[0].lacks.as_slice()), ("B", &["jump".to_owned()][..]));
    world.trigger("jump");
    world.update(0.25);
    let explanation = world.graph.explain(&world.state, &world.parameters, &world.mixer);
    assert_eq!(
        explanation.to_string(),
        "base: A -> B, 25 % (B 1.00); A to B, 0.25 s ago, because jump was set"
    );
    let layer = &explanation.layers[0];
    assert_eq!((layer.states.as_slice(), layer.fades.len()), (&["B".to_owned()][..], 1));
    assert_eq!(layer.waiting[0].lacks, ["go true", "exit time 0.8"]);
    let json = serde_json::to_value(&explanation).unwrap();
    assert_eq!(json["layers"][0]["fades"][0]["progress"], 0.25);
}

#[test]
fn the_history_tells_the_last_transitions_with_time_and_cause() {
    let transitions = vec![cut("A", "B").exit_time(1.0), cut("B", "A").when(set("jump"))];
    let mut world = World::new(graph(states(&["A", "B"]), transitions));
    world.update(1.5);
    world.trigger("jump");
    world.update(0.5);
    let taken: Vec<_> = world.state.history().collect();
    assert_eq!(taken.len(), 2);
    assert!((taken[1].time_secs - 1.0).abs() < 1e-9 && (taken[0].time_secs - 1.5).abs() < 1e-9);
    assert!(taken[1].cause.at_exit_time && taken[0].cause.parameter.is_some());
}

#[test]
fn a_layer_travels_to_a_state_on_the_shortest_way() {
    let transitions = vec![
        TransitionData::new("A", "B").when(set("go")).secs(0.25),
        TransitionData::new("B", "C").exit_time(0.5).secs(0.0),
        cut("C", "D").when(set("back")),
    ];
    let mut world = World::new(graph(states(&["A", "B", "C", "D"]), transitions));
    let [a, d] = ["A", "D"].map(|name| world.graph.state("base", name).unwrap());
    assert_eq!(world.graph.travel(&mut world.state, d), Ok(3));
    world.update(0.1);
    assert_eq!(world.at(), "B");
    world.update(1.0);
    assert_eq!(world.at(), "D");
    assert_eq!(world.told()[1..].iter().filter(|told| told.starts_with("enter")).count(), 3);
    assert!((world.when("enter D") - 0.5).abs() < 1e-6);
    assert_eq!(world.graph.travel(&mut world.state, a), Err(TravelError::NoWay));
    assert_eq!(world.graph.travel(&mut world.state, d), Ok(0));
}
