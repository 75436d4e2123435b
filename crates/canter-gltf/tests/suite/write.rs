//! Files that are changed and written again.

use std::path::Path;

use canter::{Clip, Marker, Skeleton, Track, Transform, glam::Vec3};
use canter_gltf::{Asset, Document, Folder, LoadOptions, NoFiles, WriteError, load_bytes, load_bytes_with};
use canter_testing::{glb, models};
use serde_json::{Value, json};

const HERO: &[u8] = include_bytes!("../../../../assets/hero.glb");

fn document(bytes: &[u8]) -> Document<'_> {
    Document::parse(bytes, &NoFiles, &LoadOptions::default()).unwrap()
}

fn number(json: &Value) -> usize {
    usize::try_from(json.as_u64().unwrap()).unwrap()
}

/// The JSON of a .glb.
fn json_of(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + length]).unwrap()
}

/// The tracks of a clip, in an order that does not depend on the file.
fn tracks(clip: &Clip) -> Vec<canter::ClipTrack> {
    let mut tracks: Vec<_> = clip.tracks().collect();
    tracks.sort_by_key(|track| format!("{:?}", track.target));
    tracks
}

/// All numbers of all clips.
fn clips_of(asset: &Asset) -> Vec<(String, Vec<canter::ClipTrack>)> {
    asset.clips.iter().map(|clip| (clip.name().to_owned(), tracks(clip))).collect()
}

#[test]
fn a_file_that_nobody_changed_has_the_same_bytes() {
    assert!(document(HERO).to_glb().unwrap() == HERO);
    let character = glb::character();
    assert!(document(&character).to_glb().unwrap() == character);
}

#[test]
fn real_models_stay_what_they_are() {
    for path in models::all() {
        let bytes = std::fs::read(&path).unwrap();
        let folder = Folder::new(path.parent().unwrap());
        let options = LoadOptions::default().without_images();
        let written = Document::parse(&bytes, &folder, &options).unwrap().to_glb().unwrap();
        let (before, after) =
            (load_bytes_with(&bytes, &folder, &options), load_bytes_with(&written, &folder, &options));
        let (before, after) = (before.unwrap(), after.unwrap());
        assert_eq!(clips_of(&before), clips_of(&after), "{}", path.display());
        assert_eq!(before.meshes, after.meshes, "{}", path.display());
        assert_eq!(before.skins[..], after.skins[..], "{}", path.display());
        assert_eq!(before.warnings, after.warnings, "{}", path.display());
    }
}

const ODD: &str = r#"{ "asset" : {"version":"2.0", "extras": [1.50, 1e-3, 12345678901234567890] },
  "extensionsUsed": ["ACME_cloth"], "nodes":[{"name":"a\u0062","translation":[0.10,1E0,-0.0],
  "extensions":{"ACME_cloth":{"accessor":0,"stiff":0.5000}}},{}],"ACME": {"x":  [ ]},
  "scenes":[{"nodes":[0,1]}] }"#;

fn rise(skeleton: &Skeleton) -> Clip {
    let mut clip = Clip::builder("Rise", skeleton);
    let joint = skeleton.joint_from_source(1).unwrap();
    clip.translation(joint, Track::linear(vec![0.25, 2.0], vec![Vec3::ZERO, Vec3::Y * 4.0]));
    clip.marker(Marker::new("top", 2.0));
    clip.build().unwrap()
}

