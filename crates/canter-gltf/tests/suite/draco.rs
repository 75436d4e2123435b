//! Meshes that are compressed by Draco, beside what the reference decoder makes of them.

use std::path::{Path, PathBuf};

use canter_gltf::{
    Asset, Limits, LoadError, LoadOptions, NoFiles, Severity, load, load_bytes, load_bytes_with,
};
use serde_json::{Value, json};

use canter_testing::glb::{self, Data};

pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn warnings(asset: &Asset) -> Vec<String> {
    let is_warning = |warning: &&canter_gltf::Warning| warning.severity == Severity::Warning;
    asset.warnings.iter().filter(is_warning).map(ToString::to_string).collect()
}

/// The JSON and the bytes of a .glb.
fn parts(file: &[u8]) -> (Value, &[u8]) {
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&file[20..20 + length]).unwrap(), &file[28 + length..])
}

/// A fixture whose JSON was changed.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let file = std::fs::read(fixture("tube-edgebreaker.draco.glb")).unwrap();
    let (mut json, bin) = parts(&file);
    change(&mut json);
    glb::glb(&json, bin)
}

#[test]
fn a_stream_decodes_to_the_bits_of_the_reference_decoder() {
    for name in ["tube-edgebreaker", "tube-sequential"] {
        let found = load(fixture(&format!("{name}.draco.glb"))).unwrap();
        let expected = load(fixture(&format!("{name}.decoded.glb"))).unwrap();
        assert_eq!(warnings(&found), [""; 0], "{name}");
        assert_eq!(found.meshes, expected.meshes, "{name}");
        let primitive = &found.meshes[0].primitives[0];
        assert_eq!((primitive.positions.len(), primitive.indices.len()), (35, 144), "{name}");
        assert!(primitive.is_skinned() && !primitive.computed_normals, "{name}");
        assert_eq!((primitive.colors.len(), primitive.tex_coords[0].len()), (35, 35), "{name}");
        assert_eq!(found.clips.len(), 1, "{name}");
    }
}

/// Of a thousand real primitives one in ten has accessors whose counts are those of before the compression.
#[test]
fn the_counts_of_the_stream_are_right_where_those_of_accessors_differ() {
    let file = changed(|json| {
        for accessor in 0..7 {
            json["accessors"][accessor]["count"] = json!(if accessor == 0 { 147 } else { 30 });
        }
    });
    let found = load_bytes(&file).unwrap();
    let expected = load(fixture("tube-edgebreaker.decoded.glb")).unwrap();
    assert_eq!(found.meshes, expected.meshes);
    let place = "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression";
    assert_eq!(
        warnings(&found),
        [
            format!("{place}: the accessors have 30 elements, the stream has 35, which counts"),
            format!("{place}: the accessor has 147 indices, the stream has 144, which counts"),
        ]
    );
}

/// Attributes are found by their ids, not by their order.
#[test]
fn attributes_are_found_by_their_unique_ids() {
    let file = changed(|json| {
        let draco = &mut json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
        draco["attributes"] = json!({ "NORMAL": 0, "POSITION": 1 });
    });
    // What is not named in the extension is read from its accessor, which has no bytes here.
    let found = load_bytes(&file).unwrap();
    let expected = load(fixture("tube-edgebreaker.decoded.glb")).unwrap();
    let (found, expected) = (&found.meshes[0].primitives[0], &expected.meshes[0].primitives[0]);
    assert_eq!((&found.positions, &found.normals), (&expected.normals, &expected.positions));

    let missing = changed(|json| {
        let draco = &mut json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
        draco["attributes"]["NORMAL"] = json!(77);
    });
    let error = load_bytes(&missing).unwrap_err().to_string();
    assert!(
        error.contains("attributes.NORMAL: found id 77, expected the id of an attribute in the stream"),
        "{error}"
    );
}

#[test]
fn numbers_become_what_their_accessors_say() {
    let file = changed(|json| {
        // Joints of 16 bits, colours as floats.
        json["accessors"][5]["componentType"] = json!(5123);
        json["accessors"][4]["componentType"] = json!(5126);
        json["accessors"][4]["normalized"] = json!(false);
    });
    let found = load_bytes(&file).unwrap();
    let expected = load(fixture("tube-edgebreaker.decoded.glb")).unwrap();
    let (found, expected) = (&found.meshes[0].primitives[0], &expected.meshes[0].primitives[0]);
    assert_eq!(found.influences, expected.influences);
    for (a, b) in found.colors.iter().zip(&expected.colors) {
        assert!(a.abs_diff_eq(*b, 1e-6), "{a} {b}");
    }
}

#[test]
fn a_broken_stream_is_an_error_with_its_place() {
    let mut data = Data::default();
    let stream = data.view(b"DRACO, but no mesh");
    let positions = data.accessor(json!({ "componentType": 5126, "count": 3, "type": "VEC3" }));
    let draco = json!({ "bufferView": stream, "attributes": { "POSITION": 0 } });
    let primitive = json!({ "attributes": { "POSITION": positions }, "extensions": { "KHR_draco_mesh_compression": draco } });
    let file = data.glb(json!({
        "extensionsRequired": ["KHR_draco_mesh_compression"],
        "meshes": [{ "primitives": [primitive] }],
    }));
    let error = load_bytes(&file).unwrap_err().to_string();
    let start = "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.bufferView: found 18 bytes that do not decode";
    assert!(error.starts_with(start), "{error}");
}

#[test]
fn a_stream_may_not_ask_for_more_memory_than_there_is() {
    let file = std::fs::read(fixture("tube-edgebreaker.draco.glb")).unwrap();
    let mut limits = Limits::default();
    limits.memory_bytes = 4000;
    let options = LoadOptions::default().with_limits(limits);
    let error = load_bytes_with(&file, &NoFiles, &options).unwrap_err();
    assert!(matches!(error, LoadError::Limit { .. } | LoadError::Invalid { .. }), "{error}");
}
