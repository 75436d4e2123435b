//! The hero's graph, with the hero.

use canter::{Mixer, Pose};
use canter_graph::{Graph, GraphEventKind};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

#[test]
fn the_hero_walks_turns_jumps_and_swings_by_its_graph() {
    let asset = canter_gltf::load(format!("{FOLDER}/hero.glb")).unwrap();
    let json = std::fs::read_to_string(format!("{FOLDER}/hero.graph.json")).unwrap();
    let graph = Graph::from_json(&json, &asset.skeleton, &asset.clips).unwrap();
    assert!(graph.warnings().is_empty(), "{:?}", graph.warnings());
    let mut mixer = Mixer::new(&asset.skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    let mut pose = Pose::rest(&asset.skeleton);
    let id = |name: &str| graph.parameter(name).unwrap();
    let mut seen = Vec::new();
    for frame in 0..600 {
        let secs = f32::from(u16::try_from(frame).unwrap()) / 60.0;
        parameters.set(id("forward"), if secs < 5.0 { secs * 0.6 } else { 0.0 }).unwrap();
        parameters.set(id("left"), if (2.0..3.0).contains(&secs) { 0.9 } else { 0.0 }).unwrap();
        parameters.set(id("turn"), if secs > 7.0 { 1.0 } else { 0.0 }).unwrap();
        match frame {
            60 | 80 => parameters.trigger(id("attack")).unwrap(),
            240 => parameters.trigger(id("jump")).unwrap(),
            360 => parameters.trigger(id("wave")).unwrap(),
            _ => {}
        }
        graph.update(&mut state, &mut parameters, 1.0 / 60.0, &mut mixer);
        for event in state.events() {
            if let GraphEventKind::Enter(entered, _) = event.kind {
                seen.push(graph.state_path(entered).to_owned());
            }
        }
        mixer.sample(&mut pose);
        let joints = (0..asset.skeleton.joint_count()).filter_map(|index| asset.skeleton.joint_at(index));
        for joint in joints {
            let joint = pose.joint(joint);
            assert!(joint.rotation.is_finite() && joint.translation.is_finite());
        }
    }
    let expected = ["Attack", "Attack", "Free", "Jump", "Move", "Wave", "TurnLeft"];
    assert!(expected.iter().all(|state| seen.iter().any(|seen| seen == state)), "{seen:?}");
    assert_eq!(seen.iter().filter(|seen| *seen == "Attack").count(), 2);
    let text = graph.explain(&state, &parameters, &mixer).to_string();
    assert!(text.contains("because turn was 1") || text.contains("exit time"), "{text}");
}
