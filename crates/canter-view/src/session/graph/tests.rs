use std::path::PathBuf;

use canter_graph::{DurationData, MachineData, MotionData, StateData, TransitionData};

use super::*;

fn asset(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

fn hero() -> Session {
    let mut session = Session::load(&asset("hero.glb")).unwrap();
    assert!(session.open_graph(&asset("hero.graph.json")), "{:?}", session.error());
    session
}

fn states(session: &Session, layer: usize) -> String {
    let graph = session.graph().unwrap();
    graph.state().unwrap().state(layer).map_or("", |state| graph.graph().state_path(state)).to_owned()
}

fn parameter(session: &Session, name: &str) -> usize {
    session.graph().unwrap().data().parameters.iter().position(|it| it.name == name).unwrap()
}

#[test]
fn the_graph_beside_the_model_is_offered_and_runs() {
    let mut session = Session::load(&asset("hero.glb")).unwrap();
    let beside = session.graph_beside().expect("it lies beside him");
    assert!(beside.ends_with("hero.graph.json") && !session.runs_graph());
    assert!(session.open_graph(&beside) && session.runs_graph());
    assert_eq!(session.graph_beside(), None, "it is open");
    assert_eq!((states(&session, 0), states(&session, 1)), ("Move".to_owned(), "Free".to_owned()));

    let (forward, jump) = (parameter(&session, "forward"), parameter(&session, "jump"));
    assert!(session.set_parameter(forward, Value::Float(1.02)));
    assert!(!session.set_parameter(forward, Value::Bool(true)) && !session.set_parameter(99, Value::Int(1)));
    for _ in 0..60 {
        session.advance(1.0 / 60.0);
    }
    let clips = &session.explanation().unwrap().layers[0].clips;
    assert!(clips.iter().any(|clip| clip.clip == "Walk" && clip.weight > 0.95), "{clips:?}");
    assert!(session.set_parameter(jump, Value::Trigger(true)));
    session.advance(0.05);
    assert_eq!(states(&session, 0), "Jump");
    assert_eq!(session.graph().unwrap().value(jump), Some(Value::Trigger(false)), "it was taken");
    let fade = &session.explanation().unwrap().layers[0].fades[0];
    assert!(fade.progress > 0.0 && fade.progress < 1.0);
    // Paused, nothing happens.
    session.toggle();
    session.advance(9.0);
    assert_eq!(states(&session, 0), "Jump");
}

#[test]
fn clips_by_hand_and_graphs_make_room_for_each_other() {
    let mut session = hero();
    session.set_crowd(3);
    session.advance(0.1);
    session.fade_to("Run").unwrap();
    session.advance(0.5);
    assert!(!session.runs_graph() && session.graph().is_some());
    assert_eq!(session.mix().len(), 1);
    session.add_layer(canter::LayerMode::Over);
    session.run_graph(true);
    assert!(session.runs_graph() && session.layers().is_empty());
    session.set_speed(2.0);
    session.scrub(0.2);
    session.step(-1);
    session.step(3);
    session.set_crowd(5);
    session.toggle();
    session.advance(0.2);
    assert_eq!(states(&session, 0), "Move");
    session.run_graph(false);
    assert_eq!(session.action().unwrap().clip().name(), "Run");
    session.close_graph();
    assert!(session.graph().is_none() && !session.undo_graph());
    session.run_graph(true);
    assert!(!session.runs_graph());
}

#[test]
fn a_wrong_graph_leaves_what_was_there_and_says_why() {
    let folder = std::env::temp_dir().join(format!("canter-view-graph-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("wrong.graph.json");
    let mut session = hero();
    for text in ["", "{", r#"{"version": 9, "layers": []}"#, r#"{"version": 1, "layers": [], "x": 1}"#] {
        std::fs::write(&path, text).unwrap();
        session.dismiss_error();
        assert!(!session.open_graph(&path), "{text}");
        assert!(session.error().unwrap().starts_with("wrong.graph.json: "), "{text}");
        assert!(session.runs_graph() && session.graph().unwrap().name() == "hero.graph.json");
    }
    assert!(!session.open_graph(&folder.join("missing.graph.json")));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_edited_and_saved_is_read_again_as_it_was() {
    let folder = std::env::temp_dir().join(format!("canter-view-edit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["hero.glb", "hero.graph.json"] {
        std::fs::copy(asset(name), folder.join(name)).unwrap();
    }
    let mut session = Session::load(&folder.join("hero.glb")).unwrap();
    assert!(session.open_graph(&session.graph_beside().unwrap()));
    let before = session.graph().unwrap().data().clone();
    let path = MachinePath::of_layer(0);
    let machine = |session: &Session| machine(session.graph().unwrap().data(), &path).unwrap().clone();
    let walk = Box::new(MotionData::clip("Walk"));
    assert!(session.edit_graph(&path, GraphEdit::AddState("Move".to_owned(), walk)));
    let added = machine(&session).states.len() - 1;
    assert_eq!(machine(&session).states[added].name, "Move 2", "names are free");
    assert!(session.edit_graph(&path, GraphEdit::Rename(added, " Stroll ".to_owned())));
    let mut transition = TransitionData::new("Move", "Stroll").exit_time(0.5);
    assert!(session.edit_graph(&path, GraphEdit::AddTransition(Box::new(transition.clone()))));
    let last = machine(&session).transitions.len() - 1;
    transition.duration = DurationData::Secs(0.7);
    assert!(session.edit_graph(&path, GraphEdit::SetTransition(last, Box::new(transition))));
    let places = vec![[1.0, 2.0]; added + 1];
    assert!(session.edit_graph(&path, GraphEdit::Place(places)));
    assert!(session.edit_graph(&path, GraphEdit::Rename(0, "Locomotion".to_owned())));
    assert!(session.edit_graph(&path, GraphEdit::SetEntry(added)) && session.graph().unwrap().is_changed());

    let saved = session.save_graph().unwrap();
    let edited = session.graph().unwrap().data().clone();
    assert!(saved.ends_with("hero.graph.json") && !session.graph().unwrap().is_changed());
    let mut again = Session::load(&folder.join("hero.glb")).unwrap();
    assert!(again.open_graph(&saved));
    assert_eq!(*again.graph().unwrap().data(), edited);
    let read = GraphData::from_json(&edited.to_json()).unwrap();
    assert_eq!(read, edited, "writing and reading is the identity");
    assert_ne!(edited, before);
    while session.undo_graph() {}
    assert_eq!(*session.graph().unwrap().data(), before, "everything can be taken back");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn edits_that_make_no_graph_are_refused_and_others_do_not_interrupt() {
    let mut session = hero();
    let path = MachinePath::of_layer(0);
    let jump = parameter(&session, "jump");
    session.set_parameter(jump, Value::Trigger(true));
    session.advance(0.3);
    assert_eq!(states(&session, 0), "Jump");
    let before = session.graph().unwrap().data().clone();
    for wrong in [
        GraphEdit::Rename(0, String::new()),
        GraphEdit::Rename(0, "Jump".to_owned()),
        GraphEdit::Rename(0, "any".to_owned()),
        GraphEdit::Rename(99, "Fine".to_owned()),
        GraphEdit::RemoveState(99),
        GraphEdit::RemoveTransition(99),
        GraphEdit::SetEntry(99),
        GraphEdit::Place(vec![[0.0; 2]]),
        GraphEdit::AddTransition(Box::new(TransitionData::new("Nowhere", "Jump"))),
    ] {
        assert!(!session.edit_graph(&path, wrong.clone()), "{wrong:?}");
        assert_eq!(*session.graph().unwrap().data(), before);
    }
    assert!(!session.edit_graph(&MachinePath::of_layer(9), GraphEdit::SetEntry(0)));
    // A name and a number: the jump goes on.
    assert!(session.edit_graph(&path, GraphEdit::Rename(3, "Leap".to_owned())));
    let mut transition = machine(session.graph().unwrap().data(), &path).unwrap().transitions[0].clone();
    transition.duration = DurationData::Secs(0.5);
    assert!(session.edit_graph(&path, GraphEdit::SetTransition(0, Box::new(transition))));
    assert_eq!(states(&session, 0), "Leap");
    // Another state: it begins anew, with the same parameters.
    let forward = parameter(&session, "forward");
    session.set_parameter(forward, Value::Float(0.6));
    assert!(session.edit_graph(&path, GraphEdit::RemoveState(3)));
    assert_eq!(states(&session, 0), "Move");
    assert_eq!(session.graph().unwrap().value(forward), Some(Value::Float(0.6)));
    assert!(machine(session.graph().unwrap().data(), &path).unwrap().transitions.len() == 6);
    let id = session.graph().unwrap().graph().state("body", "TurnLeft").unwrap();
    assert!(session.travel_to(id));
}

#[test]
fn nested_machines_have_paths() {
    let inner = MachineData::new(vec![StateData::new("Slow", "Walk"), StateData::new("Fast", "Run")], vec![]);
    let outer = MachineData::new(vec![StateData::new("Rest", "Idle"), StateData::new("Go", inner)], vec![]);
    let layers = vec![canter_graph::LayerData::new("body", outer)];
    let data = GraphData { layers, ..GraphData::default() };
    let path = MachinePath::of_layer(0).inside(1);
    assert_eq!((prefix(&data, &path).as_str(), machine(&data, &path).unwrap().states.len()), ("Go/", 2));
    assert!(machine(&data, &MachinePath::of_layer(0).inside(0)).is_none());
    let mut session = Session::load(&asset("hero.glb")).unwrap();
    session.use_graph(data, "nested").unwrap();
    assert!(session.edit_graph(&path, GraphEdit::Rename(0, "Stroll".to_owned())));
    assert!(session.edit_graph(&path, GraphEdit::RemoveState(1)));
    assert!(!session.edit_graph(&path, GraphEdit::RemoveState(0)), "a machine has a state");
}

/// A machine with so many states, each of which leads to some others.
pub(crate) fn many_states(count: usize) -> MachineData {
    let name = |index: usize| format!("State {index}");
    let clips = ["Idle", "Walk", "Run", "Wave", "Attack", "Jump"];
    let states = (0..count).map(|index| StateData::new(name(index), clips[index % clips.len()])).collect();
    let mut transitions = Vec::new();
    for index in 1..count {
        transitions.push(TransitionData::new(name((index - 1) / 3), name(index)).exit_time(1.0));
        if index % 3 == 0 {
            transitions.push(TransitionData::new(name(index), name(index / 4)).exit_time(0.5));
        }
    }
    MachineData::new(states, transitions)
}

#[test]
fn no_two_states_of_a_diagram_lie_on_each_other() {
    let line = |count: usize| {
        let states: Vec<_> = (0..count).map(|index| StateData::new(index.to_string(), "Walk")).collect();
        let next = |index: usize| TransitionData::new(index.to_string(), (index + 1).to_string());
        MachineData::new(states, (0..count.saturating_sub(1)).map(next).collect())
    };
    let apart = MachineData::new((0..12).map(|it| StateData::new(it.to_string(), "Walk")).collect(), vec![]);
    for machine in
        [many_states(1), many_states(5), many_states(40), many_states(200), line(40), line(2), apart]
    {
        for aspect in [0.5, 2.0, 4.0, f32::NAN, 0.0] {
            let places = layout(&machine, aspect);
            assert_eq!(places.len(), machine.states.len());
            for (index, a) in places.iter().enumerate() {
                for b in &places[..index] {
                    let is_apart = (a[0] - b[0]).abs() > NODE_SIZE[0] || (a[1] - b[1]).abs() > NODE_SIZE[1];
                    assert!(is_apart, "{} states: {a:?} {b:?}", places.len());
                }
            }
        }
    }
    assert!(layout(&MachineData::new(vec![], vec![]), 1.0).is_empty());
}

#[test]
fn a_diagram_is_as_wide_for_its_height_as_is_asked_for() {
    for aspect in [1.0, 2.5, 4.0] {
        let places = layout(&many_states(40), aspect);
        let size = |axis: usize| {
            let numbers = places.iter().map(|place| place[axis]);
            numbers.clone().fold(f32::MIN, f32::max) - numbers.fold(f32::MAX, f32::min) + NODE_SIZE[axis]
        };
        let shape = size(0) / size(1);
        assert!((0.4..2.5).contains(&(shape / aspect)), "{shape} instead of {aspect}");
    }
}

#[test]
fn places_by_hand_stay_and_those_that_are_no_numbers_do_not() {
    let mut machine = many_states(3);
    machine.states[1].position = Some([500.0, f32::NAN]);
    let places = layout(&machine, 2.0);
    assert_eq!(places[1], [500.0, 0.0]);
    assert!(places[0][1] > 50.0 && places[2][1] > 50.0, "{places:?}");
}

#[test]
fn sliders_go_as_far_as_it_makes_a_difference() {
    let session = hero();
    let data = session.graph().unwrap().data();
    for (name, expected) in
        [("forward", [-0.8, 2.9]), ("left", [-0.9, 0.9]), ("turn", [-1.0, 1.0]), ("breath", [0.0, 1.0])]
    {
        assert_eq!(range(data, name), expected, "{name}");
    }
    assert_eq!(range(data, "nothing"), [0.0, 1.0]);
    let labels = point_labels(&data.layers[0].machine.states[0].motion);
    assert_eq!(labels, [["Idle", "Walk", "Run", "WalkBack", "StrafeLeft", "StrafeRight"]]);
}
