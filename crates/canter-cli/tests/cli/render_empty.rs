//! `canter render` of files that have little or nothing to draw: no picture is empty without a word.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use canter_testing::glb::Data;
use serde_json::{Value, json};

use crate::program::TempFile;

/// Renders a still on the CPU; gives whether that succeeded, what was said, and how many pixels are covered.
fn still(name: &str, bytes: &[u8]) -> (bool, String, usize) {
    still_by("--software", name, bytes)
}

fn still_by(renderer: &str, name: &str, bytes: &[u8]) -> (bool, String, usize) {
    let file = TempFile::new(&format!("{name}.glb"), bytes);
    let picture = std::env::temp_dir().join(format!("canter-cli-{}-{name}.png", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_canter"))
        .args(["render", file.path(), "--time", "0", "--size", "96", renderer, "--no-ground"])
        .args(["--background", "transparent", "-o"])
        .arg(&picture)
        .output()
        .unwrap();
    let covered = if output.status.success() { covered(&picture) } else { 0 };
    let _ = fs::remove_file(picture);
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned(), covered)
}

/// How many pixels of a picture are not transparent.
fn covered(picture: &Path) -> usize {
    let mut reader = png::Decoder::new(BufReader::new(File::open(picture).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels.chunks_exact(4).filter(|pixel| pixel[3] > 0).count()
}

/// A file with one primitive of some vertices.
fn primitive(vertices: &[f32], mode: u32) -> Vec<u8> {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, vertices);
    let primitive = json!({ "attributes": { "POSITION": positions }, "mode": mode });
    data.glb(scene(json!([{ "mesh": 0 }]), json!([{ "primitives": [primitive] }])))
}

fn scene(nodes: Value, meshes: Value) -> Value {
    let mut json = json!({ "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": nodes });
    if meshes != Value::Null {
        json["meshes"] = meshes;
    }
    json
}

/// A hip, a head and a foot.
fn motion_alone() -> Vec<u8> {
    let nodes = json!([
        { "name": "Hips", "translation": [0, 90, 0], "children": [1, 2] },
        { "name": "Head", "translation": [0, 70, 0] },
        { "name": "Foot", "translation": [10, -90, 5] },
    ]);
    Data::default().glb(scene(nodes, Value::Null))
}

#[test]
fn a_file_of_motion_alone_shows_its_bones_and_says_so() {
    let (success, said, covered) = still("bones", &motion_alone());
    assert!(success && said.contains("has no surfaces: its skeleton is drawn"), "{said}");
    assert!(covered > 100, "{covered} pixels");
}

/// Two points are no triangle.
#[test]
fn a_mesh_without_triangles_shows_bones_too() {
    let (success, said, covered) = still("two-points", &primitive(&[0.0; 6], 4));
    assert!(success && said.contains("its skeleton is drawn"), "{said}");
    assert!(covered > 0);
}

#[test]
fn a_file_without_anything_is_an_error() {
    let (success, said, _) = still("nothing", &Data::default().glb(json!({})));
    assert!(!success && said.contains("has nothing that can be drawn"), "{said}");
}

#[test]
fn a_picture_of_surfaces_that_nobody_sees_comes_with_a_warning() {
    let (success, said, covered) = still("flat", &primitive(&[0.0; 9], 4));
    assert!(success && covered == 0, "{covered} pixels: {said}");
    assert!(said.contains("warning") && said.contains("is seen"), "{said}");
}

#[test]
fn points_and_lines_are_drawn() {
    for (name, mode) in [("points", 0), ("lines", 1)] {
        let (success, said, covered) =
            still(name, &primitive(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], mode));
        assert!(success && covered > 3, "{name}: {covered} pixels: {said}");
        assert!(!said.contains("skeleton") && !said.contains("warning"), "{said}");
    }
}

#[cfg(feature = "gpu")]
#[test]
fn the_gpu_shows_bones_and_says_what_is_not_seen() {
    let (success, said, covered) = still_by("--gpu", "gpu-bones", &motion_alone());
    if said.contains("the GPU cannot draw") {
        canter_testing::requirement::skip("there is no graphics driver", "bones without surfaces are");
        return;
    }
    assert!(success && said.contains("has no surfaces: its skeleton is drawn"), "{said}");
    assert!(covered > 100, "{covered} pixels");
    let (success, said, covered) = still_by("--gpu", "gpu-flat", &primitive(&[0.0; 9], 4));
    assert!(success && covered == 0 && said.contains("is seen"), "{covered} pixels: {said}");
}
