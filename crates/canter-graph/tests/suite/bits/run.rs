//! A scripted run of the hero's graph, as numbers: to be called natively, in WebAssembly, or written down once
//! more in another language.
//!
//! 1. Load the hero and his graph; take his first skin. The graph starts before anything is set.
//! 2. In each of 900 frames, counted from 0, with `n` the count: set the floats `forward` to
//!    ((n modulo 200) - 50) / 64, `left` to ((7 n modulo 129) - 64) / 64, `turn` to 1 if n modulo 300 is 250 or
//!    more, else 0, and `breath` to (n modulo 65) / 64. Set the trigger `attack` if n modulo 150 is 60, `jump` if
//!    n modulo 170 is 90, `wave` if n modulo 200 is 130.
//! 3. Update by 1/60 (as `f32`), or by 0.5 if n modulo 50 is 49; sample; compose; write the palette as `Mat4`.
//! 4. A frame has two numbers, both 32-bit FNV-1a hashes: of the innermost states' names of all layers from
//!    below, each followed by a line feed, in UTF-8; and of the bytes of the palette, floats in little-endian order.

use canter::glam::Mat4;
use canter::{Mixer, ModelPose, Pose};
use canter_graph::{Graph, ParameterId};

pub(crate) const FRAMES: u16 = 900;

/// The numbers of every frame: of its states, and of its palette.
///
/// # Panics
/// If these are not the hero and his graph.
pub(crate) fn run(hero: &[u8], graph: &str) -> Vec<[u32; 2]> {
    let asset = canter_gltf::load_bytes(hero).expect("the hero");
    let graph = Graph::from_json(graph, &asset.skeleton, &asset.clips).expect("his graph");
    let (skeleton, skin) = (&asset.skeleton, &asset.skins[0]);
    let mut mixer = Mixer::new(skeleton);
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
    let mut palette = vec![Mat4::ZERO; skin.len()];
    let id = |name: &str| -> ParameterId { graph.parameter(name).expect("a parameter of his") };
    let mut numbers = Vec::new();
    for n in 0..FRAMES {
        let floats = [
            ("forward", (f32::from(n % 200) - 50.0) / 64.0),
            ("left", (f32::from(7 * n % 129) - 64.0) / 64.0),
            ("turn", if n % 300 >= 250 { 1.0 } else { 0.0 }),
            ("breath", f32::from(n % 65) / 64.0),
        ];
        for (name, value) in floats {
            parameters.set(id(name), value).expect("a float");
        }
        for (name, every, at) in [("attack", 150, 60), ("jump", 170, 90), ("wave", 200, 130)] {
            if n % every == at {
                parameters.trigger(id(name)).expect("a trigger");
            }
        }
        let dt_secs = if n % 50 == 49 { 0.5 } else { 1.0 / 60.0 };
        graph.update(&mut state, &mut parameters, dt_secs, &mut mixer);
        mixer.sample(&mut pose);
        model.compose(skeleton, &pose);
        skin.write_palette(&model, &mut palette);
        let paths = (0..graph.data().layers.len()).filter_map(|layer| state.state(layer));
        let states = paths.flat_map(|state| graph.state_path(state).bytes().chain([b'\n']));
        let floats = palette.iter().flat_map(Mat4::to_cols_array);
        numbers.push([hash(states), hash(floats.flat_map(f32::to_le_bytes))]);
    }
    numbers
}

fn hash(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
