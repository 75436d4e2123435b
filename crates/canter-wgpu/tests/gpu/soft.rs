//! The renderer on the CPU draws surfaces as this one does.

use std::sync::Arc;

use canter::glam::{DAffine3, DVec3, Vec3};
use canter_scene::{Background, Camera, Character, Look, Model, Parent, Scene};
use canter_soft::SoftRenderer;
use serde_json::{Value, json};

use crate::device::devices;
use crate::file::File;
use crate::studio::Studio;

const SIDE: u32 = 96;

/// How far two pictures are apart, of 255.
#[derive(Debug)]
struct Difference {
    mean: f64,
    /// The part of the pixels that are off by more than 12 in a channel.
    off: f64,
}

fn difference(a: &[u8], b: &[u8]) -> Difference {
    let apart = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let all: Vec<u8> = a.chunks(4).zip(b.chunks(4)).map(apart).collect();
    let count = all.len() as f64;
    Difference {
        mean: all.iter().map(|apart| f64::from(*apart)).sum::<f64>() / count,
        off: all.iter().filter(|apart| **apart > 12).count() as f64 / count,
    }
}

/// A picture of a model by each renderer.
struct Both {
    gpu: Vec<u8>,
    soft: Vec<u8>,
}

/// A character a moment into its first clip.
fn posed(model: &Arc<Model>) -> Character {
    let mut character = Character::new(model);
    if let Some(clip) = model.asset.clips.first() {
        character.mixer.play(clip, canter::Play::default());
    }
    character.update(0.3);
    character
}

const BACKGROUND: [u8; 3] = [40, 60, 90];

impl Both {
    /// Draws a model on the first device and on the CPU. With `CANTER_SHOW` set,
    /// both pictures are stored there, beside each other.
    fn draw(name: &str, model: &Arc<Model>, camera: &Camera, side: u32) -> Option<Self> {
        let devices = devices();
        let gpu = devices.first()?;
        let character = posed(model);
        let mut scene = Scene::new();
        scene.spawn(character, Parent::World, DAffine3::IDENTITY).unwrap();
        scene.update(0.0);
        let background = Background::Color(BACKGROUND);
        let look = Look { background, ground: None, sun: Vec3::new(0.5, 0.8, 0.7), skeleton: false };
        let (gpu, _) = Studio::new(gpu).take(&scene, camera, &look, (side, side));
        let soft = SoftRenderer::new().render(&scene, camera, &look, side, side).pixels;
        if let Some(folder) = std::env::var_os("CANTER_SHOW") {
            let row = side as usize * 4;
            let both: Vec<_> =
                gpu.chunks(row).zip(soft.chunks(row)).flat_map(|(a, b)| [a, b].concat()).collect();
            let path = std::path::Path::new(&folder).join(format!("soft-{}.png", name.replace(' ', "-")));
            image::save_buffer(path, &both, 2 * side, side, image::ColorType::Rgba8).unwrap();
        }
        let both = Self { gpu, soft };
        eprintln!("{name}: {:?}, {:.3} of the picture", both.difference(), both.covered());
        Some(both)
    }

    fn difference(&self) -> Difference {
        difference(&self.gpu, &self.soft)
    }

    /// The part of the pixels that show something.
    fn covered(&self) -> f64 {
        let pixels = self.soft.as_chunks::<4>().0;
        let is_covered = |pixel: &&[u8; 4]| pixel[..3].iter().zip(BACKGROUND).any(|(a, b)| a.abs_diff(b) > 2);
        pixels.iter().filter(is_covered).count() as f64 / pixels.len() as f64
    }
}

