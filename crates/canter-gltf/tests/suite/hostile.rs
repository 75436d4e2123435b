//! Files that mean harm: they ask for more than they hold, or lead in circles.

use std::time::{Duration, Instant};

use canter_gltf::{Asset, Limits, LoadError, LoadOptions, NoFiles, load_bytes, load_bytes_with};
use serde_json::{Value, json};

use canter_testing::glb::{Data, character, glb};

fn refuse(file: &[u8]) -> LoadError {
    let start = Instant::now();
    let error = load_bytes(file).unwrap_err();
    // Hours, if it were walked as it asks; a busy machine may take a second or two.
    assert!(start.elapsed() < Duration::from_secs(10), "{error}: {:?}", start.elapsed());
    error
}

#[test]
fn one_accessor_in_a_hundred_thousand_primitives_is_too_much() {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &[0.0; 3 * 4096]);
    let primitive = json!({ "attributes": { "POSITION": positions } });
    let primitives = vec![primitive; 100_000];
    let error = refuse(&data.glb(json!({ "meshes": [{ "primitives": primitives }] })));
    assert!(matches!(error, LoadError::Limit { .. }), "{error}");
}

#[test]
fn morph_targets_at_very_many_nodes_are_too_much() {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &[0.0; 9]);
    let targets = vec![json!({}); 20_000];
    let primitive = json!({ "attributes": { "POSITION": positions }, "targets": targets });
    let nodes = vec![json!({ "mesh": 0 }); 20_000];
    let error = refuse(&data.glb(json!({ "meshes": [{ "primitives": [primitive] }], "nodes": nodes })));
    assert!(matches!(error, LoadError::Limit { .. }), "{error}");
}

#[test]
fn a_list_of_two_million_empty_objects_is_refused_while_it_is_parsed() {
    let json = format!(r#"{{"asset":{{"version":"2.0"}},"materials":[{}{{}}]}}"#, "{},".repeat(2_000_000));
    let error = refuse(json.as_bytes()).to_string();
    assert!(error.starts_with("materials"), "{error}");
}

#[test]
fn graphs_that_are_no_trees_are_refused() {
    // Doubled children at every level: walked as a tree, 2^60 nodes.
    let doubled: Vec<Value> = (0..60).map(|index| json!({ "children": [index + 1, index + 1] })).collect();
    let ring: Vec<Value> = (0..1000).map(|index| json!({ "children": [(index + 1) % 1000] })).collect();
    for nodes in [json!([{ "children": [0] }]), json!(ring), json!(doubled), json!([{ "children": [1] }])] {
        let error = refuse(&glb(&json!({ "asset": { "version": "2.0" }, "nodes": nodes }), &[])).to_string();
        assert!(error.starts_with("nodes["), "{error}");
    }
}

#[test]
fn limits_are_kept() {
    let file = glb(&json!({ "asset": { "version": "2.0" }, "nodes": [{}, {}] }), &[]);
    let load = |change: fn(&mut Limits)| -> Result<Asset, LoadError> {
        let mut limits = Limits::default();
        change(&mut limits);
        load_bytes_with(&file, &NoFiles, &LoadOptions::default().with_limits(limits))
    };
    assert!(load(|limits| limits.nodes = 2).is_ok());
    assert!(matches!(load(|limits| limits.nodes = 1), Err(LoadError::Limit { found: 2, limit: 1, .. })));
    assert!(matches!(load(|limits| limits.json_bytes = 10), Err(LoadError::Limit { limit: 10, .. })));
    let character = character();
    let limits = |memory_bytes| {
        let mut limits = Limits::default();
        limits.memory_bytes = memory_bytes;
        load_bytes_with(&character, &NoFiles, &LoadOptions::default().with_limits(limits))
    };
    assert!(limits(1 << 20).is_ok());
    assert!(matches!(limits(64), Err(LoadError::Limit { limit: 64, .. })));
}

#[test]
fn random_changes_are_answered() {
    let good = character();
    let mut random = Random(1);
    for _ in 0..20_000 {
        let mut file = good.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(file.len());
            file[at] = u8::try_from(random.below(256)).unwrap();
        }
        let _ = load_bytes(&file);
    }
}

mod meshopt {
    //! Compressed views: what is compressed comes back, and garbage is an error.

    use canter_gltf::canter::glam::Vec3;
    use meshoptimizer as codec;

    use super::*;

    fn compressed(
        source: &[u8],
        count: usize,
        stride: usize,
        mode: &str,
        filter: &str,
        accessor: Value,
    ) -> Vec<u8> {
        let mut data = Data::default();
        let view = data.view(source);
        let compression = json!({ "buffer": 0, "byteOffset": 0, "byteLength": source.len(), "byteStride": stride,
            "count": count, "mode": mode, "filter": filter });
        *data.view_mut(view) = json!({ "buffer": 1, "byteLength": count * stride,
            "extensions": { "EXT_meshopt_compression": compression } });
        let index = data.accessor(accessor);
        let zeros = data.accessor(json!({ "componentType": 5126, "count": 300, "type": "VEC3" }));
        let primitive = match mode {
            "ATTRIBUTES" => json!({ "attributes": { "POSITION": index } }),
            _ => json!({ "attributes": { "POSITION": zeros }, "indices": index }),
        };
        data.glb(json!({
            "extensionsRequired": ["EXT_meshopt_compression"],
            "buffers": [
                { "byteLength": source.len() },
                { "byteLength": count * stride, "extensions": { "EXT_meshopt_compression": { "fallback": true } } },
            ],
            "meshes": [{ "primitives": [primitive] }],
        }))
    }

