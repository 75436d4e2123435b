//! What the loader reads, and how, on small files that are made here.

use canter_gltf::canter::glam::{Vec2, Vec3, Vec4};
use canter_gltf::{Asset, LoadError, LoadOptions, NoFiles, Severity, load_bytes, load_bytes_with};
use serde_json::{Value, json};

use canter_testing::glb::{Data, character};

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// A file with one mesh of one primitive.
fn one_primitive(data: &Data, primitive: &Value) -> Asset {
    load_bytes(&data.glb(json!({ "meshes": [{ "primitives": [primitive] }] }))).unwrap()
}

fn warnings(asset: &Asset) -> Vec<String> {
    asset.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn the_small_character_has_everything() {
    let asset = load_bytes(&character()).unwrap();
    assert_eq!(warnings(&asset), [""; 0]);
    let body = &asset.nodes[0];
    assert_eq!((body.mesh, body.skin), (Some(0), Some(0)));
    assert_eq!(asset.skeleton.morph_rest(body.morph.unwrap()), [0.25]);
    assert_eq!(asset.meshes[0].target_names, ["out"]);
    assert_eq!(asset.clip("move").unwrap().tracks().len(), 4);
    assert_eq!(asset.nodes[2].parent, Some(1));
    assert_eq!(asset.skeleton.source_index(asset.skeleton.joint("spine").unwrap()), 2);
    assert_eq!(asset.materials[0].base_color, Vec4::new(1.0, 0.5, 0.25, 1.0));
    let primitive = &asset.meshes[0].primitives[0];
    assert!(primitive.computed_normals && primitive.is_skinned());
    assert_eq!(primitive.normals, [Vec3::Z; 4]);
}

#[test]
fn joints_and_weights_load_in_every_allowed_type() {
    for joint_type in [5121, 5123] {
        for weight_type in [5121, 5123, 5126] {
            let mut data = Data::default();
            let positions = data.floats("VEC3", 3, &TRIANGLE);
            let joints: Vec<u8> = match joint_type {
                5121 => [0, 3, 0, 0].repeat(3),
                _ => [0, 0, 3, 0, 0, 0, 0, 0].repeat(3),
            };
            let weights: Vec<u8> = match weight_type {
                5121 => [255, 0, 0, 0].repeat(3),
                5123 => [255, 255, 0, 0, 0, 0, 0, 0].repeat(3),
                _ => [1.0_f32, 0.0, 0.0, 0.0]
                    .repeat(3)
                    .iter()
                    .flat_map(|weight| weight.to_le_bytes())
                    .collect(),
            };
            let accessor = |data: &mut Data, bytes: &[u8], kind: u32, normalized: bool| {
                let view = data.view(bytes);
                data.accessor(json!({ "bufferView": view, "componentType": kind, "count": 3, "type": "VEC4",
                    "normalized": normalized }))
            };
            let joints = accessor(&mut data, &joints, joint_type, false);
            let weights = accessor(&mut data, &weights, weight_type, weight_type != 5126);
            let attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
            let asset = one_primitive(&data, &json!({ "attributes": attributes }));
            let influences = &asset.meshes[0].primitives[0].influences;
            // Joint 3 has no weight, and is cleared.
            assert_eq!(influences[0].joints, [[0; 4]; 3], "{joint_type} {weight_type}");
            assert_eq!(influences[0].weights, [Vec4::X; 3], "{joint_type} {weight_type}");
        }
    }
}

#[test]
fn positions_that_would_overflow_when_they_are_placed_are_refused() {
    let load = |positions: [f32; 9], deltas: [f32; 9]| {
        let mut data = Data::default();
        let positions = data.floats("VEC3", 3, &positions);
        let deltas = data.floats("VEC3", 3, &deltas);
        let primitive =
            json!({ "attributes": { "POSITION": positions }, "targets": [{ "POSITION": deltas }] });
        load_bytes(&data.glb(json!({ "meshes": [{ "primitives": [primitive] }] })))
    };
    let with = |size: f32| [0.0, 0.0, 0.0, 1.0, -size, 0.0, 0.0, 1.0, 0.0];
    assert!(load(with(1e18), with(1e18)).is_ok());
    for (positions, deltas, place) in [
        (with(1e20), TRIANGLE, "meshes[0].primitives[0].attributes.POSITION"),
        (TRIANGLE, with(-1e20), "meshes[0].primitives[0].targets[0].POSITION"),
    ] {
        let error = load(positions, deltas).unwrap_err();
        assert!(matches!(&error, LoadError::Invalid { place: found, .. } if found == place), "{error}");
        assert!(error.to_string().contains("in element 1, expected numbers of at most 1e18"), "{error}");
    }
}

#[test]
fn eight_influences_are_two_sets() {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &TRIANGLE);
    let weights = data.floats("VEC4", 4, &[0.125; 12]);
    let view = data.view(&[1, 2, 3, 4].repeat(3));
    let joints =
        data.accessor(json!({ "bufferView": view, "componentType": 5121, "count": 3, "type": "VEC4" }));
    let attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights, "JOINTS_1": joints,
        "WEIGHTS_1": weights });
    let asset = one_primitive(&data, &json!({ "attributes": attributes }));
    assert_eq!(asset.meshes[0].primitives[0].influences.len(), 2);
    assert_eq!(warnings(&asset), [""; 0]);
}

