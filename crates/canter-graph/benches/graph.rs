//! What a graph costs: `cargo bench -p canter-graph`. The best of many runs, in nanoseconds.

#![allow(clippy::print_stdout, reason = "it is what a benchmark is for")]

use std::hint::black_box;
use std::time::Instant;

use canter::{Mixer, Pose};
use canter_graph::{
    ConditionData, Graph, GraphData, LayerData, MachineData, MethodData, OpData, ParameterData,
    ParameterKind, Space, StateData, TransitionData,
};
use canter_testing::{chain, rise};

/// The least time of one call, of many.
fn nanos(calls: u32, mut call: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..30 {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    best
}

/// States, each with a transition to the next three; none is ready.
fn large(layers: usize, states: usize) -> GraphData {
    let names: Vec<String> = (0..states).map(|state| format!("s{state}")).collect();
    let machine = || {
        let list = names.iter().map(|name| StateData::new(name.as_str(), "clip")).collect();
        let mut transitions = Vec::new();
        for (index, from) in names.iter().enumerate() {
            for step in 1..4 {
                let to = &names[(index + step) % states];
                let condition = ConditionData::compare("x", OpData::Greater, 1.0);
                transitions.push(TransitionData::new(from, to).when(condition));
            }
        }
        let any = ConditionData::is_set("jump");
        transitions.push(TransitionData::new("any", &names[1]).when(any));
        MachineData::new(list, transitions)
    };
    let layers = (0..layers).map(|layer| LayerData::new(format!("layer {layer}"), machine())).collect();
    let parameters = vec![
        ParameterData::new("x", ParameterKind::Float),
        ParameterData::new("jump", ParameterKind::Trigger),
    ];
    GraphData { parameters, layers, ..GraphData::default() }
}

fn of_large() {
    let skeleton = chain(20);
    let clips = [rise(&skeleton, "clip", 1.0, 1.0)];
    let graph = Graph::new(large(3, 30), &skeleton, &clips).unwrap();
    let mut mixer = Mixer::new(&skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    let mut alone = mixer.clone();
    let with = nanos(20_000, || graph.update(&mut state, &mut parameters, 1e-4, &mut mixer));
    let without = nanos(20_000, || drop(alone.advance(1e-4)));
    println!("30 states, 3 layers: {:.0} ns besides the mixer's {without:.0} ns", with - without);
}

fn of_spaces() {
    let mut samples = Vec::new();
    for x in 0..5_u8 {
        for y in 0..4_u8 {
            samples.push([f32::from(x) + 0.1 * f32::from(y), f32::from(y) - 0.07 * f32::from(x) - 1.5]);
        }
    }
    for method in [MethodData::Triangles, MethodData::Cartesian, MethodData::Directional] {
        let space = Space::plane(&samples, method).unwrap();
        let mut weights = [0.0; 20];
        let mut at = 0.0_f32;
        let nanos = nanos(50_000, || {
            at = (at + 0.618) % 4.0;
            space.weigh(black_box([at, (at * 7.3) % 3.0 - 1.5]), &mut weights);
            black_box(&weights);
        });
        println!("a 2D space of 20 samples, {method:?}: {nanos:.0} ns");
    }
}

fn of_hero() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
    let asset = canter_gltf::load(format!("{folder}/hero.glb")).unwrap();
    let json = std::fs::read_to_string(format!("{folder}/hero.graph.json")).unwrap();
    let graph = Graph::from_json(&json, &asset.skeleton, &asset.clips).unwrap();
    let mut mixer = Mixer::new(&asset.skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    let mut pose = Pose::rest(&asset.skeleton);
    let [left, forward] = ["left", "forward"].map(|name| graph.parameter(name).unwrap());
    parameters.set(left, 0.3).unwrap();
    graph.update(&mut state, &mut parameters, 5.0, &mut mixer);
    for is_turned in [false, true] {
        let mut secs = 0.0_f32;
        let with = nanos(2_000, || {
            secs = (secs + 1.0 / 60.0) % 8.0;
            parameters.set(forward, if is_turned { 0.4 * secs } else { 1.4 }).unwrap();
            graph.update(&mut state, &mut parameters, 1.0 / 60.0, &mut mixer);
            mixer.sample(&mut pose);
        });
        let mut alone = mixer.clone();
        let without = nanos(2_000, || {
            alone.advance(1.0 / 60.0);
            alone.sample(&mut pose);
        });
        let stick = if is_turned { "moves in every frame" } else { "is held" };
        println!(
            "the hero, whose stick {stick}: {with:.0} ns, {:.2} times its mixer's {without:.0} ns",
            with / without
        );
    }
}

fn main() {
    of_large();
    of_spaces();
    of_hero();
}