    fn positions(source: &[u8], count: usize, filter: &str) -> Vec<u8> {
        let accessor = json!({ "bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3" });
        compressed(source, count, 12, "ATTRIBUTES", filter, accessor)
    }

    fn indices(source: &[u8], count: usize, mode: &str) -> Vec<u8> {
        let accessor = json!({ "bufferView": 0, "componentType": 5123, "count": count, "type": "SCALAR" });
        compressed(source, count, 2, mode, "NONE", accessor)
    }

    fn encode_vertices(bytes: &[u8], count: usize, stride: usize) -> Vec<u8> {
        let mut encoded = vec![0; codec::encode_vertex_buffer_bound(count, stride).unwrap()];
        let capacity = encoded.len();
        let size = codec::encode_vertex_buffer(&mut encoded, capacity, bytes, count, stride).unwrap();
        encoded.truncate(size);
        encoded
    }

    #[test]
    fn vertices_come_back_bit_for_bit() {
        let expected: Vec<Vec3> =
            (0..100_u8).map(|i| Vec3::new(f32::from(i), 0.5, -f32::from(i) * 0.1)).collect();
        let bytes: Vec<u8> = expected.iter().flat_map(Vec3::to_array).flat_map(f32::to_le_bytes).collect();
        let asset = load_bytes(&positions(&encode_vertices(&bytes, 100, 12), 100, "NONE")).unwrap();
        assert_eq!(asset.meshes[0].primitives[0].positions, expected);
    }

    #[test]
    fn the_exponential_filter_comes_back_within_its_precision() {
        let numbers: Vec<f32> = (0..300_u16).map(|i| f32::from(i) * 0.37 - 50.0).collect();
        let mut filtered = vec![0; 1200];
        let mode = codec::EncodeExpMode::Separate;
        codec::encode_filter_exp(&mut filtered, 100, 12, 20, &numbers, mode).unwrap();
        let asset = load_bytes(&positions(&encode_vertices(&filtered, 100, 12), 100, "EXPONENTIAL")).unwrap();
        let found: Vec<f32> =
            asset.meshes[0].primitives[0].positions.iter().flat_map(Vec3::to_array).collect();
        for (found, expected) in found.iter().zip(&numbers) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }

    #[test]
    fn indices_come_back() {
        let list: Vec<u32> = (0..100).flat_map(|i| [i, i + 1, i + 2]).collect();
        let mut triangles = vec![0; codec::encode_index_buffer_bound(300, 300).unwrap()];
        let capacity = triangles.len();
        let size = codec::encode_index_buffer(&mut triangles, capacity, &list, 300).unwrap();
        let asset = load_bytes(&indices(&triangles[..size], 300, "TRIANGLES")).unwrap();
        // The codec may turn a triangle, but keeps its corners.
        let sorted = |list: &[u32]| -> Vec<Vec<u32>> {
            let sort = |triangle: &[u32]| {
                let mut triangle = triangle.to_vec();
                triangle.sort_unstable();
                triangle
            };
            list.chunks(3).map(sort).collect()
        };
        assert_eq!(sorted(&asset.meshes[0].primitives[0].indices), sorted(&list));

        let mut sequence = vec![0; codec::encode_index_sequence_bound(300, 300)];
        let capacity = sequence.len();
        let size = codec::encode_index_sequence(&mut sequence, capacity, &list, 300).unwrap();
        let asset = load_bytes(&indices(&sequence[..size], 300, "INDICES")).unwrap();
        assert_eq!(asset.meshes[0].primitives[0].indices, list);
    }

    #[test]
    fn garbage_is_answered() {
        let mut random = Random(7);
        for round in 0..4000 {
            let length = 1 + random.below(400);
            let mut garbage: Vec<u8> =
                (0..length).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
            // The right first byte lets it into the decoder.
            garbage[0] = [0xA0, 0xA1, 0xE0, 0xE1, 0xD0, 0xD1][round % 6];
            let count = 3 * (1 + random.below(100));
            let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", "?"];
            let _ = load_bytes(&positions(&garbage, count, filters[random.below(6)]));
            let _ = load_bytes(&indices(&garbage, count, ["TRIANGLES", "INDICES", "?"][random.below(3)]));
        }
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_decoded() {
        let error = refuse(&positions(&[0xA0; 64], 1_000_000_000, "NONE"));
        assert!(matches!(error, LoadError::Limit { .. }), "{error}");
    }
}

/// Xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
