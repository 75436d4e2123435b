//! Triggers, conditions, and which of several transitions is taken.

use canter_graph::{ConditionData, OpData, TransitionData, Value};

use crate::world::{World, cut, graph, set, states};

#[test]
fn e1_a_trigger_that_nobody_listens_to_stays_set_unless_it_lasts_for_one_update() {
    let mut world = World::new(graph(states(&["A"]), vec![]));
    world.trigger("jump");
    world.trigger("flash");
    world.update(0.1);
    assert!(world.is_set("jump") && !world.is_set("flash"));
}

#[test]
fn e2_a_trigger_is_not_consumed_while_another_condition_does_not_hold() {
    let transition = cut("A", "B").when(set("jump")).when(set("go"));
    let mut world = World::new(graph(states(&["A", "B"]), vec![transition]));
    world.trigger("jump");
    world.update(0.1);
    assert!(world.at() == "A" && world.is_set("jump"));
    world.set("go", true);
    world.update(0.1);
    assert!(world.at() == "B" && !world.is_set("jump"));
}

#[test]
fn e3_two_layers_take_one_trigger_in_the_same_update() {
    let mut data = graph(states(&["A", "B"]), vec![cut("A", "B").when(set("jump"))]);
    let mut second = data.layers[0].clone();
    second.name = "second".to_owned();
    data.layers.push(second);
    let mut world = World::new(data);
    world.trigger("jump");
    world.update(0.1);
    assert_eq!((world.at_layer(0), world.at_layer(1), world.is_set("jump")), ("B", "B", false));
}

#[test]
fn e3_what_one_layer_takes_is_gone_for_another_that_gets_there_later_in_any_steps() {
    for steps in [1_u8, 10] {
        let mut data = graph(states(&["A", "B"]), vec![cut("A", "B").when(set("jump"))]);
        let mut second = data.layers[0].clone();
        second.name = "second".to_owned();
        second.machine.transitions[0].exit_time = Some(0.5);
        data.layers.push(second);
        let mut world = World::new(data);
        world.update(0.1);
        world.trigger("jump");
        for _ in 0..steps {
            world.update(0.8 / f32::from(steps));
        }
        assert_eq!((world.at_layer(0), world.at_layer(1), world.is_set("jump")), ("B", "A", false));
    }
}

#[test]
fn e4_in_a_chain_the_first_transition_consumes_the_trigger() {
    let transitions = vec![cut("A", "B").when(set("jump")), cut("B", "C").when(set("jump"))];
    let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
    world.trigger("jump");
    world.update(0.1);
    assert_eq!(world.at(), "B");
    world.update(0.1);
    assert_eq!(world.at(), "B");
}

#[test]
fn e5_a_trigger_that_is_set_twice_is_set_once() {
    let transitions = vec![cut("A", "B").when(set("jump")), cut("B", "C").when(set("jump"))];
    let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
    world.trigger("jump");
    world.trigger("jump");
    world.update(0.1);
    world.update(0.1);
    assert!(world.at() == "B" && !world.is_set("jump"));
}

#[test]
fn e6_a_trigger_waits_for_the_end_of_a_fade_that_may_not_be_interrupted() {
    let mut fade = TransitionData::new("A", "B").when(set("go")).secs(0.5);
    fade.interrupt = canter_graph::InterruptData::None;
    let transitions = vec![fade, cut("B", "C").when(set("jump"))];
    let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
    world.set("go", true);
    world.update(0.1);
    world.trigger("jump");
    world.update(0.1);
    assert!(world.at() == "B" && world.is_set("jump"));
    world.update(1.0);
    assert!(world.at() == "C" && !world.is_set("jump"));
    assert!((world.when("enter C") - 0.5).abs() < 1e-6, "{:?}", world.log);
}

#[test]
fn e7_of_two_that_are_ready_the_earliest_is_taken_then_by_priority_own_before_any_and_in_order() {
    let taken = |transitions: Vec<TransitionData>| {
        let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
        world.update(0.9);
        world.at().to_owned()
    };
    let first = |to, priority| TransitionData { priority, ..cut("A", to) }.exit_time(0.5);
    let any = |to, priority| TransitionData { priority, ..cut("any", to) }.exit_time(0.5);
    assert_eq!(
        taken(vec![TransitionData { priority: -5, ..cut("A", "B").exit_time(0.8) }, first("C", 0)]),
        "C"
    );
    assert_eq!(taken(vec![first("B", 1), first("C", 0)]), "C");
    assert_eq!(taken(vec![any("B", 0), first("C", 0)]), "C");
    assert_eq!(taken(vec![any("B", -1), first("C", 0)]), "B");
    assert_eq!(taken(vec![first("B", 0), first("C", 0)]), "B");
}

