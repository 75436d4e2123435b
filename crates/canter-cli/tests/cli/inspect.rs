//! `canter inspect`.

use serde_json::{Value, json};

use crate::program::{TempFile, succeed};

#[test]
fn tables_name_what_is_in_the_file() {
    let file = TempFile::character("inspect-a.glb");
    let text = succeed(&["inspect", file.path()]);
    for part in
        ["3 nodes (2 joints), 1 skin, 1 clip, 1 mesh, 1 material", "move", "linear 2, step 1, cubic spline 1"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("spine"), "the tree comes on request");
    let tree = succeed(&["inspect", file.path(), "--tree"]);
    assert!(tree.contains("  hips 1, joint\n    spine 2, joint\n"), "{tree}");
}

#[test]
fn json_has_the_facts() {
    let file = TempFile::character("inspect-b.glb");
    let facts: Value = serde_json::from_str(&succeed(&["inspect", file.path(), "--json"])).unwrap();
    assert_eq!(facts["clips"][0]["name"], "move");
    assert_eq!(facts["clips"][0]["duration"], 1.0);
    assert_eq!(facts["clips"][0]["keys"], 12);
    assert_eq!(facts["clips"][0]["interpolations"], json!({ "step": 1, "linear": 2, "cubic_spline": 1 }));
    assert_eq!(facts["skins"][0]["joints"], json!([1, 2]));
    assert_eq!(facts["meshes"][0]["triangles"], 2);
    assert_eq!(facts["nodes"][2]["parent"], 1);
    assert_eq!(facts["warnings"], json!([]));
}

#[test]
fn markers_and_root_motion_are_told() {
    let text = succeed(&["inspect", "hero"]);
    for part in
        ["Markers", "0.450, 0.960", "Motion over the ground", "on the spot", "90.0°", "The joint root leads"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let facts: Value = serde_json::from_str(&succeed(&["inspect", "hero", "--json"])).unwrap();
    let clip = |name: &str| {
        facts["clips"].as_array().unwrap().iter().find(|clip| clip["name"] == name).unwrap().clone()
    };
    assert_eq!(facts["root_joint"]["name"], "root");
    assert_eq!(clip("Walk")["markers"][1], json!({ "name": "foot_R", "time": 0.5 }));
    assert_eq!(
        (clip("Walk")["root_motion"].clone(), clip("Idle")["ground_speed"].clone()),
        (Value::Null, Value::Null)
    );
    let close =
        |found: &Value, expected: f64| assert!((found.as_f64().unwrap() - expected).abs() < 1e-3, "{found}");
    close(&clip("Walk")["ground_speed"], 1.02);
    close(&clip("RunRoot")["root_motion"]["distance"], 2.03);
    close(&clip("RunRoot")["root_motion"]["speed"], 2.9);
    close(&clip("TurnRight")["root_motion"]["turn_degrees"], -90.0);
}