#[test]
fn interleaved_attributes_share_a_view() {
    let mut data = Data::default();
    let rows = [[0.0_f32, 0.0, 0.0, 0.5, 0.25], [1.0, 0.0, 0.0, 1.5, 1.25], [0.0, 1.0, 0.0, 2.5, 2.25]];
    let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let view = data.view(&bytes);
    data.view_mut(view)["byteStride"] = json!(20);
    let positions =
        data.accessor(json!({ "bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3" }));
    let uvs = data.accessor(
        json!({ "bufferView": view, "byteOffset": 12, "componentType": 5126, "count": 3, "type": "VEC2" }),
    );
    let asset = one_primitive(&data, &json!({ "attributes": { "POSITION": positions, "TEXCOORD_1": uvs } }));
    let primitive = &asset.meshes[0].primitives[0];
    assert_eq!(primitive.positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(
        primitive.tex_coords,
        [vec![], vec![Vec2::new(0.5, 0.25), Vec2::new(1.5, 1.25), Vec2::new(2.5, 2.25)]]
    );
}

#[test]
fn quantised_attributes_are_read_as_numbers() {
    let mut data = Data::default();
    let shorts = |numbers: &[i16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
    // Padded to four bytes each, as the extension asks.
    let view = data.view(&shorts(&[0, 0, 0, 0, 100, 0, 0, 0, 0, -200, 0, 0]));
    data.view_mut(view)["byteStride"] = json!(8);
    let positions =
        data.accessor(json!({ "bufferView": view, "componentType": 5122, "count": 3, "type": "VEC3" }));
    let view = data.view(&[0_u8, 0, 127, 0, 0, 0, 129, 0, 0, 0, 128, 0]);
    data.view_mut(view)["byteStride"] = json!(4);
    let normals = data.accessor(
        json!({ "bufferView": view, "componentType": 5120, "count": 3, "type": "VEC3", "normalized": true }),
    );
    let asset = one_primitive(&data, &json!({ "attributes": { "POSITION": positions, "NORMAL": normals } }));
    let primitive = &asset.meshes[0].primitives[0];
    assert_eq!(primitive.positions, [Vec3::ZERO, Vec3::X * 100.0, Vec3::Y * -200.0]);
    // -128 is clamped to -1.
    assert_eq!(primitive.normals, [Vec3::Z, Vec3::NEG_Z, Vec3::NEG_Z]);
}

#[test]
fn sparse_accessors_replace_some_elements_even_of_nothing() {
    let mut data = Data::default();
    let indices = data.view(&[2]);
    let values =
        data.view(&[1.0_f32, 2.0, 3.0].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
    let positions = data.accessor(json!({ "componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
        "count": 1,
        "indices": { "bufferView": indices, "componentType": 5121 },
        "values": { "bufferView": values },
    } }));
    let asset = one_primitive(&data, &json!({ "attributes": { "POSITION": positions } }));
    let expected = [Vec3::ZERO, Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)];
    assert_eq!(asset.meshes[0].primitives[0].positions, expected);
}

#[test]
fn own_attributes_and_any_extras_do_no_harm() {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &TRIANGLE);
    let attributes = json!({ "POSITION": positions, "_TEMPERATURE": 99, "FEATURE_ID_0": 98 });
    let asset = one_primitive(&data, &json!({ "attributes": attributes, "extras": "text" }));
    assert_eq!(warnings(&asset), [""; 0]);
}

