//! Exit times, for any step.

use canter_graph::{AmountData, GraphEventKind, InterruptData, StateData, TransitionData};

use crate::world::{World, assert_near, build, cut, graph, set, states};

/// `A` leads to `B` at an exit time.
fn exits(exit_time: f32) -> World {
    World::new(graph(states(&["A", "B"]), vec![cut("A", "B").exit_time(exit_time)]))
}

/// The same if `go`.
fn exits_if_go(exit_time: f32) -> World {
    World::new(graph(states(&["A", "B"]), vec![cut("A", "B").exit_time(exit_time).when(set("go"))]))
}

#[test]
fn e9_an_exit_time_within_a_step_leaves_the_rest_to_the_target() {
    let mut world = exits(0.8);
    world.update(0.7);
    assert_eq!(world.at(), "A");
    world.update(0.2);
    assert_eq!(world.at(), "B");
    assert_near(world.state.cycles(0), 0.1);
    assert_near(world.height().into(), 10.1);
}

#[test]
fn e10_an_exit_time_is_not_missed_in_a_step_that_crosses_the_loop_point() {
    let mut world = exits(0.8);
    world.update(0.75);
    world.update(0.35);
    assert_eq!(world.at(), "B");
    assert_near(world.height().into(), 10.3);
}

#[test]
fn e11_conditions_that_come_true_after_an_exit_time_wait_for_the_next_loop() {
    let mut world = exits_if_go(0.8);
    world.update(0.9);
    world.set("go", true);
    world.update(0.5);
    assert_eq!(world.at(), "A");
    world.update(0.5);
    assert_eq!(world.at(), "B");
    assert_near(world.when("enter B"), 1.8);
}

#[test]
fn e12_an_exit_time_above_one_comes_once_after_so_many_loops() {
    let mut world = exits_if_go(3.5);
    world.update(4.0);
    world.set("go", true);
    world.update(5.0);
    assert_eq!(world.at(), "A");
    let mut world = exits_if_go(3.5);
    world.set("go", true);
    world.update(4.0);
    assert_eq!(world.at(), "B");
    assert_near(world.when("enter B"), 3.5);
}

#[test]
fn e13_a_state_that_ends_is_left_exactly_at_its_end() {
    let states = vec![StateData::once("A", "A"), StateData::new("B", "B")];
    let mut world = World::new(graph(states, vec![cut("A", "B").exit_time(1.0)]));
    world.update(1.25);
    assert_near(world.when("enter B"), 1.0);
    assert_near(world.height().into(), 10.25);
}

/// `A` plays once and leads to `B` at its end if `go`.
fn ends_and_waits_for_go() -> World {
    let states = vec![StateData::once("A", "A"), StateData::new("B", "B")];
    World::new(graph(states, vec![cut("A", "B").exit_time(1.0).when(set("go"))]))
}

#[test]
fn e13_a_state_that_stands_at_its_end_is_left_as_soon_as_conditions_hold() {
    let mut world = ends_and_waits_for_go();
    world.update(1.5);
    world.set("go", true);
    // Without time no exit time is come to, not even that.
    world.update(0.0);
    assert_eq!(world.at(), "A");
    world.update(0.25);
    assert_near(world.when("enter B"), 1.5);
    assert_near(world.height().into(), 10.25);
}

#[test]
fn e13_an_end_that_comes_in_a_fade_that_may_not_be_interrupted_is_not_lost() {
    let first = TransitionData {
        interrupt: InterruptData::None,
        ..TransitionData::new("C", "A").when(set("go")).secs(1.5)
    };
    let states = vec![StateData::new("C", "C"), StateData::once("A", "A"), StateData::new("B", "B")];
    for steps in [1_u8, 16] {
        let transitions = vec![first.clone(), cut("A", "B").exit_time(1.0)];
        let mut world = World::new(graph(states.clone(), transitions));
        world.set("go", true);
        for _ in 0..steps {
            world.update(2.0 / f32::from(steps));
        }
        assert_near(world.when("enter B"), 1.5);
    }
}

#[test]
fn e13_of_two_that_lead_on_from_an_end_the_second_does_not_interrupt_the_first() {
    let states = vec![StateData::once("A", "A"), StateData::new("B", "B"), StateData::new("C", "C")];
    let to = |name: &str| TransitionData::new("A", name).exit_time(1.0).secs(0.5);
    let mut world = World::new(graph(states, vec![to("B"), to("C")]));
    for _ in 0..20 {
        world.update(0.1);
    }
    assert_eq!(world.told(), ["leave A", "enter B"]);
}

