//! Pictures of squares with materials: textures, masks, and what is seen through.

use std::sync::Arc;

use canter::glam::{DAffine3, DVec3, Vec3};
use canter_scene::{Background, Camera, Character, Look, Model, Parent, Scene};
use serde_json::{Value, json};

use crate::device::devices;
use crate::file::File;
use crate::studio::Studio;

const SIDE: u32 = 64;

/// Looks at the origin from a yaw; a square fills most of the picture.
fn camera(yaw: f64) -> Camera {
    Camera::orbit(DVec3::ZERO, 2.4, yaw, 0.0)
}

/// No ground, a black background, and the sun behind the camera.
fn look() -> Look {
    Look { background: Background::Color([0; 3]), ground: None, sun: Vec3::Z, skeleton: false }
}

fn scene_of(model: &Arc<Model>) -> Scene {
    let mut scene = Scene::new();
    scene.spawn(Character::new(model), Parent::World, DAffine3::IDENTITY).unwrap();
    scene.update(0.0);
    scene
}

/// The colour at a place of the picture, from 0 to 1 to the right and down.
fn at(pixels: &[u8], x: f64, y: f64) -> [u8; 3] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the picture")]
    let [x, y] = [x, y].map(|part| (part * f64::from(SIDE)) as usize);
    let start = (y * SIDE as usize + x) * 4;
    pixels[start..start + 3].try_into().unwrap()
}

fn assert_near(color: [u8; 3], expected: [u8; 3], what: &str) {
    let is_near = color.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 2);
    assert!(is_near, "{what}: {color:?}, expected {expected:?}");
}

/// Pictures of a square from the front, on every device. With `CANTER_SHOW` set, the first of them is stored
/// there.
fn shots(name: &str, material: impl Fn(&mut File) -> Value) -> Vec<(&'static str, Vec<u8>)> {
    let mut file = File::new();
    let material = material(&mut file);
    let mesh = file.square(material);
    file.node(json!({ "mesh": mesh }));
    let scene = scene_of(&file.model());
    let shot = |gpu| Studio::new(gpu).take(&scene, &camera(0.0), &look(), (SIDE, SIDE)).0;
    let shots: Vec<_> = devices().iter().map(|gpu| (gpu.name, shot(gpu))).collect();
    for (_, pixels) in &shots[..shots.len().min(1)] {
        show(name, pixels);
    }
    shots
}

fn show(name: &str, pixels: &[u8]) {
    if let Some(folder) = std::env::var_os("CANTER_SHOW") {
        let path = std::path::Path::new(&folder).join(format!("{name}.png"));
        image::save_buffer(path, pixels, SIDE, SIDE, image::ColorType::Rgba8).unwrap();
    }
}

const RED: [u8; 4] = [200, 30, 30, 255];
const GREEN: [u8; 4] = [30, 160, 30, 255];
const BLUE: [u8; 4] = [30, 30, 180, 255];
const GREY: [u8; 4] = [120, 120, 120, 255];

/// The quarters of the picture: upper left, upper right, lower left, lower right.
const QUARTERS: [(f64, f64); 4] = [(0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7)];

/// Without light a colour comes out as the bytes in the file: nothing is encoded twice, or not at all.
#[test]
fn the_base_colour_texture_lies_upright_and_keeps_its_bytes() {
    let shots = shots("base", |file| {
        let texture = file.texture(2, &[RED, GREEN, BLUE, GREY]);
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": texture } },
            "extensions": { "KHR_materials_unlit": {} },
        })
    });
    for (device, pixels) in shots {
        for ((x, y), [r, g, b, _]) in QUARTERS.into_iter().zip([RED, GREEN, BLUE, GREY]) {
            assert_near(at(&pixels, x, y), [r, g, b], device);
        }
        assert_eq!(at(&pixels, 0.02, 0.02), [0; 3], "beside it on {device}");
    }
}

#[test]
fn a_glow_is_seen_where_its_texture_is_bright() {
    let shots = shots("emissive", |file| {
        let texture = file.texture(2, &[[0, 0, 0, 255], RED, GREEN, [0, 0, 0, 255]]);
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": [0.0, 0.0, 0.0, 1.0], "metallicFactor": 1.0, "roughnessFactor": 1.0 },
            "emissiveTexture": { "index": texture },
            "emissiveFactor": [1.0, 1.0, 1.0],
        })
    });
    for (device, pixels) in shots {
        let colors = [[0; 3], [200, 30, 30], [30, 160, 30], [0; 3]];
        for ((x, y), color) in QUARTERS.into_iter().zip(colors) {
            // A black surface still has a faint sheen.
            let seen = at(&pixels, x, y);
            let is_near = seen.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 8);
            assert!(is_near, "{seen:?}, expected {color:?} at {x} {y} on {device}");
        }
    }
}

/// Each quarter of the texture leans to another side, and the sun stands upper right.
#[test]
fn a_normal_texture_turns_the_light() {
    let lean = |x: i16, y: i16| [x, y, 100].map(|part| u8::try_from(128 + part).unwrap());
    let [left, right] = [lean(-70, 0), lean(70, 0)].map(|[x, y, z]| [x, y, z, 255]);
    let [up, down] = [lean(0, 70), lean(0, -70)].map(|[x, y, z]| [x, y, z, 255]);
    for has_tangents in [true, false] {
        let mut file = File::new();
        let texture = file.texture(2, &[left, right, up, down]);
        let mesh = file.square(json!({
            "normalTexture": { "index": texture },
            "pbrMetallicRoughness": { "baseColorFactor": [0.4, 0.4, 0.4, 1.0], "metallicFactor": 0.0 },
        }));
        if !has_tangents {
            file.without_attribute(mesh, "TANGENT");
        }
        file.node(json!({ "mesh": mesh }));
        let scene = scene_of(&file.model());
        let look = Look { sun: Vec3::new(0.7, 0.5, 0.8), ..look() };
        for gpu in devices().iter() {
            let (pixels, _) = Studio::new(gpu).take(&scene, &camera(0.0), &look, (SIDE, SIDE));
            show(if has_tangents { "bumps" } else { "bumps-without-tangents" }, &pixels);
            let [left, right, up, down] = QUARTERS.map(|(x, y)| at(&pixels, x, y)[1]);
            assert!(right > left + 20, "toward the sun is brighter: {right} and {left} on {}", gpu.name);
            assert!(up > down + 20, "and so is up: {up} and {down} on {}", gpu.name);
            assert!(right > up, "the sun is more to the right: {right} and {up} on {}", gpu.name);
        }
    }
}