/// A pattern of eight by eight pixels.
fn pattern(pixel: impl Fn(u8, u8) -> [u8; 4]) -> Vec<[u8; 4]> {
    (0..8).flat_map(|y| (0..8).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect()
}

/// A pattern of bumps: each pixel leans another way.
fn bumps() -> Vec<[u8; 4]> {
    pattern(|x, y| [64 + x % 4 * 42, 64 + y % 4 * 42, 220, 255])
}

const GREY: Value = Value::Null;

/// A square with a material whose normals spread a little; `change` makes more of it.
fn ball(material: Value, change: impl FnOnce(&mut File, usize)) -> impl FnOnce(File) -> Arc<Model> {
    move |mut file| {
        let material = if material == GREY { matt([0.6, 0.6, 0.6, 1.0]) } else { material };
        let mesh = file.square(material);
        // Not far from upright: a map of shadows takes normals for those of the triangle.
        let corners = [[-0.15, -0.15, 1.0], [0.15, -0.15, 1.0], [0.15, 0.15, 1.0], [-0.15, 0.15, 1.0]];
        let normals = file.floats(&corners.map(unit));
        file.set_attribute(mesh, "NORMAL", normals);
        change(&mut file, mesh);
        file.node(json!({ "mesh": mesh }));
        file.model()
    }
}

fn unit(of: [f32; 3]) -> [f32; 3] {
    Vec3::from_array(of).normalize().to_array()
}

fn matt(color: [f64; 4]) -> Value {
    let rough = json!({ "baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": 0.6 });
    json!({ "pbrMetallicRoughness": rough })
}

/// A matt grey with one more texture.
fn with(name: &str, texture: Value) -> Value {
    let mut material = matt([0.6, 0.6, 0.6, 1.0]);
    if name == "metallicRoughnessTexture" || name == "baseColorTexture" {
        material["pbrMetallicRoughness"][name] = texture;
        material["pbrMetallicRoughness"]["metallicFactor"] = json!(1.0);
        material["pbrMetallicRoughness"]["roughnessFactor"] = json!(1.0);
    } else {
        material[name] = texture;
    }
    material
}

/// Models of one feature each, by name.
fn models() -> Vec<(&'static str, Arc<Model>)> {
    let nothing = |_: &mut File, _: usize| ();
    let second = [[0.0_f32, 0.0], [0.5, 0.0], [0.5, 2.0], [0.0, 2.0]];
    let mut models = Vec::new();
    let mut add = |name, make: Box<dyn FnOnce(File) -> Arc<Model>>, file| models.push((name, make(file)));
    let textured = |pixels: &[[u8; 4]]| {
        let mut file = File::new();
        let texture = file.smooth_texture(8, pixels);
        (file, texture)
    };
    let colors = pattern(|x, y| [x * 30 + 20, y * 30 + 20, 90, 255]);

    let (file, texture) = textured(&colors);
    let turned = json!({ "index": texture, "extensions": {
        "KHR_texture_transform": { "offset": [0.2, 0.1], "rotation": 0.6, "scale": [1.5, 0.7] } } });
    add("base colour, turned", Box::new(ball(with("baseColorTexture", turned), nothing)), file);

    let (file, texture) = textured(&pattern(|x, y| [0, x * 36, if y > 3 { 255 } else { 0 }, 255]));
    let rough = with("metallicRoughnessTexture", json!({ "index": texture }));
    add("metal and roughness", Box::new(ball(rough, nothing)), file);

    for (name, tangents, mirrored) in
        [("bumps", true, false), ("bumps without tangents", false, false), ("mirrored bumps", false, true)]
    {
        let (file, texture) = textured(&bumps());
        let bumpy = with("normalTexture", json!({ "index": texture, "scale": 0.8 }));
        let change = move |file: &mut File, mesh| {
            if !tangents {
                file.without_attribute(mesh, "TANGENT");
            }
            if mirrored {
                let uv = file.floats(&[[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]);
                file.set_attribute(mesh, "TEXCOORD_0", uv);
            }
        };
        add(name, Box::new(ball(bumpy, change)), file);
    }

    let (file, texture) = textured(&pattern(|x, y| [if (x + y) % 2 == 0 { 255 } else { 40 }, 0, 0, 255]));
    let occluded = with("occlusionTexture", json!({ "index": texture, "texCoord": 1, "strength": 0.8 }));
    let change = move |file: &mut File, mesh| {
        let uv = file.floats(&second);
        file.set_attribute(mesh, "TEXCOORD_1", uv);
    };
    add("occlusion by other coordinates", Box::new(ball(occluded, change)), file);

    let (file, texture) = textured(&colors);
    let mut glowing = with("emissiveTexture", json!({ "index": texture }));
    glowing["emissiveFactor"] = json!([0.3, 0.2, 0.1]);
    glowing["extensions"] = json!({ "KHR_materials_emissive_strength": { "emissiveStrength": 4.0 } });
    add("glow", Box::new(ball(glowing, nothing)), file);

    let change = |file: &mut File, mesh| {
        let colors =
            file.floats(&[[1.0, 0.1, 0.1, 1.0], [0.1, 1.0, 0.1, 1.0], [0.1, 0.1, 1.0, 1.0], [1.0; 4]]);
        file.set_attribute(mesh, "COLOR_0", colors);
    };
    add("colours of vertices", Box::new(ball(GREY, change)), File::new());

    let change = |file: &mut File, mesh| {
        let turned = file.floats(&[[0.0, 0.3, 0.0], [0.0, 0.3, 0.0], [0.3, 0.0, 0.0], [0.3, 0.0, 0.0]]);
        let still = file.floats(&[[0.0_f32; 3]; 4]);
        file.set_target(mesh, json!({ "POSITION": still, "NORMAL": turned }));
    };
    add("morphed normals", Box::new(ball(GREY, change)), File::new());

    add("no normals", Box::new(ball(GREY, |file, mesh| file.without_attribute(mesh, "NORMAL"))), File::new());

    let (file, texture) = textured(&colors);
    let shiny = json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [0.9, 0.4, 0.4, 1.0], "diffuseTexture": { "index": texture } } } });
    add("specular and glossiness", Box::new(ball(shiny, nothing)), file);

    // A screen between a wall and the sun.
    for (name, mask, double_sided, turn) in [
        ("a mask's shadow", true, true, 0.0),
        ("the shadow of a front", false, false, 0.0),
        ("the shadow of a back", false, false, std::f64::consts::PI),
    ] {
        let mut file = File::new();
        let texture = file.texture(2, &[[255; 4], [255, 255, 255, 0], [255, 255, 255, 0], [255; 4]]);
        let mut material = with("baseColorTexture", json!({ "index": texture }));
        material["alphaMode"] = json!(if mask { "MASK" } else { "OPAQUE" });
        material["doubleSided"] = json!(double_sided);
        let screen = file.square(material);
        let wall = file.square(matt([0.8, 0.8, 0.8, 1.0]));
        file.node(json!({ "mesh": wall, "scale": [2.0, 2.0, 1.0], "translation": [0.0, 0.0, -0.6] }));
        let rotation = [0.0, f64::sin(turn / 2.0), 0.0, f64::cos(turn / 2.0)];
        let place = [0.3, 0.45, 0.0];
        file.node(
            json!({ "mesh": screen, "translation": place, "rotation": rotation, "scale": [0.6, 0.6, 0.6] }),
        );
        add(name, Box::new(File::model), file);
    }
    models
}

