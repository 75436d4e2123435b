//! A graph that drives a mixer.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::Mixer;
use canter_ecs::{
    AnimationGraph, AnimationGraphEvent, AnimationMarker, AnimationMixer, GraphParameters, Pose, Rig, Time,
    Update,
};
use canter_graph::Graph;

#[test]
fn a_graph_in_a_world_does_what_it_does_alone() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
    let hero = canter_gltf::load(format!("{folder}/hero.glb")).unwrap();
    let json = std::fs::read_to_string(format!("{folder}/hero.graph.json")).unwrap();
    let graph = Arc::new(Graph::from_json(&json, &hero.skeleton, &hero.clips).unwrap());
    let [forward, jump] = ["forward", "jump"].map(|name| graph.parameter(name).unwrap());

    let mut world = World::new();
    canter_ecs::install(&mut world, Update);
    let rig = Rig::new(&hero.skeleton, hero.skins.clone());
    let mut mixer = AnimationMixer::new(&rig);
    let parameters = GraphParameters(graph.parameters());
    let driver = AnimationGraph::new(&graph, &parameters, &mut mixer);
    let figure = world.spawn((rig, mixer, driver, parameters)).id();

    let mut alone = Mixer::new(&hero.skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut alone);
    let mut pose = canter::Pose::rest(&hero.skeleton);
    let (mut entered, mut steps) = (0, 0);
    for frame in 0..120 {
        world.get_mut::<GraphParameters>(figure).unwrap().set(forward, 1.4).unwrap();
        parameters.set(forward, 1.4).unwrap();
        if frame == 40 {
            world.get_mut::<GraphParameters>(figure).unwrap().trigger(jump).unwrap();
            parameters.trigger(jump).unwrap();
        }
        world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
        world.run_schedule(Update);
        graph.update(&mut state, &mut parameters, 1.0 / 60.0, &mut alone);
        alone.sample(&mut pose);
        assert_eq!(world.get::<AnimationGraph>(figure).unwrap().state(), &state);
        let (found, hips) = (world.get::<Pose>(figure).unwrap(), hero.skeleton.joint("hips").unwrap());
        assert_eq!(found.joint(hips), pose.joint(hips), "frame {frame}");
        entered += world.resource::<Messages<AnimationGraphEvent>>().iter_current_update_messages().count();
        steps += world.resource::<Messages<AnimationMarker>>().iter_current_update_messages().count();
    }
    assert_eq!(entered, 4); // into the jump, and out of it
    assert!(steps > 2, "{steps}");
}
