//! Meshes that leave something out, or ask for what is not there.

use std::sync::Arc;

use canter::glam::{DAffine3, DVec3, Vec3};
use canter_scene::{Background, Camera, Character, Look, Model, Parent, Scene};
use serde_json::json;

use crate::device::devices;
use crate::file::{CORNERS, File};
use crate::studio::Studio;

const SIDE: u32 = 64;

fn camera() -> Camera {
    Camera::orbit(DVec3::ZERO, 2.8, 0.0, 0.0)
}

/// No ground, a black background, and the sun to the right.
fn look() -> Look {
    Look {
        background: Background::Color([0; 3]),
        ground: None,
        sun: Vec3::new(0.8, 0.1, 1.0),
        skeleton: false,
    }
}

/// A picture on every device, of the first moment.
fn shots(name: &str, model: &Arc<Model>) -> Vec<(&'static str, Vec<u8>)> {
    let mut scene = Scene::new();
    scene.spawn(Character::new(model), Parent::World, DAffine3::IDENTITY).unwrap();
    scene.update(0.0);
    let shot = |gpu| Studio::new(gpu).take(&scene, &camera(), &look(), (SIDE, SIDE)).0;
    let shots: Vec<_> = devices().iter().map(|gpu| (gpu.name, shot(gpu))).collect();
    if let (Some(folder), Some((_, pixels))) = (std::env::var_os("CANTER_SHOW"), shots.first()) {
        let path = std::path::Path::new(&folder).join(format!("{name}.png"));
        image::save_buffer(path, pixels, SIDE, SIDE, image::ColorType::Rgba8).unwrap();
    }
    shots
}

/// The green of a row of the picture.
fn row(pixels: &[u8], y: u32) -> Vec<u8> {
    let start = (y * SIDE * 4) as usize;
    pixels[start..][..SIDE as usize * 4].chunks(4).map(|pixel| pixel[1]).collect()
}

/// A square on two joints, the upper of which swings once in a second. `change` may change the joints of the
/// corners.
pub(crate) fn waving(change: impl FnOnce(&mut [[u16; 4]; 4])) -> File {
    let mut file = File::new();
    let mesh = file.square(json!({ "doubleSided": true }));
    let mut joints = [[0; 4], [0; 4], [1, 0, 0, 0], [1, 0, 0, 0]];
    change(&mut joints);
    let joints = file.joints(&joints);
    let weights = file.floats(&[[1.0, 0.0, 0.0, 0.0]; 4]);
    file.set_attribute(mesh, "JOINTS_0", joints);
    file.set_attribute(mesh, "WEIGHTS_0", weights);
    let upper = file.add("nodes", json!({ "rotation": [0.0, 0.0, 0.382_683_43, 0.923_879_5] }));
    let lower = file.node(json!({ "children": [upper] }));
    let skin = file.add("skins", json!({ "joints": [lower, upper] }));
    file.node(json!({ "mesh": mesh, "skin": skin }));
    let input = file.floats(&[[0.0], [0.5], [1.0]]);
    let turn = |angle: f32| [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()];
    let output = file.floats(&[turn(-1.5), turn(0.2), turn(1.6)]);
    file.add(
        "animations",
        json!({
            "samplers": [{ "input": input, "output": output }],
            "channels": [{ "sampler": 0, "target": { "node": upper, "path": "rotation" } }],
        }),
    );
    file
}

/// A roof whose halves share the vertices of the ridge: smooth normals would blur it.
#[test]
fn triangles_without_normals_are_flat() {
    let positions: [[f32; 3]; 6] = [
        [-0.5, -0.5, -0.25],
        [-0.5, 0.5, -0.25],
        [0.0, -0.5, 0.25],
        [0.0, 0.5, 0.25],
        [0.5, -0.5, -0.25],
        [0.5, 0.5, -0.25],
    ];
    let mut file = File::new();
    let positions = file.floats(&positions);
    let indices = file.indices(&[0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5]);
    let material = file.add("materials", json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0 } }));
    let primitive =
        json!({ "attributes": { "POSITION": positions }, "indices": indices, "material": material });
    let mesh = file.add("meshes", json!({ "primitives": [primitive] }));
    file.node(json!({ "mesh": mesh }));
    for (device, pixels) in shots("roof", &file.model()) {
        let row = row(&pixels, SIDE / 2);
        let (left, right) = (&row[18..30], &row[34..46]);
        let spread = |half: &[u8]| half.iter().max().unwrap() - half.iter().min().unwrap();
        assert!(spread(left) <= 6 && spread(right) <= 6, "{left:?} {right:?} on {device}");
        assert!(right[0] > left[0] + 60, "{left:?} {right:?} on {device}");
    }
}

/// A square whose shadow falls on itself would have spots.
#[test]
fn a_plane_in_slanting_light_is_even() {
    let mut file = File::new();
    let mesh = file.square(json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0 } }));
    file.node(json!({ "mesh": mesh }));
    for (device, pixels) in shots("plane", &file.model()) {
        let middle: Vec<u8> = (16..48).flat_map(|y| row(&pixels, y)[16..48].to_vec()).collect();
        let (min, max) = (middle.iter().min().unwrap(), middle.iter().max().unwrap());
        assert!(max - min <= 4, "from {min} to {max} on {device}");
    }
}

#[test]
fn a_mesh_without_indices_is_what_it_is_with_them() {
    let with = {
        let mut file = File::new();
        let mesh = file.square(json!({}));
        file.node(json!({ "mesh": mesh }));
        shots("indices", &file.model())
    };
    let without = {
        let mut file = File::new();
        let order = [0, 1, 2, 0, 2, 3];
        let positions = file.floats(&order.map(|corner: usize| CORNERS[corner]));
        let normals = file.floats(&[[0.0, 0.0, 1.0]; 6]);
        let material = file.add("materials", json!({}));
        let attributes = json!({ "POSITION": positions, "NORMAL": normals });
        let primitive = json!({ "attributes": attributes, "material": material });
        let mesh = file.add("meshes", json!({ "primitives": [primitive] }));
        file.node(json!({ "mesh": mesh }));
        shots("no-indices", &file.model())
    };
    for ((device, with), (_, without)) in with.iter().zip(&without) {
        assert!(with == without, "on {device}");
        assert!(row(with, SIDE / 2)[32] > 50, "there is something on {device}");
    }
}

/// No skin has joint 9: it is taken for the last one.
#[test]
fn joints_beyond_the_palette_give_a_picture() {
    let right = waving(|_| {}).model();
    let mut asset = {
        let file = waving(|_| {}).model();
        Arc::into_inner(file).expect("nobody else has it").asset
    };
    for set in asset
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
        .flat_map(|primitive| &mut primitive.influences)
    {
        for joint in set.joints.iter_mut().flatten().filter(|joint| **joint == 1) {
            *joint = 9;
        }
    }
    let wrong = Arc::new(Model::new(asset));
    for ((device, right), (_, wrong)) in shots("joints", &right).iter().zip(&shots("joints-beyond", &wrong)) {
        assert!(right == wrong, "on {device}");
        assert!(
            right.chunks(4).filter(|pixel| pixel[1] > 20).count() > 200,
            "there is something on {device}"
        );
    }
    let error = waving(|joints| joints[2][0] = 9).read().expect_err("such a file is refused");
    assert!(error.to_string().contains('9'), "{error}");
}
