//! What clips animate beside transforms: both renderers show it.

use std::sync::Arc;

use canter::glam::{DAffine3, DVec3, Vec3};
use canter::{LoopMode, Play};
use canter_scene::{Background, Camera, Character, Look, Model, Parent, Scene};
use canter_soft::SoftRenderer;
use serde_json::{Value, json};

use crate::device::devices;
use crate::file::File;
use crate::studio::Studio;

const SIDE: u32 = 32;

/// Adds a clip whose values lead from one to another within a second.
fn animate<const N: usize>(file: &mut File, pointers: &[(&str, [[f32; N]; 2])], interpolation: &str) {
    let input = file.floats(&[[0.0], [1.0]]);
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for (pointer, values) in pointers {
        let output = file.floats(values);
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        channels.push(json!({ "sampler": samplers.len() - 1, "target": { "path": "pointer",
            "extensions": { "KHR_animation_pointer": { "pointer": pointer } } } }));
    }
    file.add("animations", json!({ "samplers": samplers, "channels": channels }));
}

fn unlit(color: [f32; 4]) -> Value {
    json!({ "pbrMetallicRoughness": { "baseColorFactor": color }, "extensions": { "KHR_materials_unlit": {} } })
}

/// Characters at places, each so far into its clip, in all pictures that renderers make of them.
fn pictures(model: &Arc<Model>, figures: &[(f64, f32)]) -> Vec<(String, Vec<u8>)> {
    let mut scene = Scene::new();
    for &(x, secs) in figures {
        let mut character = Character::new(model);
        let play = Play { loop_mode: LoopMode::Once, start_secs: Some(secs), ..Play::default() };
        character.mixer.play(&model.asset.clips[0], play);
        let place = DAffine3::from_translation(DVec3::X * x);
        scene.spawn(character, Parent::World, place).unwrap();
    }
    scene.update(0.0);
    let camera = Camera::orbit(DVec3::ZERO, 2.4, 0.0, 0.0);
    let look = Look { background: Background::Color([0; 3]), ground: None, sun: Vec3::Z, skeleton: false };
    let soft = SoftRenderer::new().render(&scene, &camera, &look, SIDE, SIDE).pixels;
    let mut pictures = vec![("the CPU".to_owned(), soft)];
    for gpu in devices().iter() {
        let picture = Studio::new(gpu).take(&scene, &camera, &look, (SIDE, SIDE)).0;
        pictures.push((gpu.name.to_owned(), picture));
    }
    pictures
}

/// Whether red, green and blue are bright at a place of the picture, from 0 to 1 to the right, in its middle.
fn bright(pixels: &[u8], x: f64) -> [bool; 3] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the picture")]
    let x = (x * f64::from(SIDE)) as usize;
    let start = (SIDE as usize / 2 * SIDE as usize + x) * 4;
    [0, 1, 2].map(|channel| pixels[start + channel] > 60)
}

const RED: [bool; 3] = [true, false, false];
const GREEN: [bool; 3] = [false, true, false];
const BLUE: [bool; 3] = [false, false, true];

#[test]
fn figures_of_one_model_have_colours_of_their_own() {
    let mut file = File::new();
    let mesh = file.square(unlit([0.0, 1.0, 0.0, 1.0]));
    file.node(json!({ "mesh": mesh, "scale": [0.5, 1, 1] }));
    let color = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    animate(&mut file, &[(color, [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]])], "STEP");
    let model = file.model();
    for (renderer, pixels) in pictures(&model, &[(-0.4, 0.0), (0.4, 1.0)]) {
        assert_eq!([bright(&pixels, 0.3), bright(&pixels, 0.7)], [RED, BLUE], "{renderer}");
    }
}

