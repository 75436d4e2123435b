//! Blend spaces within states, and where states begin.

use canter_graph::{
    Blend1dData, Blend2dData, EnterData, LayerData, MachineData, MethodData, MotionData, Point1dData,
    Point2dData, StateData, SyncByData, SyncGroupData, TransitionData,
};

use crate::world::{World, assert_near, cut, graph, set};

fn line(points: &[(f32, &str)]) -> Blend1dData {
    let points =
        points.iter().map(|(at, clip)| Point1dData { at: Some(*at), motion: (*clip).into() }).collect();
    Blend1dData { parameter: "x".to_owned(), half_life: 0.0, place: None, points }
}

#[test]
fn e31_the_place_of_a_blend_keeps_the_last_finite_value() {
    let mut world = World::new(graph(vec![StateData::new("S", line(&[(0.0, "A"), (1.0, "B")]))], vec![]));
    world.set("x", 0.25);
    world.update(0.0);
    assert_near(world.height().into(), 2.5);
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        world.set("x", value);
        world.update(0.0);
        assert_near(world.height().into(), 2.5);
    }
}

#[test]
fn e33_outside_of_the_points_the_nearest_place_between_them_counts() {
    let mut world = World::new(graph(vec![StateData::new("S", line(&[(0.0, "A"), (1.0, "B")]))], vec![]));
    for (x, expected) in [(-5.0, 0.0), (f32::MAX, 10.0), (f32::MIN, 0.0)] {
        world.set("x", x);
        world.update(0.0);
        assert_near(world.height().into(), expected);
    }
    let corners = [([0.0, 0.0], "A"), ([1.0, 0.0], "B"), ([0.0, 1.0], "C")];
    let points = corners.map(|(at, clip)| Point2dData { at: Some(at), motion: clip.into() }).into();
    let parameters = ["x".to_owned(), "y".to_owned()];
    let plane =
        Blend2dData { parameters, method: MethodData::Triangles, half_life: 0.0, place: None, points };
    let mut world = World::new(graph(vec![StateData::new("S", plane)], vec![]));
    for (x, y, expected) in [(5.0, 5.0, 15.0), (-3.0, 0.25, 5.0), (f32::MAX, 0.0, 10.0)] {
        world.set("x", x);
        world.set("y", y);
        world.update(0.0);
        assert_near(world.height().into(), expected);
    }
}

#[test]
fn e34_a_space_has_one_phase_and_the_mean_period() {
    let mut world = World::new(graph(vec![StateData::new("S", line(&[(0.0, "A"), (1.0, "D")]))], vec![]));
    world.set("x", 0.5);
    world.update(0.375);
    assert_near(world.secs_of("A").into(), 0.5);
    assert_near(world.secs_of("D").into(), 0.25);
    assert_near(world.state.cycles(0), 0.5);
}

#[test]
fn e34_clips_that_end_stay_in_step_too() {
    let state = StateData::once("S", line(&[(0.0, "A"), (1.0, "D")]));
    let mut world =
        World::new(graph(vec![state, StateData::new("B", "B")], vec![cut("S", "B").exit_time(1.0)]));
    world.set("x", 0.5);
    world.update(0.375);
    assert_near(world.secs_of("A").into(), 0.5);
    assert_near(world.secs_of("D").into(), 0.25);
    world.update(0.5);
    assert_near(world.when("enter B"), 0.75);
}

#[test]
fn e35_a_clip_without_weight_keeps_its_phase() {
    let mut world = World::new(graph(vec![StateData::new("S", line(&[(0.0, "A"), (1.0, "D")]))], vec![]));
    world.update(0.3);
    assert_near(world.secs_of("D").into(), 0.15);
    world.set("x", 1.0);
    world.update(0.0);
    assert_near(world.height().into(), 30.15);
}

#[test]
fn e36_a_phase_that_is_kept_goes_on_in_the_next_clip() {
    let keeps = TransitionData { enter: Some(EnterData::KeepPhase), ..cut("A", "C").when(set("go")) };
    let mut world = World::new(graph(crate::world::states(&["A", "C"]), vec![keeps]));
    world.update(3.3);
    world.set("go", true);
    world.update(0.0);
    assert_near(world.state.cycles(0), 0.3);
    assert_near(world.secs_of("C").into(), 0.6);
}

