//! A character in one file, its motions in others.

use std::path::Path;

use canter_gltf::canter::glam::Vec3;
use canter_gltf::canter::{Pose, Skeleton};
use canter_gltf::{AddClipsError, Asset, load_bytes};
use serde_json::{Value, json};

use canter_testing::glb::Data;

/// Joints in a row, and clips that move some of them along X; each clip with extras.
fn file(joints: &[&str], clips: &[(&str, &[usize])]) -> Asset {
    let mut data = Data::default();
    let times = data.floats("SCALAR", 1, &[0.0, 1.0]);
    let moves = data.floats("VEC3", 3, &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    let nodes: Vec<Value> = joints.iter().map(|name| json!({ "name": name })).collect();
    let clip = |(name, nodes): &(&str, &[usize])| {
        let channel =
            |node: &usize| json!({ "sampler": 0, "target": { "node": node, "path": "translation" } });
        json!({
            "name": name,
            "samplers": [{ "input": times, "output": moves }],
            "channels": nodes.iter().map(channel).collect::<Vec<_>>(),
            "extras": { "of": name },
        })
    };
    let clips: Vec<Value> = clips.iter().map(clip).collect();
    load_bytes(&data.glb(json!({ "nodes": nodes, "animations": clips }))).unwrap()
}

fn place(asset: &Asset, clip: &str, joint: &str) -> Vec3 {
    let mut pose = Pose::rest(&asset.skeleton);
    asset.clip(clip).unwrap().sample(0.5, &mut pose);
    pose.joint(asset.skeleton.joint(joint).unwrap()).translation
}

#[test]
fn clips_of_another_file_are_bound_by_names() {
    let mut hero = file(&["hips", "spine", "head"], &[("Idle", &[0])]);
    let motions = file(&["tail", "head", "hips"], &[("Swim", &[1, 0]), ("Dive", &[2, 0]), ("Float", &[])]);
    let added = hero.add_clips(&motions).unwrap();
    assert_eq!((added.indices, added.unmatched), (1..4, vec!["tail".to_owned()]));
    let names: Vec<_> = hero.clips.iter().map(|clip| clip.name()).collect();
    assert_eq!(names, ["Idle", "Swim", "Dive", "Float"]);
    assert!(hero.clips.iter().all(|clip| clip.fits(&hero.skeleton)));
    assert_eq!(place(&hero, "Swim", "head"), Vec3::X * 2.0);
    assert_eq!((place(&hero, "Swim", "hips"), place(&hero, "Dive", "hips")), (Vec3::ZERO, Vec3::X * 2.0));
    assert_eq!(hero.clip_extras.len(), 4);
    assert_eq!(hero.clip_extras[1..], motions.clip_extras);
    assert_eq!(hero.clip_extras[1].is_some(), cfg!(feature = "extras"));
}

#[test]
fn a_clip_that_matches_nothing_is_an_error_and_nothing_is_added() {
    let mut hero = file(&["hips"], &[("Idle", &[0])]);
    let motions = file(&["root", "hips"], &[("Swim", &[1]), ("Dive", &[0])]);
    let error = hero.add_clips(&motions).unwrap_err();
    assert_eq!(error, AddClipsError::NothingMatches { clip: "Dive".into() });
    assert_eq!(error.to_string(), "clip \"Dive\" moves no bone of this skeleton: their names differ");
    assert_eq!((hero.clips.len(), hero.clip_extras.len()), (1, 1));
}

#[test]
fn the_heros_clips_move_another_hero_alike() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/hero.glb");
    let hero = canter_gltf::load(path).unwrap();
    let mut other = hero.clone();
    let added = other.add_clips(&hero).unwrap();
    assert_eq!((added.indices.len(), added.unmatched.len()), (hero.clips.len(), 0));
    let sampled = |skeleton: &Skeleton, index: usize| {
        let mut pose = Pose::rest(skeleton);
        other.clips[index].sample(0.3, &mut pose);
        skeleton.joints().map(|joint| pose.joint(joint)).collect::<Vec<_>>()
    };
    for index in 0..hero.clips.len() {
        assert_eq!(sampled(&hero.skeleton, index), sampled(&hero.skeleton, added.indices.start + index));
    }
}
