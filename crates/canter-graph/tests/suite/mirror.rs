//! States that play their clips left for right.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{Clip, Marker, Mirror, Mixer, Pose, Skeleton, Track, Transform};
use canter_graph::{Graph, GraphData, LayerData, MachineData, StateData};

fn figure() -> (Arc<Skeleton>, [Arc<Clip>; 1], Mirror) {
    let mut joints = Skeleton::builder();
    joints.joint("hips", None, Transform::IDENTITY);
    joints.joint("hand.L", Some(0), Transform::from_translation(Vec3::X));
    joints.joint("hand.R", Some(0), Transform::from_translation(Vec3::NEG_X));
    let skeleton = Arc::new(joints.build().unwrap());
    let [hips, left, right] = ["hips", "hand.L", "hand.R"].map(|name| skeleton.joint(name).unwrap());
    let mut wave = Clip::builder("Wave", &skeleton);
    wave.translation(left, Track::linear(vec![0.0, 1.0], vec![Vec3::X, Vec3::new(1.0, 2.0, 0.0)]));
    wave.marker(Marker::new("hand_L", 0.5));
    let mirror = Mirror::new(&skeleton, &[Some(hips), Some(right), Some(left)]).unwrap();
    let clips = [Arc::new(wave.build().unwrap())];
    (skeleton, clips, mirror)
}

fn mirrored_state(name: &str) -> StateData {
    StateData { mirror: true, ..StateData::new(name, "Wave") }
}

fn data(state: StateData) -> GraphData {
    let layers = vec![LayerData::new("base", MachineData::new(vec![state], vec![]))];
    GraphData { layers, ..GraphData::default() }
}

fn swap(name: &str) -> Option<String> {
    name.strip_suffix("_L").map(|name| format!("{name}_R"))
}

/// How high both hands are after half a second.
fn heights(state: StateData) -> [f32; 2] {
    let (skeleton, clips, mirror) = figure();
    let graph =
        Graph::with_mirror(data(state), &skeleton, &clips, |clip| clip.mirrored(&mirror, swap)).unwrap();
    let mut mixer = Mixer::new(&skeleton);
    let mut parameters = graph.parameters();
    let mut run = graph.start(&parameters, &mut mixer);
    graph.update(&mut run, &mut parameters, 0.5, &mut mixer);
    let mut pose = Pose::rest(&skeleton);
    mixer.sample(&mut pose);
    ["hand.L", "hand.R"].map(|name| pose.joint(skeleton.joint(name).unwrap()).translation.y)
}

#[test]
fn a_mirrored_state_moves_the_other_hand_and_its_markers_change_sides() {
    assert_eq!(heights(StateData::new("Wave", "Wave")), [1.0, 0.0]);
    assert_eq!(heights(mirrored_state("Wave")), [0.0, 1.0]);
    let (skeleton, clips, mirror) = figure();
    let data = data(mirrored_state("Wave"));
    let graph = Graph::with_mirror(data, &skeleton, &clips, |clip| clip.mirrored(&mirror, swap)).unwrap();
    let mut mixer = Mixer::new(&skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    graph.update(&mut state, &mut parameters, 0.75, &mut mixer);
    assert_eq!(mixer.markers().map(|marker| marker.name.to_string()).collect::<Vec<_>>(), ["hand_R"]);
}

#[test]
fn what_is_mirrored_in_a_mirrored_machine_is_as_it_was() {
    let machine = |inner: StateData| {
        let machine = MachineData::new(vec![inner], vec![]);
        StateData { mirror: true, ..StateData::new("Outer", machine) }
    };
    assert_eq!(heights(machine(StateData::new("Inner", "Wave"))), [0.0, 1.0]);
    assert_eq!(heights(machine(mirrored_state("Inner"))), [1.0, 0.0]);
}

#[test]
fn without_a_mirror_such_a_state_is_named() {
    let (skeleton, clips, _) = figure();
    let error = Graph::new(data(mirrored_state("Wave")), &skeleton, &clips).unwrap_err().to_string();
    assert!(error.contains("\"Wave\"") && error.contains("`mirror`"), "{error}");
    let (other, ..) = figure();
    let mut joints = Skeleton::builder();
    joints.joint("alone", None, Transform::IDENTITY);
    let alone = joints.build().unwrap();
    let wrong = Mirror::new(&alone, &[None]).unwrap();
    let mirrored = |clip: &Clip| clip.mirrored(&wrong, swap);
    let (_, clips, _) = figure();
    let error = Graph::with_mirror(data(mirrored_state("Wave")), &other, &clips, mirrored);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("\"Wave\""), "{error}");
}
