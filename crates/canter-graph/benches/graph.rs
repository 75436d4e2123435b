//! What a graph costs: `cargo bench -p canter-graph`. The best of many runs, in nanoseconds.
//! `-- large`, `spaces` or `heroes` for a part of it.

#![allow(clippy::print_stdout, reason = "it is what a benchmark is for")]

use std::hint::black_box;
use std::time::Instant;

use canter::{Mixer, Pose};
use canter_graph::{
    ConditionData, Graph, GraphData, GraphState, LayerData, MachineData, MethodData, OpData, ParameterData,
    ParameterKind, Parameters, Space, StateData, TransitionData,
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
    let x = graph.parameter("x").unwrap();
    let mut at = 0.0_f32;
    let with = nanos(20_000, || {
        at = if at > 0.5 { 0.0 } else { at + 1e-3 };
        parameters.set(x, at).unwrap();
        graph.update(&mut state, &mut parameters, 1e-4, &mut mixer);
    });
    println!("30 states, 3 layers, all of which wait for a number that changes: {:.0} ns", with - without);
}

fn of_spaces() {
    let mut samples = Vec::new();
    for x in 0..5_u8 {
        for y in 0..4_u8 {
            samples.push([f32::from(x) + 0.1 * f32::from(y), f32::from(y) - 0.07 * f32::from(x) - 1.5]);
        }
    }
    // All over the space, in no order; found before, as remainders cost half as much as a space.
    let place = |number: u16| {
        let at = (f32::from(number) * 0.618) % 4.0;
        [at, (at * 7.3) % 3.0 - 1.5]
    };
    let places: Vec<_> = (0..1024).map(place).collect();
    for method in [MethodData::Triangles, MethodData::Cartesian, MethodData::Directional] {
        let space = Space::plane(&samples, method).unwrap();
        let mut weights = [0.0; 20];
        let mut place = places.iter().cycle();
        let nanos = nanos(50_000, || {
            space.weigh(black_box(*place.next().expect("they begin again")), &mut weights);
            black_box(&weights);
        });
        println!("a 2D space of 20 samples, {method:?}: {nanos:.0} ns");
    }
}

/// A character of a crowd that moves by the hero's graph.
struct Character {
    mixer: Mixer,
    parameters: Parameters,
    state: GraphState,
}

/// A thousand heroes, each with a stick at another place of a circle; what they cost beside their mixers.
fn of_heroes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
    let asset = canter_gltf::load(format!("{folder}/hero.glb")).unwrap();
    let json = std::fs::read_to_string(format!("{folder}/hero.graph.json")).unwrap();
    let graph = Graph::from_json(&json, &asset.skeleton, &asset.clips).unwrap();
    let mut pose = Pose::rest(&asset.skeleton);
    let [left, forward] = ["left", "forward"].map(|name| graph.parameter(name).unwrap());
    let stick = |number: u16, secs: f32| {
        let (sin, cos) = canter::math::sin_cos(f32::from(number) * 0.618 + 0.7 * secs);
        let far = 0.2 + f32::from(number % 7) * 0.3;
        [far * 0.4 * sin, far * cos]
    };
    for is_moved in [false, true] {
        let mut heroes: Vec<Character> = (0..1000_u16)
            .map(|number| {
                let mut mixer = Mixer::new(&asset.skeleton);
                let mut parameters = graph.parameters();
                let mut state = graph.start(&parameters, &mut mixer);
                let at = stick(number, 0.0);
                parameters.set(left, at[0]).unwrap();
                parameters.set(forward, at[1]).unwrap();
                graph.update(&mut state, &mut parameters, 5.0 + f32::from(number) / 300.0, &mut mixer);
                Character { mixer, parameters, state }
            })
            .collect();
        let mut alone: Vec<Mixer> = heroes.iter().map(|hero| hero.mixer.clone()).collect();
        let (mut secs, mut with, mut without) = (0.0_f32, f64::MAX, f64::MAX);
        // In turns, so that a busy machine is one for both.
        for _ in 0..40 {
            secs += 1.0 / 60.0;
            let start = Instant::now();
            for (number, hero) in (0_u16..).zip(&mut heroes) {
                if is_moved {
                    let at = stick(number, secs);
                    hero.parameters.set(left, at[0]).unwrap();
                    hero.parameters.set(forward, at[1]).unwrap();
                }
                graph.update(&mut hero.state, &mut hero.parameters, 1.0 / 60.0, &mut hero.mixer);
                hero.mixer.sample(&mut pose);
            }
            with = with.min(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            for mixer in &mut alone {
                mixer.advance(1.0 / 60.0);
                mixer.sample(&mut pose);
            }
            without = without.min(start.elapsed().as_secs_f64() * 1e6);
        }
        let stick = if is_moved { "move in every frame" } else { "are held" };
        println!(
            "1,000 heroes whose sticks {stick}: {with:.0} ns each, {:.2} times their mixers' {without:.0} ns",
            with / without
        );
    }
}

/// All of it, or what is named: `cargo bench -p canter-graph -- heroes`.
fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let benches: [(&str, fn()); 3] = [("large", of_large), ("spaces", of_spaces), ("heroes", of_heroes)];
    for (name, bench) in benches {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            bench();
        }
    }
}
