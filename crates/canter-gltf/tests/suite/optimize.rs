//! Files that are made smaller.

use canter::{Clip, ModelPose, Pose, Skeleton, glam::Vec3};
use canter_gltf::{
    Asset, Folder, LoadOptions, NoFiles, OptimizeOptions, Unchanged, load_bytes, load_bytes_with, optimize,
};
use canter_testing::{glb, models};
use serde_json::json;

const HERO: &[u8] = include_bytes!("../../../../assets/hero.glb");

fn options(error_mm: f64) -> OptimizeOptions {
    let mut options = OptimizeOptions::default();
    options.error_mm = error_mm;
    options
}

/// How far joints and points three centimetres beside them are apart, by the player itself, in metres; and how
/// large its numbers are.
fn apart(skeleton: &Skeleton, a: &Clip, b: &Clip) -> (f32, f32) {
    let (mut pose, mut model) =
        (Pose::rest(skeleton), [ModelPose::rest(skeleton), ModelPose::rest(skeleton)]);
    let rest = ModelPose::rest(skeleton);
    let (mut most, mut size) = (0.0_f32, 1.0_f32);
    const STEPS: u8 = 97;
    for step in 0..=STEPS {
        let secs = a.duration_secs() * f32::from(step) / f32::from(STEPS);
        for (clip, model) in [a, b].into_iter().zip(&mut model) {
            clip.sample(secs, &mut pose);
            model.compose(skeleton, &pose);
        }
        for joint in skeleton.joints() {
            let [from, to] = [0, 1].map(|index: usize| model[index].joint(joint));
            let length = rest.joint(joint).transform_vector3(Vec3::X).length();
            for axis in [Vec3::ZERO, Vec3::X, Vec3::NEG_Y, Vec3::Z] {
                let point = axis * if length > 1e-6 { 0.03 / length } else { 0.0 };
                let (from, to) = (from.transform_point3(point), to.transform_point3(point));
                most = most.max(from.distance(to));
                size = size.max(from.abs().max_element());
            }
        }
    }
    (most, size)
}