/// The ground shows a shadow only of what is there.
#[test]
fn a_mask_has_holes_also_in_its_shadow() {
    let shots = shots("mask", |file| {
        let hole = |[r, g, b, _]: [u8; 4], alpha: u8| [r, g, b, alpha];
        let texture = file.texture(2, &[hole(RED, 127), hole(GREEN, 179), hole(BLUE, 255), hole(GREY, 0)]);
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": texture } },
            "alphaMode": "MASK", "alphaCutoff": 0.6,
            "extensions": { "KHR_materials_unlit": {} },
        })
    });
    for (device, pixels) in shots {
        let colors = [[0; 3], [30, 160, 30], [30, 30, 180], [0; 3]];
        for ((x, y), color) in QUARTERS.into_iter().zip(colors) {
            assert_near(at(&pixels, x, y), color, device);
        }
    }
}

/// A wall behind a screen with a hole in its right half: through the hole the sun shines.
#[test]
fn the_sun_shines_through_a_hole() {
    let mut file = File::new();
    let texture = file.texture(2, &[[255; 4], [255, 255, 255, 0]]);
    let screen = file.square(json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": texture }, "metallicFactor": 0.0 },
        "alphaMode": "MASK", "doubleSided": true,
    }));
    let wall =
        file.square(json!({ "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 } }));
    file.node(json!({ "mesh": wall, "scale": [3.0, 3.0, 1.0], "translation": [0.0, 0.0, -0.6] }));
    file.node(json!({ "mesh": screen, "translation": [0.0, 0.9, 0.0] }));
    let scene = scene_of(&file.model());
    let look = Look { sun: Vec3::new(0.0, 1.5, 1.0), ..look() };
    for gpu in devices().iter() {
        let (pixels, _) = Studio::new(gpu).take(&scene, &camera(0.0), &look, (SIDE, SIDE));
        show("hole", &pixels);
        let [shaded, sunny] = [at(&pixels, 0.35, 0.5)[1], at(&pixels, 0.65, 0.5)[1]];
        assert!(sunny > shaded + 40, "{sunny} and {shaded} on {}", gpu.name);
    }
}

fn light(byte: u8) -> f64 {
    let value = f64::from(byte) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn byte(light: f64) -> u8 {
    let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a colour")]
    let byte = (value * 255.0).round() as u8;
    byte
}

/// A red and a green pane, one behind the other: from each side, the nearer one lies over the farther one,
/// whichever comes first in the file, in one model or in two.
#[test]
fn what_is_seen_through_is_drawn_from_back_to_front() {
    let pane = |color: [f64; 4]| {
        json!({
            "pbrMetallicRoughness": { "baseColorFactor": color },
            "alphaMode": "BLEND", "doubleSided": true,
            "extensions": { "KHR_materials_unlit": {} },
        })
    };
    let (red, green) = ([0.6, 0.1, 0.05, 0.5], [0.05, 0.5, 0.1, 0.7]);
    let one_file = |first: ([f64; 4], f64), second: ([f64; 4], f64)| {
        let mut file = File::new();
        for (color, z) in [first, second] {
            let mesh = file.square(pane(color));
            file.node(json!({ "mesh": mesh, "translation": [0.0, 0.0, z] }));
        }
        scene_of(&file.model())
    };
    let two_files = {
        let mut scene = Scene::new();
        for (color, z) in [(red, 0.3), (green, -0.3)] {
            let mut file = File::new();
            let mesh = file.square(pane(color));
            file.node(json!({ "mesh": mesh }));
            let place = DAffine3::from_translation(DVec3::Z * z);
            scene.spawn(Character::new(&file.model()), Parent::World, place).unwrap();
        }
        scene.update(0.0);
        scene
    };
    let scenes = [one_file((red, 0.3), (green, -0.3)), one_file((green, -0.3), (red, 0.3)), two_files];
    let behind = [40, 60, 120];
    let over = |near: [f64; 4], far: [f64; 4]| -> [u8; 3] {
        std::array::from_fn(|channel| {
            let back = light(behind[channel]) * (1.0 - far[3]) + far[channel] * far[3];
            byte(back * (1.0 - near[3]) + near[channel] * near[3])
        })
    };
    let look = Look { background: Background::Color(behind), ..look() };
    for gpu in devices().iter() {
        for (number, scene) in scenes.iter().enumerate() {
            for (yaw, near, far) in [(0.0, red, green), (std::f64::consts::PI, green, red)] {
                let (pixels, _) = Studio::new(gpu).take(scene, &camera(yaw), &look, (SIDE, SIDE));
                show(if yaw > 0.0 { "panes-behind" } else { "panes-front" }, &pixels);
                let what = format!("scene {number} from {yaw} on {}", gpu.name);
                assert_near(at(&pixels, 0.5, 0.5), over(near, far), &what);
            }
        }
    }
}
