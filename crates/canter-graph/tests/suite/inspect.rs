//! What a graph is made of, as those see it who draw it.

use canter_graph::{
    Blend1dData, Blend2dData, MachineData, MethodData, MotionData, Point1dData, Point2dData, StateData,
    TransitionData,
};

use crate::world::{World, cut, graph, set, states};

fn nested() -> World {
    let inner = MachineData::new(
        states(&["A", "B"]),
        vec![cut("A", "B").when(set("go")), TransitionData::new("any", "exit").exit_time(1.0)],
    );
    let all = vec![StateData::new("Fight", inner), StateData::new("C", "C")];
    World::new(graph(all, vec![TransitionData::new("Fight", "C").secs(0.4).when(set("jump"))]))
}

#[test]
fn states_transitions_and_parameters_lead_back_to_their_data() {
    let world = nested();
    let graph = &world.graph;
    let found: Vec<_> = graph.states().map(|id| graph.state_path(id)).collect();
    assert_eq!(found, ["Fight/A", "Fight/B", "Fight", "C"]);
    for id in graph.states() {
        let data = graph.state_data(id).unwrap();
        assert_eq!(graph.state_path(id).rsplit('/').next(), Some(data.name.as_str()));
        assert_eq!(graph.state("base", graph.state_path(id)), Some(id));
        assert_eq!(graph.state_layer(id), Some(0));
    }
    for id in graph.transitions() {
        let data = graph.transition_data(id).unwrap();
        let (from, to) = graph.transition_ends(id).unwrap();
        let name = |state| graph.state_data(state).unwrap().name.as_str();
        assert_eq!((from.map_or("any", name), to.map_or("exit", name)), (&*data.from, &*data.to));
        assert_eq!(graph.transition_layer(id), Some(0));
    }
    let names: Vec<_> =
        graph.parameter_ids().map(|id| graph.parameter_data(id).unwrap().name.as_str()).collect();
    assert_eq!(names.len(), graph.data().parameters.len());
    assert!(names.iter().zip(graph.parameter_ids()).all(|(name, id)| graph.parameter(name) == Some(id)));
}

#[test]
fn a_running_fade_says_where_from_where_to_and_how_far() {
    let mut world = nested();
    assert_eq!(world.state.fades(0).count(), 0);
    world.trigger("jump");
    world.update(0.1);
    let fade = world.state.fades(0).next().unwrap();
    let paths = [fade.from, fade.to].map(|state| world.graph.state_path(state).to_owned());
    assert_eq!(paths, ["Fight", "C"]);
    assert!((fade.progress() - 0.25).abs() < 1e-6, "{fade:?}");
    assert_eq!(world.graph.transition_ends(fade.transition), Some((Some(fade.from), Some(fade.to))));
    world.update(0.4);
    assert_eq!((world.state.fades(0).count(), world.state.fades(7).count()), (0, 0));
}

#[test]
fn spaces_of_a_state_come_in_the_order_of_their_places() {
    let corner = |at, motion| Point2dData { at: Some(at), motion };
    let inner: MotionData = Blend2dData {
        parameters: ["x".to_owned(), "y".to_owned()],
        method: MethodData::Triangles,
        half_life: 0.0,
        place: None,
        points: vec![
            corner([0.0, 0.0], "A".into()),
            corner([1.0, 0.0], "B".into()),
            corner([0.0, 1.0], "C".into()),
        ],
    }
    .into();
    let points =
        vec![Point1dData { at: Some(0.0), motion: inner }, Point1dData { at: Some(1.0), motion: "D".into() }];
    let outer = Blend1dData { parameter: "speed".to_owned(), half_life: 0.0, place: None, points };
    let mut world = World::new(graph(vec![StateData::new("Move", outer)], vec![]));
    for (name, value) in [("speed", 0.25), ("x", 0.5), ("y", 0.125)] {
        world.set(name, value);
    }
    world.update(0.1);
    let state = world.state.state(0).unwrap();
    let spaces: Vec<_> = world.graph.spaces(state).collect();
    let name = |id| world.graph.parameter_data(id).unwrap().name.as_str();
    assert_eq!(spaces.iter().map(|(_, of)| name(of[0])).collect::<Vec<_>>(), ["speed", "x"]);
    assert_eq!(world.state.blend_places(0), [[0.25, 0.25], [0.5, 0.125]]);
    assert_eq!(spaces[1].0.triangles().len(), 1);
}