#[test]
fn e14_an_exit_time_of_one_comes_at_every_end_of_a_loop() {
    let mut world = exits_if_go(1.0);
    world.update(1.5);
    world.set("go", true);
    world.update(1.0);
    assert_near(world.when("enter B"), 2.0);
}

#[test]
fn e15_an_exit_time_of_zero_comes_at_entry_and_at_every_start_of_a_loop() {
    let mut world = exits(0.0);
    world.update(0.1);
    assert_near(world.when("enter B"), 0.0);
    let mut world = exits_if_go(0.0);
    world.update(0.5);
    world.set("go", true);
    world.update(0.25);
    assert_eq!(world.at(), "A");
    world.update(0.5);
    assert_near(world.when("enter B"), 1.0);
}

#[test]
fn e16_in_a_step_of_ten_loops_the_first_crossing_counts() {
    let mut world = exits(0.5);
    world.update(10.0);
    assert_near(world.when("enter B"), 0.5);
    assert_near(world.state.cycles(0), 9.5);
}

#[test]
fn e17_in_a_long_step_each_state_is_entered_and_left_once() {
    let states = vec![StateData::once("A", "A"), StateData::once("B", "B")];
    let mut world = World::new(graph(states, vec![TransitionData::new("A", "B").exit_time(1.0).secs(1.0)]));
    world.update(3.0);
    assert_eq!(world.told(), ["leave A", "enter B"]);
    assert_near(world.state.cycles(0), 1.0);
    assert_near(world.height().into(), 11.0);
}

#[test]
fn e18_backwards_an_exit_time_is_crossed_downwards() {
    let back = StateData { speed: AmountData::Number(-1.0), ..StateData::new("A", "A") };
    let mut world =
        World::new(graph(vec![back, StateData::new("B", "B")], vec![cut("A", "B").exit_time(0.1)]));
    world.update(0.8);
    assert_eq!(world.at(), "A");
    assert_near(world.height().into(), 0.2);
    world.update(0.2);
    assert_near(world.when("enter B"), 0.9);
}

#[test]
fn e19_without_time_conditions_fire_and_exit_times_do_not() {
    let stands = StateData { speed: AmountData::Number(0.0), ..StateData::new("A", "A") };
    let states = vec![stands, StateData::new("B", "B"), StateData::new("C", "C")];
    let transitions = vec![cut("A", "B").exit_time(0.0), cut("A", "C").when(set("go"))];
    let mut world = World::new(graph(states, transitions));
    world.update(5.0);
    assert_eq!(world.at(), "A");
    world.set("go", true);
    world.update(0.0);
    assert_eq!(world.at(), "C");
    let mut world = exits(0.0);
    world.update(0.0);
    assert_eq!(world.at(), "A");
}

#[test]
fn e27_a_chain_without_durations_is_gone_through_in_one_update() {
    let chain = vec![cut("A", "B"), cut("B", "C"), cut("C", "D")];
    let mut world = World::new(graph(states(&["A", "B", "C", "D"]), chain));
    world.update(0.1);
    assert_eq!(world.told(), ["leave A", "enter B", "leave B", "enter C", "leave C", "enter D"]);
    assert_near(world.height().into(), 30.1);
}

#[test]
fn e28_a_cycle_without_conditions_is_refused_and_one_with_them_stops_at_the_limit() {
    let cycle = vec![cut("A", "B"), cut("B", "A")];
    let error = build(graph(states(&["A", "B"]), cycle)).unwrap_err();
    assert!(error.to_string().contains("A, B"), "{error}");
    let cycle = vec![cut("A", "B").when(set("go")), cut("B", "A").when(set("go"))];
    let mut world = World::new(graph(states(&["A", "B"]), cycle));
    world.set("go", true);
    for _ in 0..3 {
        world.update(0.1);
        let limits = world.state.events().iter().filter(|event| event.kind == GraphEventKind::ChainLimit);
        assert_eq!(limits.count(), 1);
        assert_eq!(world.state.events().len(), 2 * 16 + 1);
    }
    assert_near(world.state.time_secs(), 0.3);
}
