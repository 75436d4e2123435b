//! What programs put into files for other programs.

use canter_gltf::{Asset, load_bytes};
use serde_json::{Value, json};

fn load(json: &str) -> Asset {
    load_bytes(json.as_bytes()).unwrap()
}

fn parsed(extras: Option<&str>) -> Option<Value> {
    extras.map(|text| serde_json::from_str(text).unwrap())
}

#[test]
fn extras_of_everything_are_readable() {
    let asset = load(
        r#"{
            "asset": { "version": "2.0", "extras": { "author": "somebody" } },
            "extras": [1, { "a": [] }],
            "scenes": [{ "nodes": [0], "extras": "stage" }, {}],
            "nodes": [{ "extras" :  { "hit": { "radius": 0.5, "tags": ["x", null, "}"] } }  }, {}],
            "animations": [
                { "samplers": [], "extras": { "markers": [{ "name": "step", "time": 0.25 }] }, "channels": [] },
                { "samplers": [], "channels": [] }
            ]
        }"#,
    );
    assert_eq!(parsed(asset.info.extras.as_deref()), Some(json!({ "author": "somebody" })));
    assert_eq!(parsed(asset.extras.as_deref()), Some(json!([1, { "a": [] }])));
    assert_eq!(asset.scenes[0].extras.as_deref(), Some("\"stage\""));
    assert_eq!(asset.scenes[1].extras, None);
    let node = r#"{ "hit": { "radius": 0.5, "tags": ["x", null, "}"] } }"#;
    assert_eq!(asset.nodes[0].extras.as_deref(), Some(node), "as it is written");
    assert_eq!(asset.nodes[1].extras, None);
    let markers = json!({ "markers": [{ "name": "step", "time": 0.25 }] });
    assert_eq!(parsed(asset.clip_extras[0].as_deref()), Some(markers));
    assert_eq!((asset.clip_extras.len(), &asset.clip_extras[1]), (2, &None));
}

#[test]
fn extras_may_be_of_any_kind() {
    for text in [
        "7",
        "-1.5e3",
        "true",
        "false",
        "\"\"",
        "\"a \\\" \\u00e4 }\"",
        "[]",
        "{}",
        "[[[[]]]]",
        "{\"a\":{\"b\":null}}",
    ] {
        let asset = load(&format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"extras":{text}}}]}}"#));
        assert_eq!(asset.nodes[0].extras.as_deref(), Some(text));
    }
    let absent = load(r#"{"asset":{"version":"2.0"},"nodes":[{"extras": null }]}"#);
    assert_eq!(absent.nodes[0].extras, None, "null and absent are the same");
    let depth = 100_000;
    let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let asset = load(&format!(r#"{{"asset":{{"version":"2.0"}},"extras":{deep}}}"#));
    assert_eq!(asset.extras.as_deref(), Some(deep.as_str()));
}

#[test]
fn extras_that_are_not_utf8_are_mended() {
    let mut bytes = br#"{"asset":{"version":"2.0"},"nodes":[{"extras":"a?b"}]}"#.to_vec();
    let place = bytes.iter().position(|&byte| byte == b'?').unwrap();
    bytes[place] = 0xff;
    let asset = load_bytes(&bytes).unwrap();
    assert_eq!(asset.nodes[0].extras.as_deref(), Some("\"a\u{fffd}b\""));
}

#[test]
fn broken_extras_are_broken_json() {
    for text in ["{", "[1,]", "nul", "{a:1}", "01"] {
        let json = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"extras":{text}}}]}}"#);
        let error = load_bytes(json.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("nodes[0].extras"), "{text}: {error}");
    }
}