#[test]
fn all_required_extensions_that_can_move_something_are_named() {
    let names = ["VENDOR_bends", "KHR_materials_ior", "KHR_accessor_float64", "KHR_texture_transform"];
    let file = Data::default().glb(json!({ "extensionsRequired": names }));
    let error = load_bytes(&file).unwrap_err();
    assert_eq!(
        error.to_string(),
        "extensionsRequired: VENDOR_bends and KHR_accessor_float64 are not supported; export the file without, or \
         set `LoadOptions::ignore_required_extensions`, and it may look wrong"
    );
    assert!(matches!(&error, LoadError::RequiredExtensions { names } if names.len() == 2), "{error}");
    let options = LoadOptions::default().ignoring_required_extensions();
    let warnings = load_bytes_with(&file, &NoFiles, &options).unwrap().warnings;
    assert_eq!(warnings.iter().filter(|warning| warning.severity == Severity::Warning).count(), 3);
}

#[test]
fn required_extensions_that_move_nothing_are_warnings() {
    let names =
        ["KHR_materials_clearcoat", "KHR_lights_punctual", "KHR_materials_variants", "EXT_texture_avif"];
    let file = Data::default().glb(json!({ "extensionsRequired": names, "extensionsUsed": names }));
    let found = load_bytes(&file).unwrap().warnings;
    assert_eq!(found.len(), names.len(), "each of them once: {found:?}");
    for (warning, name) in found.iter().zip(names) {
        assert_eq!((warning.severity, warning.place.as_str()), (Severity::Warning, "extensionsRequired"));
        assert!(warning.message.starts_with(name), "{warning}");
    }
}

#[test]
fn without_meshes_nothing_of_vertices_is_read_or_refused() {
    let primitive = json!({ "attributes": { "POSITION": 99 }, "targets": [{}, {}] });
    let file = Data::default().glb(json!({
        "extensionsRequired": ["EXT_mesh_unheard_of"],
        "meshes": [{ "name": "body", "weights": [0.25, 0.5], "primitives": [primitive] }],
        "nodes": [{ "mesh": 0 }],
    }));
    assert!(matches!(load_bytes(&file), Err(LoadError::RequiredExtensions { .. })));
    let asset = load_bytes_with(&file, &NoFiles, &LoadOptions::default().without_meshes()).unwrap();
    assert_eq!(asset.meshes[0].name.as_deref(), Some("body"));
    assert_eq!((asset.meshes[0].primitives.len(), &asset.meshes[0].weights[..]), (0, &[0.25, 0.5][..]));
    assert_eq!(warnings(&asset), [""; 0]);
}

#[test]
fn an_unknown_optional_extension_is_a_note() {
    let asset = load_bytes(&Data::default().glb(json!({ "extensionsUsed": ["VENDOR_thing"] }))).unwrap();
    assert_eq!(asset.warnings.len(), 1);
    assert_eq!(asset.warnings[0].severity, Severity::Note);
    assert!(asset.warnings[0].message.contains("VENDOR_thing"));
}

