//! Markers and root motion out of files.

use canter::glam::Vec3;
use canter::{Marker, RootMotion};
use canter_gltf::{LoadOptions, NoFiles, load_bytes, load_bytes_with, load_with, markers_path};
use serde_json::{Value, json};

/// A file with nodes, of which some travel along x in a second; the animation has extras.
fn file(nodes: &Value, travellers: &[usize], extras: &Value) -> Vec<u8> {
    let numbers = [0.0_f32, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let channels: Vec<Value> = travellers
        .iter()
        .map(|node| json!({ "sampler": 0, "target": { "node": node, "path": "translation" } }))
        .collect();
    let document = json!({
        "asset": { "version": "2.0" },
        "nodes": nodes,
        "animations": [{
            "name": "Walk",
            "channels": channels,
            "samplers": [{ "input": 0, "output": 1 }],
            "extras": extras,
        }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 2, "min": [0.0], "max": [1.0] },
            { "bufferView": 1, "componentType": 5126, "type": "VEC3", "count": 2 },
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 8, "byteLength": 24 },
        ],
        "buffers": [{ "byteLength": bytes.len(), "uri": data_uri(&bytes) }],
    });
    serde_json::to_vec(&document).unwrap()
}

fn data_uri(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = "data:application/octet-stream;base64,".to_owned();
    for three in bytes.chunks(3) {
        let word =
            three.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = char::from(LETTERS[(word >> (18 - 6 * place)) as usize & 63]);
            text.push(if place <= three.len() { letter } else { '=' });
        }
    }
    text
}

fn one_node() -> Value {
    json!([{ "name": "root" }])
}

#[test]
fn markers_come_from_the_extras_of_an_animation() {
    let markers = json!([
        { "name": "foot_R", "time": 0.5, "who": "knows" },
        { "name": "foot_L", "time": 0.0 },
        { "name": "blade", "time": 0.25, "duration": 0.5 },
        { "name": "end", "time": 1.0005 },
    ]);
    let extras = json!({ "markers": markers, "groundSpeedMetresPerSec": 1.5, "other": [1, 2] });
    let asset = load_bytes(&file(&one_node(), &[0], &extras)).unwrap();
    let expected = [
        Marker::new("foot_L", 0.0),
        Marker::window("blade", 0.25, 0.5),
        Marker::new("foot_R", 0.5),
        Marker::new("end", 1.0),
    ];
    assert_eq!(asset.clips[0].markers(), expected);
    assert_eq!(asset.clips[0].ground_speed(), Some(1.5));
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
}

#[test]
fn what_cannot_be_a_marker_is_left_out_with_a_warning() {
    let cases = [
        (json!({ "markers": [{ "name": "late", "time": 7.0 }] }), "marker \"late\" at 7 s is left out"),
        (json!({ "markers": [{ "name": "early", "time": -1.0 }] }), "marker \"early\" at -1 s is left out"),
        (json!({ "markers": [{ "name": "odd", "time": 0.0, "duration": -1.0 }] }), "its length is negative"),
        (json!({ "markers": [{ "time": 0.5 }] }), "markers are left out"),
        (json!({ "markers": "foot_L" }), "markers are left out"),
        (json!({ "markers": [{ "name": "x", "time": "soon" }] }), "markers are left out"),
    ];
    for (extras, expected) in cases {
        let asset = load_bytes(&file(&one_node(), &[0], &extras)).unwrap();
        assert!(asset.clips[0].markers().is_empty(), "{extras}");
        let warnings: Vec<String> = asset.warnings.iter().map(ToString::to_string).collect();
        assert!(warnings.iter().any(|warning| warning.contains(expected)), "{extras}: {warnings:?}");
        assert!(warnings[0].starts_with("animations[0].extras"), "{warnings:?}");
    }
    for extras in [json!(null), json!("text"), json!(7), json!([1]), json!({})] {
        let asset = load_bytes(&file(&one_node(), &[0], &extras)).unwrap();
        assert!(asset.warnings.is_empty(), "{extras}: {:?}", asset.warnings);
    }
}

