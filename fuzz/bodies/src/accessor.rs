//! A small file whose accessors and views say anything.

use serde_json::{Map, Value, json};

use crate::bytes;
use crate::hero::WHOLE;
use crate::input::Input;
use canter_testing::glb;

const COMPONENTS: [u32; 8] = [5120, 5121, 5122, 5123, 5125, 5126, 5124, 5130];
const KINDS: [&str; 8] = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "VEC5"];
const ATTRIBUTES: [&str; 8] =
    ["NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0", "JOINTS_0", "WEIGHTS_0", "JOINTS_1", "_OWN"];
const PATHS: [&str; 4] = ["translation", "rotation", "scale", "weights"];
const INTERPOLATIONS: [&str; 3] = ["LINEAR", "STEP", "CUBICSPLINE"];

/// Makes the views and accessors that the bytes say, uses them as vertices, indices, inverse bind matrices
/// and keys, and loads the file. What is left of the bytes is the buffer.
pub fn accessor(data: &[u8]) {
    let mut input = Input(data);
    let view_count = 1 + input.below(4);
    let accessor_count = 1 + input.below(6);
    let mut views: Vec<Value> = (0..view_count).map(|_| view(&mut input)).collect();
    let accessors: Vec<Value> = (0..accessor_count).map(|_| one(&mut input, view_count)).collect();
    let index = |input: &mut Input<'_>| input.index(accessor_count);
    let mut attributes = Map::new();
    attributes.insert("POSITION".into(), index(&mut input).into());
    for _ in 0..input.below(4) {
        attributes.insert(input.pick(&ATTRIBUTES).into(), index(&mut input).into());
    }
    let mut primitive = json!({ "attributes": attributes });
    if input.once_in(2) {
        primitive["indices"] = index(&mut input).into();
    }
    if input.once_in(4) {
        primitive["targets"] = json!([{ "POSITION": index(&mut input) }]);
    }
    let mut skin = json!({ "joints": [0, 1] });
    if input.once_in(2) {
        skin["inverseBindMatrices"] = index(&mut input).into();
    }
    let samplers: Vec<Value> = (0..input.below(3))
        .map(|_| {
            json!({
                "input": index(&mut input), "output": index(&mut input),
                "interpolation": input.pick(&INTERPOLATIONS),
            })
        })
        .collect();
    let channels: Vec<Value> = (0..samplers.len())
        .map(|sampler| json!({ "sampler": sampler, "target": { "node": input.below(2), "path": input.pick(&PATHS) } }))
        .collect();
    let mut file = json!({
        "asset": { "version": "2.0" },
        "nodes": [{ "children": [1], "mesh": 0, "skin": 0 }, {}],
        "meshes": [{ "primitives": [primitive] }],
        "skins": [skin],
        "accessors": accessors,
    });
    if !samplers.is_empty() {
        file["animations"] = json!([{ "samplers": samplers, "channels": channels }]);
    }
    let bin = input.0;
    for view in &mut views {
        // As long as the buffer, unless the bytes said something else.
        if view["byteLength"].is_null() {
            let offset = view["byteOffset"].as_u64().unwrap_or(0);
            view["byteLength"] = (bin.len() as u64).saturating_sub(offset).into();
        }
    }
    file["bufferViews"] = views.into();
    file["buffers"] = json!([{ "byteLength": bin.len() }]);
    bytes(&glb::glb(&file, bin));
}

fn view(input: &mut Input<'_>) -> Value {
    let mut view = json!({ "buffer": 0, "byteOffset": number(input) });
    if input.once_in(4) {
        view["byteLength"] = number(input);
    }
    if input.once_in(3) {
        view["byteStride"] = number(input);
    }
    if input.once_in(6) {
        let modes = ["ATTRIBUTES", "TRIANGLES", "INDICES"];
        let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"];
        view["extensions"] = json!({ "EXT_meshopt_compression": {
            "buffer": 0, "byteOffset": number(input), "byteLength": number(input), "byteStride": number(input),
            "count": number(input), "mode": input.pick(&modes), "filter": input.pick(&filters),
        } });
    }
    view
}

fn one(input: &mut Input<'_>, view_count: usize) -> Value {
    let view = |input: &mut Input<'_>| input.index(view_count);
    let mut accessor = json!({
        "componentType": input.pick(&COMPONENTS),
        "type": input.pick(&KINDS),
        "count": number(input),
    });
    if !input.once_in(8) {
        accessor["bufferView"] = view(input).into();
    }
    if input.once_in(3) {
        accessor["byteOffset"] = number(input);
    }
    if input.once_in(3) {
        accessor["normalized"] = true.into();
    }
    if input.once_in(4) {
        accessor["sparse"] = json!({
            "count": number(input),
            "indices": {
                "bufferView": view(input), "byteOffset": number(input), "componentType": input.pick(&COMPONENTS),
            },
            "values": { "bufferView": view(input), "byteOffset": number(input) },
        });
    }
    accessor
}

/// Mostly small, now and then anything.
fn number(input: &mut Input<'_>) -> Value {
    let byte = input.byte();
    match byte {
        0..200 => (byte % 50).into(),
        200..224 => input.pick(&WHOLE).into(),
        224..240 => u16::from_le_bytes(input.bytes()).into(),
        _ => u64::from_le_bytes(input.bytes()).into(),
    }
}