#[test]
fn what_is_not_known_stays_as_it_is_written() {
    let asset = load_bytes(ODD.as_bytes()).unwrap();
    let mut document = document(ODD.as_bytes());
    assert_eq!(document.add_animation(&rise(&asset.skeleton), &asset).unwrap(), 0);
    let text = document.to_gltf("odd").unwrap();
    assert!(text.new.is_empty(), "there was no buffer, so the new one is in the text");
    let text = String::from_utf8(text.json).unwrap();
    for part in [
        r#"[1.50, 1e-3, 12345678901234567890]"#,
        r#"{"name":"a\u0062","translation":[0.10,1E0,-0.0],"#,
        r#""extensions":{"ACME_cloth":{"accessor":0,"stiff":0.5000}}}"#,
        r#""ACME":{"x":  [ ]}"#,
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let written = load_bytes(text.as_bytes()).unwrap();
    assert_eq!(written.clips[0].duration_secs(), 2.0);
    assert_eq!(written.clips[0].markers(), [Marker::new("top", 2.0)]);
    let json: Value = serde_json::from_str(&text).unwrap();
    let input = &json["accessors"][number(&json["animations"][0]["samplers"][0]["input"])];
    assert_eq!((&input["min"], &input["max"]), (&json!([0.25]), &json!([2])));
}

#[test]
fn nothing_is_renumbered_where_unknown_extensions_hold_indices() {
    let mut document = document(ODD.as_bytes());
    let error = document.prune().unwrap_err();
    assert!(error.to_string().contains("ACME_cloth"), "{error}");
    assert!(matches!(document.compress(), Err(WriteError::UnknownExtensions { .. })));
    assert_eq!(document.to_gltf("odd").unwrap().json, ODD.trim().as_bytes());
}

#[test]
fn clips_that_are_added_or_replaced_play_the_same_bits() {
    let asset = load_bytes(HERO).unwrap();
    let mut document = document(HERO);
    let run = asset.clip("Run").unwrap();
    let added = document.add_animation(run, &asset).unwrap();
    document.set_animation(0, run, &asset).unwrap();
    let written = document.to_glb().unwrap();
    let after = load_bytes(&written).unwrap();
    assert_eq!(added, asset.clips.len());
    for index in [0, added] {
        assert_eq!(tracks(&after.clips[index]), tracks(run), "{index}");
        assert_eq!((after.clips[index].name(), after.clips[index].markers()), ("Run", run.markers()));
    }
    for index in 1..added {
        assert_eq!(tracks(&after.clips[index]), tracks(&asset.clips[index]), "{index}");
    }
    // What is new comes behind what is there.
    let (old, new) = (json_of(HERO), json_of(&written));
    for list in ["accessors", "bufferViews", "nodes", "meshes", "skins", "materials"] {
        let old = old[list].as_array().unwrap();
        assert_eq!(&new[list].as_array().unwrap()[..old.len()], old.as_slice(), "{list}");
    }
    // Both animations show the same data.
    let samplers = |index: usize| {
        let samplers = new["animations"][index]["samplers"].as_array().unwrap();
        let mut texts: Vec<String> = samplers.iter().map(Value::to_string).collect();
        texts.sort();
        texts
    };
    assert_eq!(samplers(0), samplers(added));
}

#[test]
fn clips_that_no_file_can_have_are_refused() {
    let asset = load_bytes(HERO).unwrap();
    let mut document = document(HERO);
    let walk = asset.clip("Walk").unwrap();
    let additive = walk.additive(canter::AdditiveReference::Clip { clip: walk, secs: 0.0 }).unwrap();
    assert!(matches!(document.add_animation(&additive, &asset), Err(WriteError::NotAPose { .. })));
    let split = load_bytes_with(HERO, &NoFiles, &LoadOptions::default().with_root_motion()).unwrap();
    let travels = split.clips.iter().find(|clip| clip.root_motion().is_some()).unwrap();
    assert!(matches!(document.add_animation(travels, &split), Err(WriteError::NotAPose { .. })));
    let mut joints = Skeleton::builder();
    joints.joint("other", None, Transform::IDENTITY);
    let skeleton = joints.build().unwrap();
    let other = Clip::builder("Other", &skeleton).build().unwrap();
    assert!(matches!(document.add_animation(&other, &asset), Err(WriteError::OtherSkeleton { .. })));
    let still = Clip::builder("Still", &asset.skeleton).build().unwrap();
    assert!(matches!(document.add_animation(&still, &asset), Err(WriteError::NoTracks { .. })));
    let missing = document.set_animation(99, walk, &asset);
    assert!(matches!(missing, Err(WriteError::NoAnimation { index: 99, .. })));
    assert!(document.to_glb().unwrap() == HERO, "nothing was changed");
}

#[test]
fn markers_are_put_into_extras_and_taken_out_of_them() {
    let asset = load_bytes(HERO).unwrap();
    let mut document = document(HERO);
    let markers = [Marker::new("a \"b\"\n", 0.1), Marker::window("c", 0.25, 0.5)];
    document.set_markers(0, &markers).unwrap();
    document.set_markers(1, &[]).unwrap();
    let after = load_bytes(&document.to_glb().unwrap()).unwrap();
    assert_eq!(after.clips[0].markers(), markers);
    assert!(after.clips[1].markers().is_empty() && !asset.clips[1].markers().is_empty());
    assert_eq!(after.clips[2].markers(), asset.clips[2].markers());
    let speed = asset.clip("Walk").unwrap().ground_speed();
    assert!(speed.is_some() && after.clip("Walk").unwrap().ground_speed() == speed, "other extras stay");
    let odd = r#"{"asset":{"version":"2.0"},"animations":[{"channels":[],"samplers":[],"extras":7}]}"#;
    let error = self::document(odd.as_bytes()).set_markers(0, &markers).unwrap_err();
    assert!(error.to_string().starts_with("animations[0].extras"), "{error}");
}

#[test]
fn a_gltf_has_its_new_data_in_a_file_beside_it() {
    let asset = load_bytes(HERO).unwrap();
    let mut document = document(HERO);
    document.add_animation(asset.clip("Run").unwrap(), &asset).unwrap();
    let files = document.to_gltf("my hero").unwrap();
    let [(name, content)] = files.new.as_slice() else { panic!("one file") };
    assert_eq!(name, "my hero.bin");
    let beside = |uri: &str| (uri == "my%20hero.bin").then(|| content.clone());
    let after = load_bytes_with(&files.json, &beside, &LoadOptions::default()).unwrap();
    assert_eq!(clips_of(&after)[..asset.clips.len()], clips_of(&asset));
    // And back, with a file of another name than the one that it must not write over.
    let options = LoadOptions::default();
    let mut again = Document::parse(&files.json, &beside, &options).unwrap();
    assert_eq!(again.files_beside(), ["my%20hero.bin"]);
    assert!(again.to_gltf("my hero").unwrap().new.is_empty(), "what did not change is not written");
    again.add_animation(asset.clip("Walk").unwrap(), &asset).unwrap();
    assert_eq!(again.to_gltf("other").unwrap().new[0].0, "other.bin");
    let glb = again.to_glb().unwrap();
    assert_eq!(load_bytes(&glb).unwrap().clips.len(), asset.clips.len() + 2);
}

#[test]
fn channels_that_are_not_read_keep_their_data() {
    let mut data = glb::Data::default();
    let times = data.floats("SCALAR", 1, &[0.0, 1.0]);
    let values = data.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let colours = data.floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let pointer =
        |to: &str| json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": to } } });
    let bytes = data.glb(json!({
        "extensionsUsed": ["KHR_animation_pointer"],
        "nodes": [{}],
        "materials": [{}],
        "animations": [{
            "samplers": [{ "input": times, "output": colours }, { "input": times, "output": values, "extras": 1 }],
            "channels": [
                { "sampler": 0, "target": pointer("/materials/0/pbrMetallicRoughness/baseColorFactor") },
                { "sampler": 1, "target": { "node": 0, "path": "translation" }, "extras": "kept" }
            ]
        }]
    }));
    let asset = load_bytes(&bytes).unwrap();
    let mut document = document(&bytes);
    document.set_animation(0, &asset.clips[0], &asset).unwrap();
    document.prune().unwrap();
    let json = json_of(&document.to_glb().unwrap());
    let animation = &json["animations"][0];
    assert_eq!(animation["channels"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&animation["channels"][1]["extras"], &animation["samplers"][1]["extras"]),
        (&json!("kept"), &json!(1))
    );
    let output = number(&animation["samplers"][0]["output"]);
    assert_eq!(json["accessors"][output]["type"], "VEC4");
    assert_eq!(json["accessors"].as_array().unwrap().len(), 4, "the old values are gone");
}

#[test]
fn pruning_leaves_out_what_nothing_uses_and_no_more() {
    let asset = load_bytes(HERO).unwrap();
    let mut document = document(HERO);
    let walk = asset.clip("Walk").unwrap();
    for index in 0..asset.clips.len() {
        document.set_animation(index, walk, &asset).unwrap();
    }
    document.prune().unwrap();
    let written = document.to_glb().unwrap();
    let after = load_bytes(&written).unwrap();
    assert!(written.len() < HERO.len(), "{} bytes", written.len());
    assert!(after.clips.iter().all(|clip| tracks(clip) == tracks(walk)));
    assert_eq!(after.meshes, asset.meshes);
    assert_eq!(after.skins[..], asset.skins[..]);
    assert!(after.warnings.is_empty(), "{:?}", after.warnings);
}

#[test]
fn compressed_files_read_back_to_the_same_numbers() {
    for path in models::all().iter().map(|path| path.as_path()).chain([Path::new("hero")]) {
        let bytes = if path == Path::new("hero") { HERO.to_vec() } else { std::fs::read(path).unwrap() };
        let folder = Folder::new(path.parent().unwrap());
        let options = LoadOptions::default().without_images();
        let before = load_bytes_with(&bytes, &folder, &options).unwrap();
        let mut document = Document::parse(&bytes, &folder, &options).unwrap();
        let written = match document.prune().and_then(|()| document.compress()) {
            Ok(()) => document.to_glb().unwrap(),
            Err(WriteError::UnknownExtensions { .. }) => continue,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        let after = load_bytes_with(&written, &folder, &options)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(clips_of(&before), clips_of(&after), "{}", path.display());
        assert_eq!(before.skins[..], after.skins[..], "{}", path.display());
        for (a, b) in
            before.meshes.iter().zip(&after.meshes).flat_map(|(a, b)| a.primitives.iter().zip(&b.primitives))
        {
            let mut rest = b.clone();
            rest.indices.clone_from(&a.indices);
            // Computed normals are sums over triangles, which come in another order of corners.
            if !a.computed_normals {
                assert_eq!(a, &rest, "{}", path.display());
            }
            // Each triangle from that of its corners on which comes first.
            let triangle = |corners: &[u32]| {
                let from = |first: usize| [&corners[first..], &corners[..first]].concat();
                (0..corners.len()).map(from).min().unwrap_or_default()
            };
            let triangles = |list: &[u32]| list.chunks(3).map(triangle).collect::<Vec<_>>();
            assert_eq!(triangles(&a.indices), triangles(&b.indices), "{}", path.display());
        }
    }
    let mut document = document(HERO);
    document.compress().unwrap();
    assert!(document.to_glb().unwrap().len() < HERO.len());
}

#[test]
fn further_chunks_of_a_container_stay() {
    let mut bytes = glb::character();
    let length = u32::try_from(bytes.len() + 12).unwrap();
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(b"XTRAdata");
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    let asset = load_bytes(&bytes).unwrap();
    let mut document = document(&bytes);
    document.add_animation(&asset.clips[0], &asset).unwrap();
    assert!(document.to_glb().unwrap().ends_with(b"XTRAdata"));
}

/// Files that load can be written, whatever was done to their bytes, and load again.
#[test]
fn changed_bytes_never_make_the_writer_panic() {
    let bytes = glb::character();
    let mut random = canter_testing::random::Random(7);
    for _ in 0..4000 {
        let mut changed = bytes.clone();
        for _ in 0..=random.below(3) {
            let place = random.below(changed.len());
            changed[place] = u8::try_from(random.below(256)).unwrap();
        }
        let Ok(asset) = load_bytes(&changed) else { continue };
        let Ok(mut document) = Document::parse(&changed, &NoFiles, &LoadOptions::default()) else { continue };
        for (index, clip) in asset.clips.iter().enumerate() {
            let _ = document.set_animation(index, clip, &asset);
        }
        let _ = document.prune();
        let _ = document.compress();
        let written = document.to_glb().unwrap();
        let again = load_bytes(&written).unwrap();
        assert_eq!(again.clips.len(), asset.clips.len());
    }
}
