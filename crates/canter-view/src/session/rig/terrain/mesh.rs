//! What is seen of the terrain.

use std::sync::Arc;

use canter_scene::Model;

use super::{BOTTOM, HALF_WIDTH, HEIGHT, PERIOD, SLOPE, STAIRS, STEP, STEPS, TOP};

/// As often the course is there, around the figure.
pub(in crate::session::rig) const COPIES: u8 = 3;

#[derive(Default)]
struct Mesh {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    indices: Vec<u32>,
}

/// The course several times, the first from z = 0. What is level with the ground is left out.
pub(in crate::session::rig) fn model() -> Option<Arc<Model>> {
    let mut mesh = Mesh::default();
    for copy in 0..COPIES {
        mesh.course(f64::from(copy) * PERIOD);
    }
    canter_gltf::load_bytes(&mesh.glb()).ok().map(|asset| Arc::new(Model::new(asset)))
}

impl Mesh {
    fn course(&mut self, from: f64) {
        let mut height = 0.0;
        for step in 0..STEPS {
            let z = from + STAIRS + f64::from(step) * STEP[0];
            self.strip([z, height], [z, height + STEP[1]]);
            height += STEP[1];
            self.strip([z, height], [z + STEP[0], height]);
        }
        self.strip([from + TOP, HEIGHT], [from + SLOPE, HEIGHT]);
        self.strip([from + SLOPE, HEIGHT], [from + BOTTOM, 0.0]);
    }

    /// From one place (z and y) to another across the whole width, and the walls below.
    fn strip(&mut self, [z0, y0]: [f64; 2], [z1, y1]: [f64; 2]) {
        let (along, up) = (z1 - z0, y1 - y0);
        let length = along.hypot(up);
        let normal = [0.0, along / length, -up / length];
        let (left, right) = (-HALF_WIDTH, HALF_WIDTH);
        self.quad([[left, y0, z0], [left, y1, z1], [right, y1, z1], [right, y0, z0]], normal);
        if along > 0.0 {
            self.quad([[left, 0.0, z0], [left, 0.0, z1], [left, y1, z1], [left, y0, z0]], [-1.0, 0.0, 0.0]);
            self.quad(
                [[right, 0.0, z1], [right, 0.0, z0], [right, y0, z0], [right, y1, z1]],
                [1.0, 0.0, 0.0],
            );
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "some metres, and some dozens of corners")]
    fn quad(&mut self, corners: [[f64; 3]; 4], normal: [f64; 3]) {
        let first = self.positions.len() as u32;
        for corner in corners {
            self.positions.push(corner.map(|number| number as f32));
            self.normals.push(normal.map(|number| number as f32));
        }
        self.indices.extend([0, 1, 2, 0, 2, 3].map(|index| first + index));
    }

    /// As a file in memory: so it is loaded and drawn as all others are.
    fn glb(&self) -> Vec<u8> {
        let mut bin: Vec<u8> = Vec::new();
        let floats = self.positions.iter().chain(&self.normals).flatten();
        bin.extend(floats.flat_map(|number| number.to_le_bytes()));
        bin.extend(self.indices.iter().flat_map(|index| index.to_le_bytes()));
        let (count, indices) = (self.positions.len(), self.indices.len());
        let bound = |axis: usize, pick: fn(f32, f32) -> f32| {
            self.positions.iter().map(|it| it[axis]).reduce(pick).unwrap_or(0.0)
        };
        let [least, most] = [f32::min, f32::max].map(|pick| [0, 1, 2].map(|axis| bound(axis, pick)));
        let half = 12 * count;
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"name":"terrain","mesh":0}}],
"materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[0.62,0.64,0.67,1],"metallicFactor":0,"roughnessFactor":0.9}}}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1}},"indices":2,"material":0}}]}}],
"buffers":[{{"byteLength":{total}}}],
"bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{half}}},{{"buffer":0,"byteOffset":{half},"byteLength":{half}}},{{"buffer":0,"byteOffset":{both},"byteLength":{rest}}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3","min":{least:?},"max":{most:?}}},
{{"bufferView":1,"componentType":5126,"count":{count},"type":"VEC3"}},{{"bufferView":2,"componentType":5125,"count":{indices},"type":"SCALAR"}}]}}"#,
            total = bin.len(),
            both = 2 * half,
            rest = 4 * indices,
        );
        container(json.into_bytes(), &bin)
    }
}

/// JSON and numbers in one file.
fn container(mut json: Vec<u8>, bin: &[u8]) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = Vec::new();
    bytes.extend(b"glTF");
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend(size(12 + 8 + json.len() + 8 + bin.len()));
    bytes.extend(size(json.len()));
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend(size(bin.len()));
    bytes.extend(b"BIN\0");
    bytes.extend(bin);
    bytes
}