#[test]
fn e8_a_lower_priority_that_is_ready_is_taken_before_a_higher_one_that_waits() {
    let waits = TransitionData { priority: -1, ..cut("A", "B") }.exit_time(1.0);
    let mut world = World::new(graph(states(&["A", "B", "C"]), vec![waits, cut("A", "C").when(set("go"))]));
    world.set("go", true);
    world.update(0.5);
    assert_eq!(world.at(), "C");
}

#[test]
fn e29_of_a_parameter_that_is_set_twice_the_last_value_counts() {
    let mut world = World::new(graph(states(&["A", "B"]), vec![cut("A", "B").when(set("go"))]));
    world.set("go", true);
    world.set("go", false);
    world.update(0.5);
    assert_eq!(world.at(), "A");
}

#[test]
fn e30_what_a_handler_changes_counts_in_the_next_update() {
    let transitions = vec![cut("A", "B").exit_time(0.5), cut("B", "C").when(set("go"))];
    let mut world = World::new(graph(states(&["A", "B", "C"]), transitions));
    let mut pieces = Vec::new();
    let World { graph, state, parameters, mixer, .. } = &mut world;
    // Parameters are borrowed by the update: a handler can only ask for changes.
    graph.update_telling(state, parameters, 0.75, mixer, |_, later_secs| pieces.push(later_secs));
    assert_eq!(pieces, [0.25, 0.0]);
    assert_eq!(world.at(), "B");
    world.set("go", true);
    assert_eq!(world.at(), "B");
    world.update(0.1);
    assert_eq!(world.at(), "C");
}

#[test]
fn e31_of_nan_no_comparison_holds() {
    use OpData::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    for op in [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual] {
        let transition = cut("A", "B").when(ConditionData::compare("speed", op, 1.0));
        let mut world = World::new(graph(states(&["A", "B"]), vec![transition]));
        world.set("speed", f32::NAN);
        world.update(0.5);
        assert_eq!(world.at(), "A", "{op:?}");
    }
}

#[test]
fn e32_floats_are_equal_if_they_are_exactly() {
    let transition = cut("A", "B").when(ConditionData::compare("speed", OpData::Equal, 0.1));
    let mut world = World::new(graph(states(&["A", "B"]), vec![transition]));
    world.set("speed", 0.1_f32.next_up());
    world.update(0.5);
    assert_eq!(world.at(), "A");
    world.set("speed", 0.1);
    world.update(0.5);
    assert_eq!(world.at(), "B");
}

#[test]
fn a_trigger_that_is_set_again_right_after_it_was_taken_is_taken_again() {
    let transitions = vec![cut("A", "B").when(set("jump")), cut("B", "A").when(set("jump"))];
    let mut world = World::new(graph(states(&["A", "B"]), transitions));
    for expected in ["B", "A", "B"] {
        world.trigger("jump");
        world.update(0.1);
        assert_eq!((world.at(), world.is_set("jump")), (expected, false));
    }
    world.update(0.1);
    assert_eq!(world.at(), "B");
}

#[test]
fn what_a_state_waits_for_is_seen_whenever_it_changes() {
    let transition = cut("A", "B").when(ConditionData::compare("x", OpData::Greater, 1.0)).when(set("go"));
    let mut world = World::new(graph(states(&["A", "B"]), vec![transition, cut("B", "A").when(set("back"))]));
    let script: [(&str, Value, &str); 6] = [
        ("x", 2.0.into(), "A"),
        ("x", 0.0.into(), "A"),
        ("go", true.into(), "A"),
        ("x", f32::NAN.into(), "A"),
        ("x", 1.5.into(), "B"),
        ("y", 1.0.into(), "B"),
    ];
    for (name, value, expected) in script {
        world.set(name, value);
        for _ in 0..2 {
            world.update(0.1);
            assert_eq!(world.at(), expected, "{name} {value}");
        }
    }
}