#[test]
fn materials_know_unlit_and_texture_transforms() {
    let transform = json!({ "offset": [0.5, 0.0], "rotation": std::f32::consts::FRAC_PI_2, "scale": [2.0, 1.0],
        "texCoord": 1 });
    let asset = load_bytes(&Data::default().glb(json!({
        "materials": [{
            "extensions": { "KHR_materials_unlit": {} },
            "alphaMode": "MASK",
            "pbrMetallicRoughness": {
                "baseColorTexture": { "index": 0, "extensions": { "KHR_texture_transform": transform } },
            },
        }],
        "textures": [{}],
    })))
    .unwrap();
    let material = &asset.materials[0];
    assert!(material.unlit);
    assert_eq!(material.alpha_mode, canter_gltf::AlphaMode::Mask { cutoff: 0.5 });
    let texture = material.base_color_texture.unwrap();
    assert_eq!(texture.tex_coord, 1);
    // By the extension's own formula: translation * rotation * scale, the rotation counter-clockwise for v
    // down.
    let uv = texture.texture_from_uv.transform_point2(Vec2::new(0.25, 0.0));
    assert!(uv.abs_diff_eq(Vec2::new(0.5, -0.5), 1e-6), "{uv}");
}

#[test]
fn a_node_matrix_is_taken_apart() {
    let matrix = [0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 1, 2, 3, 1];
    let asset = load_bytes(&Data::default().glb(json!({ "nodes": [{ "matrix": matrix }] }))).unwrap();
    let rest = asset.skeleton.rest(asset.nodes[0].joint);
    assert_eq!(rest.translation, Vec3::new(1.0, 2.0, 3.0));
    assert!(rest.scale.abs_diff_eq(Vec3::splat(2.0), 1e-6));
    assert!((rest.rotation * Vec3::X).abs_diff_eq(Vec3::NEG_Z, 1e-6));
}

#[test]
fn errors_say_where_what_and_what_instead() {
    let times = |data: &mut Data| data.floats("SCALAR", 1, &[0.0, 1.0]);
    let mut data = Data::default();
    let (input, output) = (times(&mut data), data.floats("VEC3", 3, &[0.0; 3]));
    let file = data.glb(json!({
        "nodes": [{}],
        "animations": [{
            "samplers": [{ "input": input, "output": output }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        }],
    }));
    assert_eq!(
        load_bytes(&file).unwrap_err().to_string(),
        "animations[0].samplers[0].output: found 1 value, expected 2 for the keys of the sampler's input"
    );
}

#[test]
fn channels_that_cannot_be_played_are_skipped_with_a_warning() {
    let mut data = Data::default();
    let input = data.floats("SCALAR", 1, &[0.0, 1.0]);
    let output = data.floats("VEC3", 3, &[0.0; 6]);
    let asset = load_bytes(&data.glb(json!({
        "nodes": [{}],
        "animations": [{
            "samplers": [{ "input": input, "output": output }],
            "channels": [
                { "sampler": 0, "target": { "path": "pointer",
                    "extensions": { "KHR_animation_pointer": { "pointer": "/materials/0" } } } },
                { "sampler": 0, "target": { "node": 0, "path": "translation" } },
                { "sampler": 0, "target": { "node": 0, "path": "translation" } },
                { "sampler": 0, "target": { "node": 0, "path": "weights" } },
                { "sampler": 0, "target": { "node": 0, "path": "visibility" } },
            ],
        }],
    })))
    .unwrap();
    assert_eq!(asset.clips[0].tracks().len(), 1);
    assert_eq!(asset.warnings.iter().filter(|warning| warning.severity == Severity::Warning).count(), 4);
}

#[test]
fn several_scenes_and_no_scenes_load() {
    let none = load_bytes(&Data::default().glb(json!({ "nodes": [{}] }))).unwrap();
    assert_eq!((none.scenes.len(), none.scene), (0, None));
    let scenes = json!({ "nodes": [{}, {}], "scene": 1, "scenes": [{ "nodes": [0] }, { "nodes": [1] }] });
    let two = load_bytes(&Data::default().glb(scenes)).unwrap();
    assert_eq!((two.scenes.len(), two.scene), (2, Some(1)));
}