#[test]
fn markers_beside_a_model_are_found_and_written_as_they_are_read() {
    let folder = std::env::temp_dir().join(format!("canter-markers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let model = folder.join("walker.gltf");
    std::fs::write(&model, file(&one_node(), &[0], &json!({}))).unwrap();
    let mut asset = load_with(&model, &LoadOptions::default()).unwrap();
    let odd = Marker::window("a \"name\"\n\\", 0.25, 0.125);
    asset.set_markers(0, [Marker::new("foot_L", 0.1), odd]).unwrap();
    std::fs::write(markers_path(&model), asset.markers_json()).unwrap();
    let again = load_with(&model, &LoadOptions::default()).unwrap();
    assert_eq!(again.clips[0].markers(), asset.clips[0].markers());
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    for (text, expected) in [
        ("{ \"clips\": [", "markers are left out"),
        ("{ \"clips\": [{ \"name\": \"Fly\", \"markers\": [] }] }", "the model has no clip [\"Fly\"]"),
        (
            "{ \"clips\": [{ \"name\": \"Walk\", \"markers\": [{ \"name\": \"x\", \"time\": 9 }] }] }",
            "it is at 9 s; expected a time from 0 to 1 s",
        ),
    ] {
        std::fs::write(markers_path(&model), text).unwrap();
        let asset = load_with(&model, &LoadOptions::default()).unwrap();
        let warnings: Vec<String> = asset.warnings.iter().map(ToString::to_string).collect();
        assert!(
            warnings[0].starts_with("walker.markers.json") && warnings[0].contains(expected),
            "{warnings:?}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_root_is_the_topmost_joint_that_travels() {
    let nodes = json!([
        { "name": "Armature", "children": [1], "rotation": [-0.6, 0.0, 0.0, 0.8] },
        { "name": "mixamorig:Hips", "children": [2] },
        { "name": "Spine", "translation": [0.0, 0.0, 1.0] },
    ]);
    let bytes = file(&nodes, &[1, 2], &json!({}));
    let asset = load_bytes_with(&bytes, &NoFiles, &LoadOptions::default().with_root_motion()).unwrap();
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    let root = asset.clips[0].root_motion().unwrap();
    assert_eq!(asset.skeleton.name(root.joint()), "mixamorig:Hips");
    assert!(root.at(1.0).translation.distance(Vec3::X * 2.0) < 1e-5);
    assert_eq!(asset.clips[0].ground_speed(), Some(2.0));
    // Unless asked for, clips are as the file has them.
    assert!(load_bytes(&bytes).unwrap().clips[0].root_motion().is_none());
}

#[test]
fn where_it_is_not_clear_which_joint_leads_a_warning_says_so() {
    let nodes = json!([
        { "name": "rider", "translation": [0.0, 1.0, 0.0] },
        { "name": "horse" },
    ]);
    let bytes = file(&nodes, &[0, 1], &json!({}));
    let asset = load_bytes_with(&bytes, &NoFiles, &LoadOptions::default().with_root_motion()).unwrap();
    let warning = asset.warnings[0].to_string();
    assert!(warning.contains("is taken for the root, but \"horse\" moves as far"), "{warning}");
    let mut asset = load_bytes(&bytes).unwrap();
    let horse = asset.skeleton.joint("horse").unwrap();
    asset.split_root_motion(RootMotion::over_ground(horse));
    assert_eq!(asset.clips[0].root_motion().unwrap().joint(), horse);
}

#[test]
fn without_a_joint_that_travels_nothing_is_split() {
    let asset = load_bytes_with(
        &file(
            &json!([{ "name": "tail" }, { "name": "other", "translation": [0.0, 9.0, 0.0] }]),
            &[],
            &json!({}),
        ),
        &NoFiles,
        &LoadOptions::default().with_root_motion(),
    );
    let asset = asset.unwrap();
    assert!(asset.root_joint().is_none() && asset.clips[0].root_motion().is_none());
}
