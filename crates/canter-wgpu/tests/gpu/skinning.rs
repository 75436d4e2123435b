//! What the vertex shader gives is what its twin on the CPU gives.

use std::path::{Path, PathBuf};

use canter::Mat3x4;
use canter::glam::{Mat4, Quat, Vec3};
use canter_gltf::Primitive;
use canter_scene::{Character, MeshTransform, Model, PosedVertices};
use canter_wgpu::{
    Binding, Block, BlockSize, JointsPerVertex, PaletteBuffer, PaletteError, PaletteFormat, PaletteLayout,
    PaletteLocation, SkinningShader,
};

use crate::device::{Gpu, devices};
use crate::points::{Numbers, Points};

const LOCATIONS: [PaletteLocation; 3] =
    [PaletteLocation::Uniform, PaletteLocation::Storage, PaletteLocation::Texture];

/// Four and eight joints a vertex, morph targets, rigid parts, scaled armatures, and 706 joints.
const MODELS: [&str; 11] = [
    "SimpleSkin/SimpleSkin.gltf",
    "Fox/Fox.glb",
    "RiggedFigure/RiggedFigure.glb",
    "AnimatedMorphCubeQuantized/AnimatedMorphCube.gltf",
    "RobotExpressive/RobotExpressive.glb",
    "KayKitKnight/Knight.glb",
    "LumberjackVAT/lumberjack.glb",
    "GodetteVRM/Godette_vrm_v4.vrm",
    "MomentumModelWithMotion/model_with_motion.glb",
    "RigifyHumanDeform/RigifyHumanDeform.glb",
    "RigifyHumanFull/RigifyHumanFull.glb",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A character of a file, in the middle of its first clip and with its morph targets at work.
fn character(file: &Path) -> Character {
    let model = Model::load(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut character = Character::new(&model);
    if let Some(clip) = model.asset.clips.first() {
        character.mixer.crossfade_to(clip, 0.0);
        character.update(clip.duration_secs() * 0.37);
    }
    for part in model.parts() {
        let Some(morph) = part.morph else { continue };
        let weights = character.pose.morph_weights_mut(morph);
        // Some of them: every third one stays out.
        weights.iter_mut().zip([0.4_f32, 0.0, -0.25].iter().cycle()).for_each(|(weight, new)| *weight = *new);
    }
    character
}

/// The size of a character: how far from its origin it reaches.
fn size(character: &Character) -> f32 {
    let model = &character.model;
    let posed = model.parts().iter().flat_map(|part| character.posed(part).positions);
    posed.fold(0.0, |size: f32, position| size.max(position.abs().max_element()))
}

fn joints(primitive: &Primitive) -> JointsPerVertex {
    match primitive.influences.len() {
        0 => JointsPerVertex::None,
        1 => JointsPerVertex::Four,
        _ => JointsPerVertex::Eight,
    }
}

/// Poses all parts of a character on a GPU and on the CPU. `wide` takes eight joints a vertex where there are
/// four.
fn compare(points: &mut Points<'_>, gpu: &Gpu, character: &Character, layout: PaletteLayout, wide: bool) {
    let mut palettes = match PaletteBuffer::new(&gpu.device, layout) {
        Ok(palettes) => palettes,
        Err(error) => {
            assert_eq!(error, PaletteError::NotSupported(PaletteLocation::Storage));
            assert!(!gpu.has_vertex_storage);
            return;
        }
    };
    let size = size(character);
    // Something in front, so that no offset is 0.
    let other = vec![Mat3x4::from_mat4(Mat4::from_scale(Vec3::splat(9.0))); 7];
    for part in character.model.parts() {
        let primitive = character.model.primitive(part);
        let (matrices, weights) = (character.part_palette(part), character.morph_weights(part));
        palettes.clear();
        palettes.push(Block { matrices: &other, world: Mat3x4::IDENTITY, key: 1 }).unwrap();
        let place = match palettes.push(Block { matrices, world: Mat3x4::IDENTITY, key: 0 }) {
            Ok(place) => place,
            Err(error) => {
                assert!(matches!(error, PaletteError::TooLarge { .. }), "{error}");
                assert!(!layout.fits_uniform(BlockSize { matrices: matrices.len(), morph_targets: &[] }));
                return;
            }
        };
        let morphs = palettes.push_morphs(weights).unwrap();
        palettes.upload(&gpu.device, &gpu.queue);
        let joints = match joints(primitive) {
            JointsPerVertex::Four if wide => JointsPerVertex::Eight,
            joints => joints,
        };
        let morphed = !weights.is_empty();
        let targets = Binding { group: 1, binding: 0 };
        let shader = SkinningShader { layout, joints, morphs: morphed, targets, ..SkinningShader::default() };
        let numbers = Numbers { place, palette: place.palette, morphs };
        let read = points.pose(shader, primitive, &palettes, numbers);
        let twin = PosedVertices::new(primitive, weights, MeshTransform::Palette(matrices));
        for (vertex, posed) in read.iter().enumerate() {
            let position = posed.position.distance(twin.positions[vertex]) / size;
            let mut direction = 0.0_f32;
            if let Some(normal) = twin.normals.get(vertex) {
                direction = direction.max(posed.normal.distance(*normal));
            }
            if let Some(tangent) = twin.tangents.get(vertex) {
                direction = direction.max(posed.tangent.distance(*tangent));
            }
            assert!(position <= 1e-5, "vertex {vertex} is off by {position} on {}, {shader:?}", gpu.name);
            assert!(direction <= 1e-5, "vertex {vertex} turns by {direction} on {}, {shader:?}", gpu.name);
        }
    }
}

#[test]
fn every_kind_of_palette_skins_the_hero() {
    let hero = character(&root().join("assets/hero.glb"));
    for gpu in devices().iter() {
        let mut points = Points::new(gpu);
        for location in LOCATIONS {
            for format in [PaletteFormat::Mat4, PaletteFormat::Packed] {
                for (world, wide) in [(false, false), (true, false), (false, true)] {
                    let layout = PaletteLayout { location, format, world, previous: false };
                    compare(&mut points, gpu, &hero, layout, wide);
                }
            }
        }
    }
}

/// The models that others made; `None` where they are missing.
pub(crate) fn shared_models() -> Option<Vec<PathBuf>> {
    let folder = canter_testing::models::folder()?;
    Some(MODELS.iter().map(|name| folder.join(name)).collect())
}

#[test]
fn real_models_are_skinned_and_morphed_alike() {
    let Some(files) = shared_models() else { return };
    let characters: Vec<_> = files.iter().map(|file| character(file)).collect();
    for gpu in devices().iter() {
        let mut points = Points::new(gpu);
        for character in &characters {
            for location in LOCATIONS {
                for format in [PaletteFormat::Mat4, PaletteFormat::Packed] {
                    let layout = PaletteLayout { location, format, ..PaletteLayout::default() };
                    for wide in [false, true] {
                        compare(&mut points, gpu, character, layout, wide);
                    }
                }
            }
        }
    }
    let parts = characters.iter().flat_map(|character| character.model.parts());
    let largest = parts.map(|part| part.palette.len()).max().unwrap_or(0);
    assert!(largest > 256, "one of the models has more than 256 joints");
}

/// Weights of a vertex that add up to three, to a third and to nothing, with four joints and with eight.
#[test]
fn weights_need_not_add_up_to_one() {
    let hero = character(&root().join("assets/hero.glb"));
    let part = &hero.model.parts()[0];
    let (matrices, size) = (hero.part_palette(part), size(&hero));
    for sets in [1, 2] {
        let mut primitive = hero.model.primitive(part).clone();
        primitive.influences = vec![primitive.influences[0].clone(); sets];
        for (number, set) in primitive.influences.iter_mut().enumerate() {
            for (vertex, weights) in set.weights.iter_mut().enumerate() {
                *weights *= [3.0, 1.0 / 3.0, 0.0][(vertex + number) % 3];
            }
        }
        let twin = PosedVertices::new(&primitive, &[], MeshTransform::Palette(matrices));
        for gpu in devices().iter() {
            let layout = PaletteLayout { location: PaletteLocation::Texture, ..PaletteLayout::default() };
            let mut palettes = PaletteBuffer::new(&gpu.device, layout).unwrap();
            let place = palettes.push(Block { matrices, world: Mat3x4::IDENTITY, key: 0 }).unwrap();
            palettes.upload(&gpu.device, &gpu.queue);
            let shader = SkinningShader { layout, joints: joints(&primitive), ..SkinningShader::default() };
            let numbers = Numbers { place, palette: place.palette, morphs: 0 };
            let read = Points::new(gpu).pose(shader, &primitive, &palettes, numbers);
            for (vertex, posed) in read.iter().enumerate() {
                let off = posed.position.distance(twin.positions[vertex]) / size;
                assert!(off <= 1e-5, "vertex {vertex} is off by {off} with {sets} sets on {}", gpu.name);
            }
        }
    }
}

#[test]
fn the_previous_frame_is_where_the_character_was() {
    let mut hero = character(&root().join("assets/hero.glb"));
    let mut primitive = hero.model.primitive(&hero.model.parts()[0]).clone();
    primitive.targets = vec![canter_gltf::MorphTarget {
        positions: primitive.normals.iter().map(|normal| normal * 0.05).collect(),
        ..Default::default()
    }];
    let size = size(&hero);
    let before = hero.part_palette(&hero.model.parts()[0]).to_vec();
    hero.update(0.2);
    let now = hero.part_palette(&hero.model.parts()[0]).to_vec();
    // Mirrored and uneven on the way.
    let place = |x: f32| {
        let turn = Quat::from_rotation_y(x);
        Mat4::from_scale_rotation_translation(Vec3::new(-1.0, 1.5, 1.0), turn, Vec3::X * x)
    };
    let twin = |palette: &[Mat3x4], weight: f32, world: Mat4| {
        let posed = PosedVertices::new(&primitive, &[weight], MeshTransform::Palette(palette));
        let in_world = Primitive {
            positions: posed.positions,
            normals: posed.normals,
            tangents: posed.tangents,
            ..Primitive::default()
        };
        PosedVertices::new(&in_world, &[], MeshTransform::Rigid(world))
    };
    for gpu in devices().iter() {
        for location in LOCATIONS {
            for format in [PaletteFormat::Mat4, PaletteFormat::Packed] {
                let layout = PaletteLayout { location, format, world: true, previous: true };
                let Ok(mut palettes) = PaletteBuffer::new(&gpu.device, layout) else { continue };
                let mut frame = |palette: &[Mat3x4], x: f32, weight: f32| {
                    palettes.clear();
                    let world = Mat3x4::from_mat4(place(x));
                    let place = palettes.push(Block { matrices: palette, world, key: 5 }).unwrap();
                    let morphs = palettes.push_morphs(&[weight]).unwrap();
                    palettes.upload(&gpu.device, &gpu.queue);
                    Numbers { place, palette: place.palette, morphs }
                };
                frame(&before, 0.0, 0.5);
                let numbers = frame(&now, 0.4, 0.25);
                assert_eq!(palettes.writes(), 2);
                let targets = Binding { group: 1, binding: 0 };
                let shader = SkinningShader { layout, morphs: true, targets, ..SkinningShader::default() };
                let read = Points::new(gpu).pose(shader, &primitive, &palettes, numbers);
                let (expected, was) = (twin(&now, 0.25, place(0.4)), twin(&before, 0.5, place(0.0)));
                for (vertex, posed) in read.iter().enumerate() {
                    assert!(posed.position.distance(expected.positions[vertex]) <= 1e-5 * size);
                    assert!(posed.normal.distance(expected.normals[vertex]) <= 1e-4);
                    assert!(posed.previous.distance(was.positions[vertex]) <= 1e-5 * size);
                }
            }
        }
    }
}