fn camera() -> Camera {
    Camera::orbit(DVec3::ZERO, 2.6, 0.4, 0.2)
}

/// A shadow's edge is softer on the GPU, and textures are smoothed another way: a twentieth of the pixels may
/// be off by more than 12 of 255, and all of them by 2 on average.
#[test]
fn surfaces_look_the_same_on_the_cpu() {
    let plain = ball(GREY, |_, _| ())(File::new());
    let Some(plain) = Both::draw("plain", &plain, &camera(), SIDE) else { return };
    for (name, model) in models() {
        let Some(both) = Both::draw(name, &model, &camera(), SIDE) else { return };
        let Difference { mean, off } = both.difference();
        assert!(mean <= 2.0 && off <= 0.05, "{name}: {mean} {off}");
        // What both leave out would look the same, too.
        assert!(difference(&both.soft, &plain.soft).mean > 1.0, "{name} is nothing but a plain square");
    }
}

#[test]
fn models_of_others_look_the_same_on_the_cpu() {
    let Some(files) = crate::skinning::shared_models() else { return };
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let Some(both) = whole(&name, &Model::load(&file).unwrap(), 2 * SIDE) else { return };
        let Difference { mean, off } = both.difference();
        assert!(mean <= 2.0 && off <= 0.05 && both.covered() > 0.003, "{name}: {mean} {off}");
    }
}

/// Both pictures of all of a model.
fn whole(name: &str, model: &Arc<Model>, side: u32) -> Option<Both> {
    let bounds = posed(model).bounds();
    let (middle, size) = (bounds.center().as_dvec3(), f64::from(bounds.size().length()));
    Both::draw(name, model, &Camera::orbit(middle, size * 1.6, 0.5, 0.3), side)
}

fn fixture(name: &str) -> std::path::PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../canter-gltf/tests/fixtures", name].iter().collect()
}

#[test]
fn meshes_that_draco_compressed_are_drawn() {
    for name in ["tube-edgebreaker", "tube-sequential"] {
        let [draco, plain] = ["draco", "decoded"].map(|kind| {
            let model = Model::load(fixture(&format!("{name}.{kind}.glb"))).unwrap();
            whole(&format!("{name}.{kind}"), &model, SIDE)
        });
        let (Some(draco), Some(plain)) = (draco, plain) else { return };
        let Difference { mean, off } = draco.difference();
        assert!(mean <= 2.0 && off <= 0.05 && draco.covered() > 0.02, "{name}: {mean} {off}");
        assert!(draco.soft == plain.soft && draco.gpu == plain.gpu, "{name}");
    }
}

#[test]
fn pictures_that_basis_universal_compressed_are_drawn() {
    for name in ["etc1s", "uastc", "uastc-zstd"] {
        let mut file = File::new();
        let image =
            file.encoded_image("image/ktx2", &std::fs::read(fixture(&format!("{name}.ktx2"))).unwrap());
        let compressed = json!({ "extensions": { "KHR_texture_basisu": { "source": image } } });
        let compressed = file.add("textures", compressed);
        let compressed = ball(with("baseColorTexture", json!({ "index": compressed })), |_, _| ())(file);
        let mut file = File::new();
        let rgba = std::fs::read(fixture(&format!("{name}.rgba"))).unwrap();
        let plain = file.smooth_texture(20, rgba.as_chunks::<4>().0);
        let plain = ball(with("baseColorTexture", json!({ "index": plain })), |_, _| ())(file);
        let compressed = Both::draw(name, &compressed, &camera(), SIDE);
        let plain = Both::draw(&format!("{name} plain"), &plain, &camera(), SIDE);
        let (Some(compressed), Some(plain)) = (compressed, plain) else { return };
        let Difference { mean, off } = compressed.difference();
        assert!(mean <= 2.0 && off <= 0.05, "{name}: {mean} {off}");
        assert!(compressed.soft == plain.soft && compressed.gpu == plain.gpu, "{name}");
    }
}
