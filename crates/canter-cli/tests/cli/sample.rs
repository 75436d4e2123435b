//! `canter sample`.

use serde_json::{Value, json};

use crate::program::{TempFile, fail, succeed};
use canter_testing::models;

fn sample(arguments: &[&str]) -> Value {
    let text = succeed(&[&["sample"], arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn the_json_has_its_documented_form() {
    let file = TempFile::character("sample-a.glb");
    let pose = sample(&[file.path(), "--clip", "move", "--time", "0.25", "--vertices"]);
    assert_eq!(pose["clips"], json!([{ "name": "move", "index": 0, "time": 0.25, "weight": 1.0 }]));
    let hips = &pose["nodes"][1];
    assert_eq!((&hips["index"], &hips["name"]), (&json!(1), &json!("hips")));
    assert_eq!(hips["translation"], json!([0.5, 0.0, 0.0]));
    assert_eq!(hips["rotation"], json!([0.0, 0.0, 0.0, 1.0]));
    assert_eq!(hips["scale"], json!([1.0, 1.0, 1.0]));
    assert_eq!(hips["world"].as_array().unwrap().len(), 16);
    assert_eq!(hips["world"][12], json!(0.5));
    assert_eq!(pose["skins"][0]["index"], 0);
    assert_eq!(pose["skins"][0]["joints"], json!([1, 2]));
    assert_eq!(pose["skins"][0]["joint_matrices"][1][13], json!(1.0));
    assert_eq!(pose["morph_weights"], json!([{ "node": 0, "weights": [0.5] }]));
    assert_eq!(pose["nodes"][0]["morph_weights"], json!([0.5]));
    let primitive = &pose["primitives"][0];
    assert_eq!(
        (&primitive["node"], &primitive["mesh"], &primitive["primitive"]),
        (&json!(0), &json!(0), &json!(0))
    );
    assert_eq!(primitive["positions"].as_array().unwrap().len(), 4);
    assert_eq!(primitive["positions"][0], json!([0.5, 0.5, 0.25]));
    assert_eq!(primitive["normals"][0], json!([0.0, 0.0, 1.0]));
    assert_eq!(primitive["bounds"]["min"], json!([0.5, 0.5, 0.25]));
}

#[test]
fn without_a_clip_it_is_the_rest_pose() {
    let file = TempFile::character("sample-b.glb");
    let pose = sample(&[file.path()]);
    assert_eq!(pose["clips"], json!([]));
    assert_eq!(pose["nodes"][1]["translation"], json!([0.0, 0.0, 0.0]));
    assert_eq!(pose["morph_weights"][0]["weights"], json!([0.25]));
    assert!(pose.get("primitives").is_none());
}

#[test]
fn times_beyond_the_ends_clamp() {
    let file = TempFile::character("sample-c.glb");
    let at = |time: &str| sample(&[file.path(), "--clip", "0", "--time", time])["nodes"].take();
    assert_eq!(at("99"), at("1"));
    assert_eq!(at("-3"), at("0"));
}

#[test]
fn clips_blend_by_the_ratio_of_their_weights() {
    let file = TempFile::character("sample-d.glb");
    let x = |groups: &[&str]| {
        sample(&[&[file.path()], groups].concat())["nodes"][1]["translation"][0].as_f64().unwrap()
    };
    let quarter = [
        "--clip", "move", "--time", "0.5", "--weight", "0.001", "--clip", "0", "--time", "0", "--weight",
        "0.003",
    ];
    assert!((x(&quarter) - 0.25).abs() < 1e-6);
    let half = ["--clip", "move", "--time", "0.5", "--clip", "move"];
    assert!((x(&half) - 0.5).abs() < 1e-6);
}

#[test]
fn a_layer_lies_over_the_clips() {
    let joint = |pose: &Value, name: &str| {
        let nodes = pose["nodes"].as_array().unwrap();
        nodes.iter().find(|node| node["name"] == name).unwrap()["rotation"].clone()
    };
    let run = sample(&["hero", "--clip", "Run", "--time", "0.2"]);
    let attack = sample(&["hero", "--clip", "Attack", "--time", "0.3"]);
    let layer = "Attack,time=0.3,mask=chest";
    let both = sample(&["hero", "--clip", "Run", "--time", "0.2", "--layer", layer]);
    assert_eq!(joint(&both, "forearm_R"), joint(&attack, "forearm_R"));
    assert_eq!(joint(&both, "shin_L"), joint(&run, "shin_L"));
    assert_eq!(both["layers"][0]["name"], "Attack");
    assert_eq!((&both["layers"][0]["additive"], run.get("layers")), (&json!(false), None));
    let added = sample(&["hero", "--layer", "Run,additive=rest,time=0.2"]);
    assert_eq!(added["layers"][0]["additive"], true);
    let close = |name: &str| {
        let (a, b) = (joint(&added, name), joint(&run, name));
        (0..4).all(|lane| (a[lane].as_f64().unwrap() - b[lane].as_f64().unwrap()).abs() < 1e-5)
    };
    assert!(close("shin_L") && close("forearm_R"), "from the rest pose, a clip is itself");
    let text = succeed(&["sample", "hero", "--layer", layer]);
    assert!(text.contains("Layers") && text.contains("over"), "{text}");
    assert!(fail(&["sample", "hero", "--layer", "Attack,at=1"]).contains("there is no \"at\""));
}

#[test]
fn arguments_that_make_no_sense_are_explained() {
    let file = TempFile::character("sample-e.glb");
    let path = file.path();
    assert!(fail(&["sample", path, "--clip", "mvoe"]).contains("did you mean \"move\"?"));
    assert!(fail(&["sample", path, "--clip", "7"]).contains("there is no clip 7"));
    assert!(fail(&["sample", path, "--time", "1"]).contains("--time belongs to no clip"));
    assert!(fail(&["sample", path, "--clip", "0", "--time", "1", "--time", "2"]).contains("twice"));
    assert!(fail(&["sample", path, "--clip", "0", "--time", "nan"]).contains("no use"));
    for weight in ["-1", "inf", "1e19"] {
        let message = fail(&["sample", path, "--clip", "0", "--weight", weight]);
        assert!(message.contains("no use") && message.contains("from 0 to 1e18"), "{message}");
    }
}

/// `canter render hero --clip Wlak` advises `canter inspect hero`.
#[test]
fn the_models_of_the_program_can_be_looked_into() {
    assert!(succeed(&["inspect", "hero"]).contains("Walk"));
    assert!(succeed(&["inspect", "sword", "--tree"]).contains("1 mesh"));
    let expected = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
    let walk = ["--clip", "Walk", "--time", "0.25"];
    assert_eq!(sample(&[&["hero"], &walk[..]].concat()), sample(&[&[expected], &walk[..]].concat()));
}

#[test]
fn the_way_of_the_root_is_given_beside_the_pose() {
    let root = |clip: &str, time: &str| {
        let pose = sample(&["hero", "--clip", clip, "--time", time, "--root-motion"]);
        let hips =
            pose["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "root").unwrap().clone();
        (pose["root"].clone(), pose["markers"].clone(), hips["world"][14].as_f64().unwrap())
    };
    let number = |value: &Value| value.as_f64().unwrap();
    let (walk, markers, z) = root("WalkRoot", "0.75");
    assert!((number(&walk["translation"][2]) - 0.765).abs() < 1e-4 && z.abs() < 1e-4, "{walk} {z}");
    assert!((number(&walk["velocity"][2]) - 1.02).abs() < 1e-3, "{walk}");
    assert_eq!(walk["joint"], 1);
    let names: Vec<_> =
        markers.as_array().unwrap().iter().map(|it| (&it["name"], &it["kind"], &it["time"])).collect();
    let at = json!("at");
    assert_eq!(names, [(&json!("foot_L"), &at, &json!(0.0)), (&json!("foot_R"), &at, &json!(0.5))]);
    // Beyond its end a clip stands.
    let (late, _, _) = root("WalkRoot", "9");
    assert!((number(&late["translation"][2]) - 1.02).abs() < 1e-4, "{late}");
    assert_eq!(late["velocity"], json!([0.0, 0.0, 0.0]));
    let (turn, _, _) = root("TurnLeft", "0.9");
    assert!((number(&turn["yaw"]) - std::f64::consts::FRAC_PI_2).abs() < 1e-3, "{turn}");
    let (still, markers, _) = root("Idle", "1");
    assert_eq!(
        (still["joint"].clone(), still["translation"].clone(), markers),
        (Value::Null, json!([0.0, 0.0, 0.0]), Value::Null)
    );

    // Without the flag the root is in the pose.
    let plain = sample(&["hero", "--clip", "WalkRoot", "--time", "0.5"]);
    assert!(plain.get("root").is_none());
    let text = succeed(&["sample", "hero", "--clip", "WalkRoot", "--time", "0.5", "--root-motion"]);
    assert!(text.contains("Root motion") && text.contains("0.0000 0.0000 0.5100"), "{text}");
    assert!(fail(&["sample", "hero", "--root-motion=hps"]).contains("did you mean \"hips\"?"));
    let file = TempFile::character("sample-g.glb");
    let pose = sample(&[file.path(), "--clip", "move", "--time", "0.25"]);
    assert!(pose.get("root").is_none() && pose.get("markers").is_none());
}

#[test]
fn tables_for_people() {
    let file = TempFile::character("sample-f.glb");
    let text = succeed(&["sample", file.path(), "--clip", "move", "--time", "0.25", "--vertices"]);
    for part in ["Clips", "0.25 s", "hips", "0.5000 0.0000 0.0000", "Morph weights", "Primitives"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// The numbers are those of the library, to the last bit.
#[test]
fn numbers_read_back_to_the_same_bits() {
    let Some(root) = models::folder() else { return };
    let path = root.join("Fox/Fox.glb");
    let pose = sample(&[path.to_str().unwrap(), "--clip", "Walk", "--time", "0.3"]);
    let asset = canter_gltf::load(&path).unwrap();
    let mut expected = canter::Pose::rest(&asset.skeleton);
    asset.clip("Walk").unwrap().sample(0.3, &mut expected);
    for (node, found) in asset.nodes.iter().zip(pose["nodes"].as_array().unwrap()) {
        let local = expected.joint(node.joint);
        let numbers =
            [local.translation.as_ref(), local.rotation.to_array().as_slice(), local.scale.as_ref()].concat();
        let found =
            ["translation", "rotation", "scale"].map(|key| found[key].as_array().unwrap().clone()).concat();
        for (number, found) in numbers.iter().zip(&found) {
            let read_back: f32 = found.to_string().parse().unwrap();
            assert_eq!(number.to_bits(), read_back.to_bits(), "{number} {found}");
        }
    }
}

/// The whole way through the program agrees with the expected results of a real model: matrices, vertices, a
/// blend.
#[test]
fn a_real_model_agrees_with_its_expected_results() {
    let Some(root) = models::folder() else { return };
    let path = root.join("RiggedFigure/RiggedFigure.glb");
    let expected: Value = models::read_json(&root.join("expected/RiggedFigure.json"));
    let tolerance = 5e-6 * expected["tolScale"].as_f64().unwrap();
    let close = |found: &Value, expected: &Value| {
        let (found, expected) = (found.as_array().unwrap(), expected.as_array().unwrap());
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            let error = (found.as_f64().unwrap() - expected.as_f64().unwrap()).abs();
            assert!(error <= tolerance, "{found} {expected}");
        }
    };
    let mut poses = Vec::new();
    for pose in expected["samples"].as_array().unwrap().iter().step_by(3) {
        let parts = if pose["clip"].is_null() { json!([]) } else { json!([pose]) };
        poses.push((parts, pose));
    }
    poses.extend(expected["blends"].as_array().unwrap().iter().map(|blend| (blend["parts"].clone(), blend)));
    for (parts, pose) in poses {
        let mut arguments = vec![path.to_str().unwrap().to_owned(), "--vertices".to_owned()];
        for part in parts.as_array().unwrap() {
            let weight = part.get("weight").unwrap_or(&json!(1)).to_string();
            let group = [
                "--clip",
                &part["clip"].to_string(),
                "--time",
                &part["time"].to_string(),
                "--weight",
                &weight,
            ];
            arguments.extend(group.map(str::to_owned));
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let found = sample(&arguments);
        for skin in pose["skins"].as_array().unwrap() {
            let matrices = &found["skins"][index(&skin["skin"])]["joint_matrices"];
            for (joint, matrix) in
                skin["joints"].as_array().unwrap().iter().zip(skin["scene"].as_array().unwrap())
            {
                close(&matrices[index(joint)], matrix);
            }
        }
        for primitive in pose["primitives"].as_array().unwrap() {
            let found = &found["primitives"][index(&primitive["primitive"])];
            close(&found["bounds"]["min"], &primitive["min"]);
            close(&found["bounds"]["max"], &primitive["max"]);
            for vertex in primitive["verts"].as_array().unwrap() {
                close(&found["positions"][index(&vertex["i"])], &vertex["p"]);
            }
        }
    }
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}
