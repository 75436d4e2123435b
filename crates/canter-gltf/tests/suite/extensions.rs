//! Extensions, on small files that are made here.

use canter_gltf::canter::glam::{Quat, Vec2, Vec3, Vec4};
use canter_gltf::canter::{ModelPose, Pose};
use canter_gltf::{
    Asset, Limits, LoadError, LoadOptions, NoFiles, PropertyTarget, Severity, TextureSlot, load_bytes,
    load_bytes_with,
};
use serde_json::{Value, json};

use canter_testing::glb::Data;

fn warnings(asset: &Asset) -> Vec<String> {
    let is_warning = |warning: &&canter_gltf::Warning| warning.severity == Severity::Warning;
    asset.warnings.iter().filter(is_warning).map(ToString::to_string).collect()
}

/// A clip of channels of pointers, each with values at 0 and at 1 second.
fn pointers(data: &mut Data, channels: &[(&str, &str, usize, &[f32])], step: bool) -> Value {
    let input = data.floats("SCALAR", 1, &[0.0, 1.0]);
    let (mut samplers, mut targets) = (Vec::new(), Vec::new());
    for (pointer, kind, lanes, values) in channels {
        let output = data.floats(kind, *lanes, values);
        let interpolation = if step { "STEP" } else { "LINEAR" };
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        targets.push(json!({ "sampler": samplers.len() - 1, "target": { "path": "pointer",
            "extensions": { "KHR_animation_pointer": { "pointer": pointer } } } }));
    }
    json!([{ "name": "clip", "samplers": samplers, "channels": targets }])
}

fn pose_at(asset: &Asset, secs: f32) -> Pose {
    let mut pose = Pose::rest(&asset.skeleton);
    asset.clips[0].sample(secs, &mut pose);
    pose
}

fn values(asset: &Asset, pose: &Pose, target: PropertyTarget) -> Vec<f32> {
    let animated = asset.animated.iter().find(|animated| animated.target == target).expect("it is animated");
    pose.morph_weights(animated.values).to_vec()
}

#[test]
fn pointers_to_nodes_are_channels_like_any_other() {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &[0.0; 9]);
    let turn = Quat::from_rotation_y(1.0).to_array();
    let channels: [(&str, &str, usize, &[f32]); 5] = [
        ("/nodes/0/translation", "VEC3", 3, &[0.0, 0.0, 0.0, 2.0, 4.0, 6.0]),
        ("/nodes/0/rotation", "VEC4", 4, &[[0.0, 0.0, 0.0, 1.0], turn].concat()),
        ("/nodes/0/scale", "VEC3", 3, &[1.0, 1.0, 1.0, 3.0, 1.0, 1.0]),
        ("/nodes/1/weights", "SCALAR", 1, &[0.0, 1.0]),
        ("/meshes/1/weights", "SCALAR", 1, &[0.5, 1.0]),
    ];
    let animations = pointers(&mut data, &channels, false);
    let mesh = json!({ "primitives": [{ "attributes": { "POSITION": positions }, "targets": [{}] }] });
    let asset = load_bytes(&data.glb(json!({
        "extensionsRequired": ["KHR_animation_pointer"],
        "nodes": [{}, { "mesh": 0 }, { "mesh": 1 }, { "mesh": 1 }, { "mesh": 1, "weights": [0.125] }],
        "meshes": [mesh.clone(), mesh],
        "animations": animations,
    })))
    .unwrap();
    assert_eq!(warnings(&asset), [""; 0]);
    assert!(asset.animated.is_empty());
    let pose = pose_at(&asset, 0.5);
    let first = pose.joint(asset.nodes[0].joint);
    assert!(first.translation.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-6));
    assert!(first.rotation.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6));
    assert!(first.scale.abs_diff_eq(Vec3::new(2.0, 1.0, 1.0), 1e-6));
    let weights = |node: usize| pose.morph_weights(asset.nodes[node].morph.unwrap());
    assert_eq!(weights(1), [0.5]);
    assert_eq!((weights(2), weights(3)), (&[0.75][..], &[0.75][..]), "all nodes that show the mesh");
    assert_eq!(weights(4), [0.125], "but for those with weights of their own");
}