#[test]
fn what_glows_is_animated() {
    let mut file = File::new();
    let black = json!({ "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 1], "roughnessFactor": 1 } });
    let mesh = file.square(black);
    file.node(json!({ "mesh": mesh }));
    animate(&mut file, &[("/materials/0/emissiveFactor", [[0.0; 3], [0.0, 2.0, 0.0]])], "LINEAR");
    let model = file.model();
    for (renderer, pixels) in pictures(&model, &[(0.0, 0.5)]) {
        assert_eq!(bright(&pixels, 0.5), GREEN, "{renderer}");
    }
}

#[test]
fn a_texture_moves() {
    let mut file = File::new();
    let texture = file.texture(2, &[[255, 0, 0, 255], [0, 0, 255, 255]]);
    let transform = json!({ "KHR_texture_transform": { "offset": [0, 0], "scale": [0.5, 1] } });
    let mesh = file.square(json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": texture, "extensions": transform } },
        "extensions": { "KHR_materials_unlit": {} },
    }));
    file.node(json!({ "mesh": mesh }));
    let offset = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset";
    animate(&mut file, &[(offset, [[0.0, 0.0], [0.5, 0.0]])], "STEP");
    let model = file.model();
    for (secs, color) in [(0.0, RED), (1.0, BLUE)] {
        for (renderer, pixels) in pictures(&model, &[(0.0, secs)]) {
            assert_eq!(bright(&pixels, 0.5), color, "after {secs} s, {renderer}");
        }
    }
}

#[test]
fn hidden_nodes_are_not_drawn() {
    let mut file = File::new();
    let (red, green) = (file.square(unlit([1.0, 0.0, 0.0, 1.0])), file.square(unlit([0.0, 1.0, 0.0, 1.0])));
    let blue = file.square(unlit([0.0, 0.0, 1.0, 1.0]));
    file.node(json!({ "mesh": red }));
    // The lid hangs on a node that a clip hides.
    let lid = file.add("nodes", json!({ "mesh": green, "translation": [0, 0, 0.1] }));
    let above = file.node(json!({ "children": [lid] }));
    let hidden = json!({ "KHR_node_visibility": { "visible": false } });
    let never = file.add("nodes", json!({ "mesh": blue, "translation": [0, 0, 0.2] }));
    file.node(json!({ "children": [never], "extensions": hidden }));
    let visible = format!("/nodes/{above}/extensions/KHR_node_visibility/visible");
    animate(&mut file, &[(&visible, [[1.0], [0.0]])], "STEP");
    let model = file.model();
    assert_eq!(model.parts().len(), 2, "what is never shown is no part");
    for (secs, color) in [(0.5, GREEN), (1.0, RED)] {
        for (renderer, pixels) in pictures(&model, &[(0.0, secs)]) {
            assert_eq!(bright(&pixels, 0.5), color, "after {secs} s, {renderer}");
        }
    }
}

#[test]
fn instances_are_drawn_where_they_are() {
    let mut file = File::new();
    let mesh = file.square(unlit([1.0, 0.0, 0.0, 1.0]));
    let translations = file.floats(&[[-0.45, 0.0, 0.0], [0.45, 0.0, 0.0]]);
    let scales = file.floats(&[[0.3, 1.0, 1.0]; 2]);
    let attributes = json!({ "TRANSLATION": translations, "SCALE": scales });
    let extensions = json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
    file.node(json!({ "mesh": mesh, "extensions": extensions }));
    animate(&mut file, &[("/nodes/0/translation", [[0.0; 3]; 2])], "STEP");
    let model = file.model();
    for (renderer, pixels) in pictures(&model, &[(0.0, 0.0)]) {
        let seen = [0.27, 0.5, 0.73].map(|x| bright(&pixels, x)[0]);
        assert_eq!(seen, [true, false, true], "{renderer}");
    }
}

/// A picture in a format that nobody reads is grey, not white and not missing.
#[test]
fn a_texture_that_cannot_be_read_is_grey() {
    let mut file = File::new();
    let image = file.add("images", json!({ "uri": "data:image/avif;base64,AAAAHGZ0eXBhdmlm" }));
    let texture = file.add("textures", json!({ "extensions": { "EXT_texture_avif": { "source": image } } }));
    let mesh = file.square(json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": texture } },
        "extensions": { "KHR_materials_unlit": {} },
    }));
    file.node(json!({ "mesh": mesh }));
    animate(&mut file, &[("/nodes/0/translation", [[0.0; 3]; 2])], "STEP");
    let model = file.model();
    for (renderer, pixels) in pictures(&model, &[(0.0, 0.0)]) {
        let middle = (SIDE as usize / 2 * SIDE as usize + SIDE as usize / 2) * 4;
        let color = &pixels[middle..middle + 3];
        assert!(color.iter().all(|channel| (90..=150).contains(channel)), "{color:?}, {renderer}");
    }
}
