//! What plays, and why; and the way to a state.

use canter_graph::{InterruptData, LoopData, TransitionData, TravelError};

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

#[test]
fn what_travels_does_not_wait_for_an_exit_time_that_never_comes_again() {
    let cases = [
        (LoopData::Once, 0.5, 0.75),
        (LoopData::Once, 0.5, 2.25),
        (LoopData::Once, 1.0, 2.25),
        (LoopData::Repeat, 1.5, 2.25),
    ];
    for (loops, exit_time, secs) in cases {
        let mut states = states(&["A", "B"]);
        states[0].loops = loops;
        let mut world = World::new(graph(states, vec![cut("A", "B").exit_time(exit_time).when(set("go"))]));
        world.update(secs);
        let b = world.graph.state("base", "B").unwrap();
        assert_eq!(world.graph.travel(&mut world.state, b), Ok(1));
        world.update(0.1);
        assert_eq!(world.at(), "B", "{loops:?} {exit_time}");
    }
}

#[test]
fn what_a_layer_was_asked_for_counts_although_nothing_else_has_changed() {
    let mut world = World::new(graph(states(&["A", "B"]), vec![cut("A", "B").when(set("go"))]));
    for _ in 0..3 {
        world.update(0.1);
    }
    let b = world.graph.state("base", "B").unwrap();
    assert_eq!(world.graph.travel(&mut world.state, b), Ok(1));
    world.update(0.1);
    assert_eq!(world.at(), "B");
}

/// What each transition from where the first layer is waits for.
fn lacks(world: &World) -> Vec<(String, Vec<String>)> {
    let explanation = world.graph.explain(&world.state, &world.parameters, &world.mixer);
    explanation.layers[0].waiting.iter().map(|waiting| (waiting.to.clone(), waiting.lacks.clone())).collect()
}

#[test]
fn transitions_that_a_fade_keeps_back_wait_for_its_end() {
    let fade =
        |interrupt| TransitionData { interrupt, ..TransitionData::new("A", "B").when(set("jump")).secs(1.0) };
    let the_end = vec!["the end of the fade".to_owned()];
    let cases = [
        (InterruptData::None, the_end.clone(), the_end.clone()),
        (InterruptData::Source, the_end, Vec::new()),
        (InterruptData::Target, Vec::new(), Vec::new()),
    ];
    for (interrupt, own, any) in cases {
        let others = vec![fade(interrupt), cut("B", "C").when(set("go")), cut("any", "D").when(set("back"))];
        let mut world = World::new(graph(states(&["A", "B", "C", "D"]), others));
        world.trigger("jump");
        world.update(0.25);
        world.set("go", true);
        world.set("back", true);
        assert_eq!(lacks(&world), [("C".to_owned(), own), ("D".to_owned(), any)], "{interrupt:?}");
    }
}

#[test]
fn a_transition_of_a_state_to_itself_is_explained_too() {
    let world = World::new(graph(states(&["A"]), vec![cut("A", "A").when(set("jump"))]));
    assert_eq!(lacks(&world), [("A".to_owned(), vec!["jump".to_owned()])]);
}

#[test]
fn while_a_layer_travels_others_wait_for_the_end_of_that() {
    let transitions = vec![cut("A", "B").exit_time(0.5).when(set("go")), cut("A", "C").when(set("back"))];
    let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
    let b = world.graph.state("base", "B").unwrap();
    world.graph.travel(&mut world.state, b).unwrap();
    let wait = |to: &str, lacks: &[&str]| (to.to_owned(), lacks.iter().map(ToString::to_string).collect());
    let expected = [wait("B", &["exit time 0.5"]), wait("C", &["back true", "the end of its travels"])];
    assert_eq!(lacks(&world), expected);
}