/// Optimizes a file, and checks everything that is promised.
fn check(name: &str, bytes: &[u8], folder: &Folder, options: &OptimizeOptions) -> (u64, u64) {
    let load = LoadOptions::default().without_images();
    let optimized = optimize(bytes, folder, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written = optimized.document.to_glb().unwrap();
    assert_eq!(written.len() as u64, optimized.bytes_after, "{name}");
    assert!(optimized.bytes_after <= optimized.bytes_before, "{name}");
    let before = load_bytes_with(bytes, folder, &load).unwrap();
    let after = load_bytes_with(&written, folder, &load).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(after.clips.len(), before.clips.len(), "{name}");
    for ((a, b), report) in before.clips.iter().zip(&after.clips).zip(&optimized.clips) {
        let place = format!("{name}, {}", a.name());
        assert!(report.error_mm <= options.error_mm, "{place}: {} mm", report.error_mm);
        assert_eq!((a.duration_secs(), a.name()), (b.duration_secs(), b.name()), "{place}");
        assert_eq!(a.markers(), b.markers(), "{place}");
        // What the player plays, with its own rounding.
        let (metres, size) = apart(&before.skeleton, a, b);
        let bound = report.error_mm / 1000.0 + 4e-6 * f64::from(size);
        assert!(f64::from(metres) <= bound, "{place}: {metres} m, measured {} mm", report.error_mm);
    }
    assert_eq!(new_warnings(&before, &after), Vec::<String>::new(), "{name}");
    (optimized.bytes_before, optimized.bytes_after)
}

fn new_warnings(before: &Asset, after: &Asset) -> Vec<String> {
    let texts =
        |asset: &Asset| asset.warnings.iter().map(|warning| warning.message.clone()).collect::<Vec<_>>();
    let old = texts(before);
    texts(after).into_iter().filter(|message| !old.contains(message)).collect()
}

#[test]
fn the_hero_gets_smaller_within_the_bound() {
    let here = Folder::new(".");
    let mut last = u64::MAX;
    for error_mm in [0.01, 0.1, 1.0, 10.0] {
        let (before, after) = check("hero", HERO, &here, &options(error_mm));
        assert!(after < before && after <= last, "{error_mm} mm: {before} became {after}, after {last}");
        last = after;
    }
}

#[test]
fn real_models_get_smaller_within_the_bound() {
    let (mut before, mut after) = (0, 0);
    for path in models::all() {
        let bytes = std::fs::read(&path).unwrap();
        let folder = Folder::new(path.parent().unwrap());
        let sizes = check(&path.display().to_string(), &bytes, &folder, &options(0.1));
        (before, after) = (before + sizes.0, after + sizes.1);
    }
    assert!(before == 0 || after * 4 < before * 3, "{before} became {after}");
}

#[test]
fn compressed_results_play_the_same() {
    let mut compressed = options(0.1);
    compressed.meshopt = true;
    let (_, plain) = check("hero", HERO, &Folder::new("."), &options(0.1));
    let (_, small) = check("hero", HERO, &Folder::new("."), &compressed);
    assert!(small < plain, "{plain} became {small}");
}

/// A file of one node that moves along keys.
fn moving(times: &[f32], values: &[f32], interpolation: &str) -> Vec<u8> {
    let mut data = glb::Data::default();
    let times = data.floats("SCALAR", 1, times);
    let values = data.floats("VEC3", 3, values);
    data.glb(json!({
        "nodes": [{ "translation": [0, 1, 0] }],
        "animations": [{
            "samplers": [{ "input": times, "output": values, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }]
        }]
    }))
}

#[test]
fn keys_go_where_nothing_is_lost() {
    let keys =
        |value: fn(f32) -> [f32; 3]| (0..20_u8).flat_map(|key| value(f32::from(key))).collect::<Vec<_>>();
    let line = keys(|key| [key, 1.0, 0.0]);
    let bent = keys(|key| [key, 1.0 + (key - 9.0).max(0.0), 0.0]);
    let still = keys(|_| [0.0, 1.0, 0.0]);
    let elsewhere = keys(|_| [0.0, 2.0, 0.0]);
    let steps = keys(|key| [if key < 7.0 { 0.0 } else { 1.0 }, 0.0, 0.0]);
    let times: Vec<f32> = (0..20_u8).map(f32::from).collect();
    for (what, values, interpolation, keys) in [
        ("a straight line", &line, "LINEAR", 2),
        ("a line with a bend", &bent, "LINEAR", 3),
        ("what is at rest keeps its length", &still, "LINEAR", 2),
        ("what stands elsewhere", &elsewhere, "LINEAR", 2),
        ("steps that repeat", &steps, "STEP", 3),
        ("a line of steps", &line, "STEP", 20),
    ] {
        let bytes = moving(&times, values, interpolation);
        let optimized = optimize(&bytes, &NoFiles, &options(0.1)).unwrap();
        assert_eq!(optimized.clips[0].keys[1], keys, "{what}");
        assert!(optimized.clips[0].error_mm < 1e-4, "{what}");
        let after = load_bytes(&optimized.document.to_glb().unwrap()).unwrap();
        assert_eq!(after.clips[0].duration_secs(), 19.0, "{what}");
    }
}

#[test]
fn odd_tracks_stay_what_they_are() {
    for (what, times, values, interpolation) in [
        ("one key", &[0.5][..], [[1.0, 2.0, 3.0]; 1].concat(), "LINEAR"),
        ("a jump", &[0.0, 1.0, 1.0, 2.0], [[0.0; 3], [0.0; 3], [5.0; 3], [5.0; 3]].concat(), "LINEAR"),
        ("no length", &[0.0, 0.0], [[0.0; 3], [1.0; 3]].concat(), "LINEAR"),
        (
            "a spline",
            &[0.0, 1.0],
            [[0.0; 3], [1.0; 3], [4.0; 3], [-4.0; 3], [3.0; 3], [0.0; 3]].concat(),
            "CUBICSPLINE",
        ),
    ] {
        let bytes = moving(times, &values, interpolation);
        for error_mm in [0.0, 0.1] {
            check(what, &bytes, &Folder::new("."), &options(error_mm));
        }
    }
}

/// three.js takes as many bytes as the stride says for the last vertex, too, and could not load files without them.
#[test]
fn the_last_vertex_has_a_whole_stride() {
    let mut options = options(0.1);
    options.quantize = true;
    let bytes = optimize(HERO, &NoFiles, &options).unwrap().document.to_glb().unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
    let mut strided = 0;
    for accessor in json["accessors"].as_array().unwrap() {
        let view = &json["bufferViews"][usize::try_from(number(&accessor["bufferView"])).unwrap()];
        let stride = number(&view["byteStride"]);
        let Some(first) = number(&accessor["byteOffset"]).checked_div(stride) else { continue };
        strided += 1;
        let steps = first + number(&accessor["count"]);
        assert!(steps * stride <= number(&view["byteLength"]), "{accessor} in {view}");
    }
    assert!(strided > 3, "{strided}");
}

/// Weights in 8 bits became floats, and the clip larger, though the file did not.
#[test]
fn no_clip_gets_larger() {
    for path in models::all() {
        let (bytes, folder) = (std::fs::read(&path).unwrap(), Folder::new(path.parent().unwrap()));
        for clip in optimize(&bytes, &folder, &options(0.1)).unwrap().clips {
            assert!(clip.bytes[1] <= clip.bytes[0], "{}, {}: {:?}", path.display(), clip.name, clip.bytes);
        }
    }
}

#[test]
fn a_bound_of_zero_changes_no_bit() {
    let optimized = optimize(HERO, &NoFiles, &options(0.0)).unwrap();
    assert!(optimized.clips.iter().all(|clip| clip.error_mm == 0.0), "{:?}", optimized.clips);
}

#[test]
fn the_unit_is_what_it_is_said_to_be() {
    // A bend by a tenth of a unit: 10 cm in metres, a millimetre in centimetres.
    let value = |key: u8| [f32::from(key), 1.1 - 0.01 * (f32::from(key) - 10.0).abs(), 0.0];
    let values: Vec<f32> = (0..21).flat_map(value).collect();
    let times: Vec<f32> = (0..21_u8).map(f32::from).collect();
    let bytes = moving(&times, &values, "LINEAR");
    let mut options = options(2.0);
    assert_eq!(optimize(&bytes, &NoFiles, &options).unwrap().clips[0].keys[1], 3);
    options.metres_per_unit = 0.01;
    let optimized = optimize(&bytes, &NoFiles, &options).unwrap();
    assert_eq!(optimized.clips[0].keys[1], 2);
    assert!((optimized.clips[0].error_mm - 1.0).abs() < 0.01, "{}", optimized.clips[0].error_mm);
}

#[test]
fn files_with_unknown_indices_are_left_alone() {
    let mut data = glb::Data::default();
    let times = data.floats("SCALAR", 1, &[0.0, 1.0, 2.0]);
    let values = data.floats("VEC3", 3, &[0.0; 9]);
    let bytes = data.glb(json!({
        "extensionsUsed": ["ACME_cloth"],
        "nodes": [{ "extensions": { "ACME_cloth": { "weights": 1 } } }],
        "animations": [{
            "samplers": [{ "input": times, "output": values }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }]
        }]
    }));
    let optimized = optimize(&bytes, &NoFiles, &options(0.1)).unwrap();
    assert!(
        matches!(&optimized.unchanged, Some(Unchanged::UnknownExtensions(names)) if names == &["ACME_cloth"])
    );
    assert!(optimized.document.to_glb().unwrap() == bytes);
}
