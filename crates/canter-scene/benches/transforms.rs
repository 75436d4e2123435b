//! What it costs to place 100,000 nodes of which one in a hundred moved, beside placing all of them.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

use std::time::{Duration, Instant};

use canter::glam::{DAffine3, DVec3};
use canter_scene::{NodeId, Parent, Scene};

const NODES: usize = 100_000;
const RUNS: usize = 40;

fn main() {
    let mut scene = Scene::new();
    let nodes = build(&mut scene);
    let leaves: Vec<NodeId> =
        nodes.iter().copied().filter(|&id| scene.children(id).next().is_none()).collect();
    let some: Vec<NodeId> = leaves.iter().copied().step_by(leaves.len() / (NODES / 100)).collect();
    let all = min(&mut scene, &nodes);
    let few = min(&mut scene, &some);
    println!("{NODES} nodes in trees of depth 6, moved and placed, min of {RUNS} runs:");
    println!(
        "    all of them: {all:?}; {} of them: {few:?}, {:.1} %",
        some.len(),
        100.0 * few.as_secs_f64() / all.as_secs_f64()
    );
}

/// Trees in which every node has up to six children.
fn build(scene: &mut Scene) -> Vec<NodeId> {
    let mut nodes = Vec::with_capacity(NODES);
    for index in 0..NODES {
        let parent = match index {
            0..100 => Parent::World,
            _ => Parent::Node(nodes[(index - 100) / 6]),
        };
        nodes.push(scene.insert(parent, DAffine3::from_translation(DVec3::Y)).expect("the parent is there"));
    }
    scene.update_transforms();
    nodes
}

fn min(scene: &mut Scene, moved: &[NodeId]) -> Duration {
    let run = |scene: &mut Scene| {
        let start = Instant::now();
        for &id in moved {
            scene.set_local(id, DAffine3::from_translation(DVec3::X));
        }
        scene.update_transforms();
        start.elapsed()
    };
    (0..RUNS).map(|_| run(scene)).min().unwrap_or_default()
}