#[test]
fn e36_a_sync_group_carries_the_phase_over() {
    let mut data =
        graph(crate::world::states(&["A", "C"]), vec![TransitionData::new("A", "C").when(set("go"))]);
    data.sync_groups = vec![SyncGroupData { name: "gait".to_owned(), by: SyncByData::Cycle }];
    for state in &mut data.layers[0].machine.states {
        state.sync = Some("gait".to_owned());
    }
    let mut world = World::new(data);
    world.update(0.3);
    world.set("go", true);
    world.update(0.0);
    assert_near(world.secs_of("C").into(), 0.6);
    assert_near(world.state.cycles(0), 0.3);
}

#[test]
fn a_state_begins_at_an_offset_or_a_marker() {
    for enter in [EnterData::Offset(0.5), EnterData::Marker("step".to_owned())] {
        let enters = TransitionData { enter: Some(enter), ..cut("A", "C").when(set("go")) };
        let mut world = World::new(graph(crate::world::states(&["A", "C"]), vec![enters]));
        world.set("go", true);
        world.update(0.0);
        assert_near(world.height().into(), 21.0);
    }
}

#[test]
fn e43_a_clip_that_is_missing_is_warned_of_and_its_state_is_at_rest() {
    let mut world = World::new(graph(vec![StateData::new("S", "Nothing")], vec![]));
    let warnings: Vec<_> = world.graph.warnings().iter().map(ToString::to_string).collect();
    assert!(warnings[0].contains("Nothing") && warnings[0].contains("\"S\""), "{warnings:?}");
    world.update(0.5);
    assert_near(world.height().into(), 0.0);
    let mut world =
        World::new(graph(vec![StateData::new("S", line(&[(0.0, "Nothing"), (1.0, "B")]))], vec![]));
    world.set("x", 0.5);
    world.update(0.5);
    assert_near(world.height().into(), 5.25);
}

#[test]
fn a_hold_keeps_the_pose_and_rest_is_the_rest_pose() {
    let states = vec![
        StateData::new("A", "A"),
        StateData::new("H", MotionData::Hold),
        StateData::new("R", MotionData::Rest),
    ];
    let transitions =
        vec![cut("A", "H").when(set("go")), TransitionData::new("H", "R").when(set("back")).secs(0.4)];
    let mut world = World::new(graph(states, transitions));
    world.update(0.3);
    world.set("go", true);
    world.update(0.5);
    assert_near(world.height().into(), 0.3);
    world.set("back", true);
    world.update(0.0);
    assert_near(world.height().into(), 0.3);
    world.update(0.5);
    assert_near(world.height().into(), 0.0);
}

#[test]
fn a_smoothed_place_makes_half_the_way_in_its_half_life_in_any_steps() {
    for steps in [1_u8, 7, 60] {
        let blend = Blend1dData { half_life: 0.1, ..line(&[(0.0, "A"), (1.0, "B")]) };
        let mut world = World::new(graph(vec![StateData::new("S", blend)], vec![]));
        world.update(0.0);
        world.set("x", 1.0);
        for _ in 0..steps {
            world.update(0.1 / f32::from(steps));
        }
        let place = world.state.blend_places(0)[0][0];
        assert!((place - 0.5).abs() < 1e-6, "{steps}: {place}");
        world.update(10.0);
        assert_near(world.state.blend_places(0)[0][0].into(), 1.0);
    }
}

#[test]
fn an_exit_time_comes_when_all_that_are_in_step_get_there() {
    // One clip of a second and one of two, as strong: both take a second and a half for a cycle.
    for steps in [1_u8, 2, 10, 60] {
        let in_step = |name: &str| StateData { sync: Some("gait".to_owned()), ..StateData::new(name, name) };
        let mut data =
            graph(vec![in_step("A"), StateData::new("B", "B")], vec![cut("A", "B").exit_time(0.5)]);
        data.sync_groups = vec![SyncGroupData { name: "gait".to_owned(), by: SyncByData::Cycle }];
        data.layers.push(LayerData::new("above", MachineData::new(vec![in_step("C")], vec![])));
        let mut world = World::new(data);
        for _ in 0..steps {
            world.update(1.0 / f32::from(steps));
        }
        assert_near(world.when("enter B"), 0.75);
    }
}
