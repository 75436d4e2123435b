//! Files that are made in memory.

use serde_json::{Value, json};

/// Makes a .glb of JSON and bytes.
pub fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut json = json.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let u32_bytes = |number: usize| u32::try_from(number).expect("a small file").to_le_bytes();
    let length = 12 + 8 + json.len() + 8 + bin.len();
    let mut file = [b"glTF".as_slice(), &u32_bytes(2), &u32_bytes(length)].concat();
    for (kind, data) in [(b"JSON", json), (b"BIN\0", bin)] {
        file.extend(u32_bytes(data.len()));
        file.extend(kind);
        file.extend(data);
    }
    file
}

/// The buffer, the views and the accessors of a file that is made in memory.
#[derive(Default)]
pub struct Data {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Data {
    /// Adds a view and gives its index.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() }));
        self.bin.extend(bytes);
        self.views.len() - 1
    }

    /// Adds an accessor as it is written in the file.
    pub fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds floats with a view of their own.
    pub fn floats(&mut self, kind: &str, lanes: usize, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = numbers.len() / lanes;
        self.accessor(json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind }))
    }

    /// Changes the view at `index`.
    pub fn view_mut(&mut self, index: usize) -> &mut Value {
        &mut self.views[index]
    }

    /// The file, with the rest of its JSON.
    pub fn glb(&self, mut json: Value) -> Vec<u8> {
        let file = json.as_object_mut().expect("an object");
        file.entry("asset").or_insert(json!({ "version": "2.0" }));
        file.entry("buffers").or_insert(json!([{ "byteLength": self.bin.len() }]));
        file.insert("bufferViews".into(), json!(self.views));
        file.insert("accessors".into(), json!(self.accessors));
        glb(&json, &self.bin)
    }
}

/// A small character with everything: two joints, a skin, a morph target, clips of all kinds, a material.
pub fn character() -> Vec<u8> {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let target = data.floats("VEC3", 3, &[0.0, 0.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0, 0.5]);
    let weights = data.floats("VEC4", 4, &[0.5, 0.5, 0.0, 0.0].repeat(4));
    let view = data.view(&[0, 1, 0, 0].repeat(4));
    let joints =
        data.accessor(json!({ "bufferView": view, "componentType": 5121, "count": 4, "type": "VEC4" }));
    let view = data.view(&[0, 1, 2, 2, 1, 3]);
    let indices =
        data.accessor(json!({ "bufferView": view, "componentType": 5121, "count": 6, "type": "SCALAR" }));
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let inverse_bind = data.floats("MAT4", 16, &identity.repeat(2));
    let times = data.floats("SCALAR", 1, &[0.0, 0.5, 1.0]);
    let moves = data.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let turns = data.floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8, 0.0, 0.0, 0.0, 1.0]);
    let spline = data.floats("VEC3", 3, &[1.0; 27]);
    let morphs = data.floats("SCALAR", 1, &[0.0, 1.0, 0.5]);
    data.glb(json!({
        "scene": 0,
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [
            { "name": "body", "mesh": 0, "skin": 0 },
            { "name": "hips", "children": [2], "rotation": [0, 0, 0, 1] },
            { "name": "spine", "translation": [0, 1, 0], "extras": { "any": [1, null] } },
        ],
        "skins": [{ "joints": [1, 2], "inverseBindMatrices": inverse_bind }],
        "meshes": [{
            "weights": [0.25],
            "extras": { "targetNames": ["out"] },
            "primitives": [{
                "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights },
                "indices": indices,
                "material": 0,
                "targets": [{ "POSITION": target }],
            }],
        }],
        "materials": [{ "name": "skin", "pbrMetallicRoughness": { "baseColorFactor": [1, 0.5, 0.25, 1] } }],
        "animations": [{
            "name": "move",
            "samplers": [
                { "input": times, "output": moves },
                { "input": times, "output": turns, "interpolation": "STEP" },
                { "input": times, "output": spline, "interpolation": "CUBICSPLINE" },
                { "input": times, "output": morphs },
            ],
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "translation" } },
                { "sampler": 1, "target": { "node": 2, "path": "rotation" } },
                { "sampler": 2, "target": { "node": 2, "path": "scale" } },
                { "sampler": 3, "target": { "node": 0, "path": "weights" } },
            ],
        }],
    }))
}