#[test]
fn pointers_to_surfaces_are_numbers_of_the_pose() {
    let mut data = Data::default();
    let channels: [(&str, &str, usize, &[f32]); 3] = [
        (
            "/materials/0/pbrMetallicRoughness/baseColorFactor",
            "VEC4",
            4,
            &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5],
        ),
        ("/materials/0/emissiveFactor", "VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.5, 0.25]),
        (
            "/materials/0/emissiveTexture/extensions/KHR_texture_transform/offset",
            "VEC2",
            2,
            &[0.0, 0.0, 1.0, -1.0],
        ),
    ];
    let animations = pointers(&mut data, &channels, false);
    let asset = load_bytes(&data.glb(json!({
        "materials": [{
            "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.5, 0.5, 1] },
            "emissiveFactor": [0.25, 0, 0],
            "emissiveTexture": { "index": 0, "extensions": { "KHR_texture_transform": { "offset": [0.5, 0] } } },
            "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 4 } },
        }],
        "textures": [{}],
        "animations": animations,
    })))
    .unwrap();
    assert_eq!(warnings(&asset), [""; 0]);
    let base = PropertyTarget::BaseColor { material: 0 };
    let glow = PropertyTarget::Emissive { material: 0 };
    let offset = PropertyTarget::TextureOffset { material: 0, slot: TextureSlot::Emissive };
    let rest = Pose::rest(&asset.skeleton);
    assert_eq!(values(&asset, &rest, base), [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(values(&asset, &rest, glow), [1.0, 0.0, 0.0], "times the strength");
    assert_eq!(values(&asset, &rest, offset), [0.5, 0.0]);
    let pose = pose_at(&asset, 0.5);
    assert_eq!(values(&asset, &pose, base), [0.5, 0.0, 0.5, 0.75]);
    assert_eq!(values(&asset, &pose, glow), [2.0, 1.0, 0.5], "times the strength");
    assert_eq!(values(&asset, &pose, offset), [0.5, -0.5]);
}

#[test]
fn a_pointer_to_what_is_shown_steps() {
    let mut data = Data::default();
    let view = data.view(&[1, 0]);
    let output =
        data.accessor(json!({ "bufferView": view, "componentType": 5121, "count": 2, "type": "SCALAR" }));
    let input = data.floats("SCALAR", 1, &[0.0, 1.0]);
    let asset = load_bytes(&data.glb(json!({
        "nodes": [{ "extensions": { "KHR_node_visibility": { "visible": false } } }, {}],
        "animations": [{
            "samplers": [{ "input": input, "output": output, "interpolation": "STEP" }],
            "channels": [{ "sampler": 0, "target": { "path": "pointer", "extensions": {
                "KHR_animation_pointer": { "pointer": "/nodes/0/extensions/KHR_node_visibility/visible" } } } }],
        }],
    })))
    .unwrap();
    assert_eq!(warnings(&asset), [""; 0]);
    assert_eq!(asset.nodes.iter().map(|node| node.visible).collect::<Vec<_>>(), [false, true]);
    let visible = PropertyTarget::Visible { node: 0 };
    assert_eq!(values(&asset, &Pose::rest(&asset.skeleton), visible), [0.0], "as the file says");
    assert_eq!(values(&asset, &pose_at(&asset, 0.75), visible), [1.0]);
    assert_eq!(values(&asset, &pose_at(&asset, 1.0), visible), [0.0]);
}

#[test]
fn pointers_that_lead_nowhere_are_warnings() {
    let numbers: &[f32] = &[0.0, 1.0];
    let pointers_to = [
        "",
        "/nodes/7/translation",
        "/nodes/100000000000000000000/translation",
        "/meshes/3/weights",
        "/materials/0/emissiveFactor",
        "/materials/0/normalTexture/extensions/KHR_texture_transform/offset",
        "/cameras/0/perspective/yfov",
        "/nodes/9/extensions/KHR_node_visibility/visible",
    ];
    let channels = pointers_to.map(|pointer| (pointer, "SCALAR", 1, numbers));
    let mut data = Data::default();
    let animations = pointers(&mut data, &channels, true);
    let asset = load_bytes(&data.glb(json!({ "nodes": [{}], "animations": animations }))).unwrap();
    let found = warnings(&asset);
    assert_eq!(found.len(), pointers_to.len(), "{found:?}");
    for (warning, pointer) in found.iter().zip(pointers_to) {
        assert!(warning.contains(&format!("the pointer \"{pointer}\" is not supported")), "{warning}");
    }
}

#[test]
fn the_older_model_of_surfaces_gives_its_diffuse_colour() {
    let asset = load_bytes(&Data::default().glb(json!({
        "extensionsRequired": ["KHR_materials_pbrSpecularGlossiness"],
        "materials": [{
            "pbrMetallicRoughness": { "baseColorFactor": [1, 1, 1, 1], "metallicFactor": 1 },
            "extensions": { "KHR_materials_pbrSpecularGlossiness": {
                "diffuseFactor": [0.5, 0.25, 0.125, 0.75],
                "diffuseTexture": { "index": 1, "texCoord": 1 },
                "glossinessFactor": 0.25,
            } },
        }],
        "textures": [{}, {}],
    })))
    .unwrap();
    assert_eq!(warnings(&asset), [""; 0]);
    let material = &asset.materials[0];
    assert_eq!(material.base_color, Vec4::new(0.5, 0.25, 0.125, 0.75));
    let texture = material.base_color_texture.unwrap();
    assert_eq!((texture.texture, texture.tex_coord), (1, 1));
    assert_eq!((material.metallic, material.roughness), (0.0, 0.75));
}

#[test]
fn a_texture_takes_the_image_that_everybody_can_read() {
    let basisu = json!({ "KHR_texture_basisu": { "source": 1 } });
    let asset = load_bytes(&Data::default().glb(json!({
        "textures": [
            { "source": 0, "extensions": basisu },
            { "extensions": basisu },
            { "extensions": { "EXT_texture_avif": { "source": 1 }, "EXT_texture_webp": { "source": 0 } } },
            {},
        ],
        "images": [{ "uri": "data:image/png;base64,AAAA" }, { "uri": "data:image/ktx2;base64,AAAA" }],
    })))
    .unwrap();
    let images: Vec<_> = asset.textures.iter().map(|texture| texture.image).collect();
    assert_eq!(images, [Some(0), Some(1), Some(0), None]);
}

/// A mesh at a node, at places.
fn instanced(translations: &[f32], rotations: &[f32], node: Value) -> Vec<u8> {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let translations = data.floats("VEC3", 3, translations);
    let rotations = data.floats("VEC4", 4, rotations);
    let mut node = node;
    node["mesh"] = json!(0);
    node["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": {
        "TRANSLATION": translations, "ROTATION": rotations, "_ID": 77 } } });
    data.glb(json!({
        "extensionsRequired": ["EXT_mesh_gpu_instancing"],
        "nodes": [node, { "name": "last" }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": positions } }] }],
    }))
}

#[test]
fn instances_are_nodes_behind_those_of_the_file() {
    let half_turn = [0.0, 1.0, 0.0, 0.0];
    let rotations = [[0.0, 0.0, 0.0, 1.0], half_turn, [0.0; 4]].concat();
    let translations = [1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let file = instanced(&translations, &rotations, json!({ "translation": [0, 5, 0] }));
    let asset = load_bytes(&file).unwrap();
    assert_eq!(warnings(&asset), [""; 0]);
    assert_eq!(asset.nodes.len(), 5);
    assert_eq!((asset.nodes[0].mesh, asset.nodes[0].children.as_slice()), (None, &[2, 3, 4][..]));
    assert_eq!(asset.nodes[1].name.as_deref(), Some("last"));
    let mut model = ModelPose::rest(&asset.skeleton);
    model.compose(&asset.skeleton, &Pose::rest(&asset.skeleton));
    for (node, corner) in
        [(2, Vec3::new(2.0, 5.0, 0.0)), (3, Vec3::new(1.0, 5.0, 0.0)), (4, Vec3::new(4.0, 5.0, 0.0))]
    {
        let instance = &asset.nodes[node];
        assert_eq!((instance.mesh, instance.parent, instance.skin), (Some(0), Some(0), None));
        let found = model.joint(instance.joint).transform_point3(Vec3::X);
        assert!(found.abs_diff_eq(corner, 1e-5), "{node}: {found}");
    }
}

#[test]
fn instances_are_counted_as_nodes_are() {
    let rotations = [0.0, 0.0, 0.0, 1.0].repeat(3);
    let file = instanced(&[0.0; 9], &rotations, json!({}));
    let load = |nodes| {
        let mut limits = Limits::default();
        limits.nodes = nodes;
        load_bytes_with(&file, &NoFiles, &LoadOptions::default().with_limits(limits))
    };
    assert!(load(5).is_ok());
    assert!(matches!(load(4), Err(LoadError::Limit { found: 5, limit: 4, .. })));
    let uneven = instanced(&[0.0; 6], &rotations, json!({}));
    let error = load_bytes(&uneven).unwrap_err().to_string();
    assert_eq!(
        error,
        "nodes[0].extensions.EXT_mesh_gpu_instancing.attributes: found 3 elements, expected 2, as of the others"
    );
}

#[test]
fn texture_transforms_have_an_offset_that_can_be_animated() {
    let transform = json!({ "offset": [0.5, 0.25], "rotation": 1.0, "scale": [2.0, 1.0] });
    let asset = load_bytes(&Data::default().glb(json!({
        "materials": [{ "normalTexture": { "index": 0, "extensions": { "KHR_texture_transform": transform } } }],
        "textures": [{}],
    })))
    .unwrap();
    let texture = asset.materials[0].texture(TextureSlot::Normal).unwrap();
    assert_eq!(texture.texture_from_uv.transform_point2(Vec2::ZERO), Vec2::new(0.5, 0.25));
}

/// Three skinned triangles: the first node is shown, the others instead of it where it is small.
fn with_levels(ids: &Value, second_skin: usize) -> Vec<u8> {
    let mut data = Data::default();
    let positions = data.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let mesh = json!({ "primitives": [{ "attributes": { "POSITION": positions } }] });
    data.glb(json!({
        "extensionsRequired": ["MSFT_lod"],
        "extensionsUsed": ["MSFT_lod"],
        "nodes": [
            { "mesh": 0, "skin": 0, "extensions": { "MSFT_lod": { "ids": ids } } },
            { "mesh": 1, "skin": 0 },
            { "mesh": 2, "skin": second_skin },
            { "name": "joint" },
        ],
        "skins": [{ "joints": [3] }, { "joints": [3, 3] }],
        "meshes": [mesh, mesh, mesh],
        "scenes": [{ "nodes": [0, 3] }],
    }))
}

#[test]
fn coarser_meshes_belong_to_the_node_that_they_stand_for() {
    let drawn = |asset: &Asset| -> Vec<_> {
        asset.nodes.iter().map(|node| (node.mesh, node.coarser.clone())).collect()
    };
    let nothing = || (None, Vec::new());
    let asset = load_bytes(&with_levels(&json!([1, 2]), 0)).unwrap();
    assert_eq!(drawn(&asset), [(Some(0), vec![1, 2]), nothing(), nothing(), nothing()]);
    // The matrices of another skin would not fit: the level is left out, and not drawn beside the others.
    let asset = load_bytes(&with_levels(&json!([1, 2]), 1)).unwrap();
    assert_eq!(drawn(&asset), [(Some(0), vec![1]), nothing(), nothing(), nothing()]);
    // A node that stands for itself, or twice, changes nothing.
    let asset = load_bytes(&with_levels(&json!([0, 1, 1]), 0)).unwrap();
    assert_eq!(drawn(&asset)[0], (Some(0), vec![1]));
    let error = load_bytes(&with_levels(&json!([7]), 0)).unwrap_err().to_string();
    assert_eq!(
        error,
        "nodes[0].extensions.MSFT_lod.ids[0]: found index 7, expected 0 to 3: the file has 4 nodes"
    );
}
