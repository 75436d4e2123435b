//! An update does not allocate, whatever happens in it.

use canter::{Mixer, Pose};
use canter_graph::Graph;
use canter_testing::allocator::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(10)))), 1);
}

#[test]
fn updates_with_transitions_interruptions_and_blends_do_not_allocate() {
    let asset = canter_gltf::load(format!("{FOLDER}/hero.glb")).unwrap();
    let json = std::fs::read_to_string(format!("{FOLDER}/hero.graph.json")).unwrap();
    for fade in ["dead", "inertial", "cross", "frozen"] {
        let json = json.replace("\"duration\":", &format!("\"fade\": \"{fade}\", \"duration\":"));
        let graph = Graph::from_json(&json, &asset.skeleton, &asset.clips).unwrap();
        let mut mixer = Mixer::new(&asset.skeleton);
        let mut parameters = graph.parameters();
        let mut state = graph.start(&parameters, &mut mixer);
        let mut pose = Pose::rest(&asset.skeleton);
        let id = |name: &str| graph.parameter(name).unwrap();
        let ids = ["forward", "left", "turn"].map(id);
        let triggers = ["attack", "jump", "wave"].map(id);
        let mut transitions = 0;
        for frame in 0..900_u16 {
            let secs = f32::from(frame) / 60.0;
            for (index, id) in ids.iter().enumerate() {
                let wave = ((secs * [0.7, 1.3, 0.4][index]) % 2.0 - 1.0) * [3.0, 1.0, 2.0][index];
                parameters.set(*id, wave).unwrap();
            }
            if frame % 23 == 0 {
                parameters.trigger(triggers[usize::from(frame / 23 % 3)]).unwrap();
            }
            let dt_secs = if frame % 50 == 0 { 1.7 } else { 1.0 / 60.0 };
            let count = allocations(|| {
                graph.update(&mut state, &mut parameters, dt_secs, &mut mixer);
                mixer.sample(&mut pose);
            });
            assert_eq!(count, 0, "{fade}, frame {frame}: {:?}", state.events());
            transitions += state.events().len();
            if frame == 400 {
                // A clone has the same room.
                (state, mixer) = (state.clone(), mixer.clone());
            }
        }
        assert!(transitions > 60, "{transitions}");
    }
}
