//! What is an error, what a warning, and what is fine.

use canter_gltf::{LoadError, Severity, Warning, WarningCode, load_bytes};
use serde_json::json;

use canter_testing::glb::{Data, character};

fn warnings(file: &[u8]) -> Vec<Warning> {
    let mut warnings = load_bytes(file).unwrap().warnings;
    warnings.retain(|warning| warning.severity == Severity::Warning);
    warnings
}

fn codes(file: &[u8]) -> Vec<WarningCode> {
    warnings(file).iter().map(|warning| warning.code).collect()
}

#[test]
fn the_first_version_of_gltf_is_named() {
    let mut container = character();
    container[4] = 1;
    let texts: [&[u8]; 4] = [
        br#"{ "asset": { "version": "1.0" } }"#,
        br#"{ "asset": { "version": "1.0" }, "nodes": { "a": { "children": [] } }, "scene": "b" }"#,
        br#"{ "nodes": { "a": {} }, "meshes": {} }"#,
        &container,
    ];
    for text in texts {
        let error = load_bytes(text).unwrap_err();
        assert!(matches!(&error, LoadError::Version { found, .. } if found == "1.0"), "{error}");
        assert!(error.is_unsupported() && error.code() == "version", "{error}");
        assert!(error.to_string().contains("glTF 1.0 is not supported; expected 2.0"), "{error}");
    }
    let broken = load_bytes(br#"{ "asset": { "version": "2.0" }, "scenes": {} }"#).unwrap_err();
    assert!(matches!(broken, LoadError::Json { .. }) && !broken.is_unsupported(), "{broken}");
}

/// Buffers without bytes are in files that only name what other files have.
#[test]
fn a_buffer_without_bytes_is_an_error_when_they_are_needed() {
    let text = |more: &str| {
        format!(r#"{{ "asset": {{ "version": "2.0" }}, "buffers": [{{ "byteLength": 4 }}]{more} }}"#)
    };
    assert_eq!(codes(text("").as_bytes()), []);
    let view = r#", "bufferViews": [{ "buffer": 0, "byteLength": 4 }]"#;
    assert_eq!(codes(text(view).as_bytes()), []);
    let times = r#""accessors": [{ "bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR" }]"#;
    let channel = r#"{ "sampler": 0, "target": { "node": 0, "path": "translation" } }"#;
    let clip =
        r#"{ "samplers": [{ "input": 0, "output": 0 }], "channels": [CHANNEL] }"#.replace("CHANNEL", channel);
    let used = text(&format!(r#"{view}, {times}, "nodes": [{{}}], "animations": [{clip}]"#));
    assert_eq!(
        load_bytes(used.as_bytes()).unwrap_err().to_string(),
        "buffers[0]: found no uri, expected a uri, or the BIN chunk of a .glb for the first buffer"
    );
}

#[test]
fn a_name_that_is_no_utf_8_is_a_warning() {
    let file = b"{ \"asset\": { \"version\": \"2.0\" }, \"nodes\": [{ \"name\": \"a\xffb\" }] }";
    let found = warnings(file);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, WarningCode::InvalidUtf8);
    assert!(found[0].message.contains("at its byte 55"), "{}", found[0]);
    assert_eq!(load_bytes(file).unwrap().nodes[0].name.as_deref(), Some("a\u{fffd}b"));
}

#[test]
fn an_animated_node_with_a_matrix_is_told_once() {
    let mut data = Data::default();
    let input = data.floats("SCALAR", 1, &[0.0, 1.0]);
    let output = data.floats("VEC3", 3, &[1.0; 6]);
    let matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1];
    let channel = |path: &str| json!({ "sampler": 0, "target": { "node": 0, "path": path } });
    let clip = json!({
        "samplers": [{ "input": input, "output": output }],
        "channels": [channel("translation"), channel("scale")],
    });
    let file = data.glb(json!({ "nodes": [{ "matrix": matrix }], "animations": [clip, clip] }));
    assert_eq!(codes(&file), [WarningCode::MatrixAnimated]);
    assert_eq!(load_bytes(&file).unwrap().clips[1].tracks().len(), 2, "it is animated nevertheless");
}

#[test]
fn a_skin_without_a_mesh_is_a_warning() {
    let file = Data::default().glb(json!({ "nodes": [{ "skin": 0 }], "skins": [{ "joints": [0] }] }));
    assert_eq!(codes(&file), [WarningCode::SkinWithoutMesh]);
}

#[test]
fn an_index_that_restarts_primitives_is_a_warning() {
    let file = |mode: u32, indices: &[u8]| {
        let mut data = Data::default();
        let positions = data.floats("VEC3", 3, &[0.5; 18]);
        let view = data.view(indices);
        let accessor =
            json!({ "bufferView": view, "componentType": 5121, "count": indices.len(), "type": "SCALAR" });
        let indices = data.accessor(accessor);
        let primitive = json!({ "attributes": { "POSITION": positions }, "indices": indices, "mode": mode });
        data.glb(json!({ "meshes": [{ "primitives": [primitive] }] }))
    };
    let list = |file: &[u8]| load_bytes(file).unwrap().meshes[0].primitives[0].indices.clone();
    for (mode, indices, expected) in [
        // Two strips of triangles.
        (5, &[0, 1, 2, 255, 3, 4, 5][..], &[0, 1, 2, 3, 4, 5][..]),
        (3, &[0, 1, 255, 2, 3], &[0, 1, 2, 3]),
        // A list of triangles, one of which is cut off.
        (4, &[0, 1, 255, 3, 4, 5], &[3, 4, 5]),
        (4, &[255, 255], &[]),
    ] {
        let file = file(mode, indices);
        assert_eq!(codes(&file), [WarningCode::PrimitiveRestart], "{mode} {indices:?}");
        assert_eq!(list(&file), expected, "{mode} {indices:?}");
    }
    let error = load_bytes(&file(4, &[0, 1, 9])).unwrap_err().to_string();
    assert_eq!(
        error,
        "meshes[0].primitives[0].indices: found 9 at place 2, expected indices below 6, the number of vertices"
    );
}

#[test]
fn a_chunk_of_an_odd_length_is_a_warning() {
    let json = br#"{ "asset": { "version": "2.0" } }"#;
    assert_eq!(json.len() % 4, 1);
    let length = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let file = [b"glTF".as_slice(), &length(2), &length(20 + json.len()), &length(json.len()), b"JSON", json]
        .concat();
    assert_eq!(codes(&file), [WarningCode::ChunkAlignment]);
}

#[test]
fn codes_have_names_of_their_own() {
    assert_eq!(WarningCode::WeightSum.to_string(), "weights-sum");
    let json = json!({ "extensionsRequired": ["VENDOR_x"], "nodes": [{ "children": [7] }] });
    let error = load_bytes(&Data::default().glb(json)).unwrap_err();
    assert_eq!((error.code(), error.place()), ("required-extensions", "extensionsRequired"));
    let error = load_bytes(&Data::default().glb(json!({ "nodes": [{ "children": [7] }] }))).unwrap_err();
    assert_eq!((error.code(), error.place()), ("invalid", "nodes[0].children[0]"));
}
