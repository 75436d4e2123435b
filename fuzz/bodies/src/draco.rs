//! Arbitrary bytes as a mesh that Draco compressed.

use serde_json::{Value, json};

use crate::bytes;
use canter_testing::glb::Data;

/// Semantics with the types of their accessors; the ids in the stream are their places in the list.
const ATTRIBUTES: [(&str, &str, u32); 6] = [
    ("POSITION", "VEC3", 5126),
    ("NORMAL", "VEC3", 5126),
    ("TEXCOORD_0", "VEC2", 5126),
    ("COLOR_0", "VEC4", 5121),
    ("JOINTS_0", "VEC4", 5121),
    ("WEIGHTS_0", "VEC4", 5126),
];

/// Loads a file whose only mesh is the bytes, once with positions alone and once with all attributes.
pub fn draco(data: &[u8]) {
    for count in [1, ATTRIBUTES.len()] {
        bytes(&file(data, &ATTRIBUTES[..count]));
    }
}

fn file(stream: &[u8], attributes: &[(&str, &str, u32)]) -> Vec<u8> {
    let mut data = Data::default();
    let view = data.view(stream);
    let mut semantics = json!({});
    let mut ids = json!({});
    for (id, &(semantic, kind, component)) in attributes.iter().enumerate() {
        let accessor = data.accessor(json!({ "componentType": component, "count": 35, "type": kind }));
        semantics[semantic] = Value::from(accessor);
        ids[semantic] = Value::from(id);
    }
    let draco = json!({ "bufferView": view, "attributes": ids });
    data.glb(json!({
        "extensionsRequired": ["KHR_draco_mesh_compression"],
        "nodes": [{ "children": [1], "mesh": 0, "skin": 0 }, {}],
        "skins": [{ "joints": [0, 1] }],
        "meshes": [{ "primitives": [{
            "attributes": semantics, "extensions": { "KHR_draco_mesh_compression": draco },
        }] }],
    }))
}
