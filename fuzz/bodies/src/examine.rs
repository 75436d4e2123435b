//! What holds for everything that was loaded.

use canter::glam::Mat4;
use canter::{Mixer, ModelPose, Play, Pose, Skeleton, Transform};
use canter_gltf::Asset;
use canter_scene::{MeshTransform, PosedVertices};

/// Indices lead somewhere, lists fit each other, and every clip plays without becoming anything else than
/// numbers.
pub(crate) fn examine(asset: &Asset) {
    indices_lead_somewhere(asset);
    let skeleton = &asset.skeleton;
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
    show(asset, &pose, &mut model);
    for clip in asset.clips.iter().take(8) {
        let secs = clip.duration_secs();
        assert!(secs.is_finite() && secs >= 0.0, "a clip of {secs} s");
        for part in [-1.0, 0.0, 0.37, 1.0, 2.0] {
            clip.sample(secs * part, &mut pose);
            assert_finite(skeleton, &pose);
        }
        show(asset, &pose, &mut model);
    }
    let mut mixer = Mixer::new(skeleton);
    for clip in asset.clips.iter().take(3) {
        mixer.play(clip, Play::default());
        mixer.crossfade_to(clip, 0.5);
        mixer.advance(0.3);
        mixer.sample(&mut pose);
        assert_finite(skeleton, &pose);
    }
}

fn indices_lead_somewhere(asset: &Asset) {
    assert_eq!(asset.nodes.len(), asset.skeleton.joint_count(), "a joint for each node");
    for node in &asset.nodes {
        let is_node = |index: &usize| *index < asset.nodes.len();
        assert!(node.parent.iter().chain(&node.children).all(is_node), "a node leads nowhere");
        assert!(node.mesh.is_none_or(|mesh| mesh < asset.meshes.len()), "a node's mesh is not there");
        assert!(node.skin.is_none_or(|skin| skin < asset.skins.len()), "a node's skin is not there");
    }
    for mesh in &asset.meshes {
        for primitive in &mesh.primitives {
            let count = primitive.positions.len();
            assert!(primitive.indices.iter().all(|index| (*index as usize) < count), "an index too far");
            let fits = |length: usize| length == 0 || length == count;
            assert!(fits(primitive.normals.len()) && fits(primitive.tangents.len()), "odd lists");
            assert!(fits(primitive.colors.len()), "odd colours");
            assert!(primitive.tex_coords.iter().all(|set| fits(set.len())), "odd texture coordinates");
            for set in &primitive.influences {
                assert_eq!((set.joints.len(), set.weights.len()), (count, count), "odd influences");
            }
            assert_eq!(primitive.targets.len(), mesh.target_count(), "odd targets");
            assert!(
                primitive.material.is_none_or(|material| material < asset.materials.len()),
                "no material"
            );
            assert!(primitive.positions.iter().all(|position| position.is_finite()), "a wild position");
            assert!(primitive.normals.iter().all(|normal| normal.is_finite()), "a wild normal");
        }
    }
    assert!(asset.scene.is_none_or(|scene| scene < asset.scenes.len()), "the scene is not there");
    assert!(asset.scenes.iter().flat_map(|scene| &scene.nodes).all(|node| *node < asset.nodes.len()));
}

/// Composes a pose, writes the palettes and poses the meshes.
fn show(asset: &Asset, pose: &Pose, model: &mut ModelPose) {
    model.compose(&asset.skeleton, pose);
    let numbers = model.joints().iter().flat_map(|matrix| matrix.rows).flatten();
    assert!(numbers.into_iter().all(f32::is_finite), "a model matrix is not finite");
    let palettes: Vec<Vec<Mat4>> = asset
        .skins
        .iter()
        .map(|skin| {
            let mut palette = vec![Mat4::ZERO; skin.len()];
            skin.write_palette(model, &mut palette);
            assert!(palette.iter().all(|matrix| matrix.is_finite()), "a palette matrix is not finite");
            palette
        })
        .collect();
    for node in asset.nodes.iter().take(64) {
        let Some(mesh) = node.mesh else { continue };
        let weights = node.morph.map_or(&[][..], |morph| pose.morph_weights(morph));
        for primitive in asset.meshes[mesh].primitives.iter().take(8) {
            let transform = match node.skin {
                Some(skin) if primitive.is_skinned() => MeshTransform::Skinned(&palettes[skin]),
                _ => MeshTransform::Rigid(model.joint(node.joint)),
            };
            let _ = PosedVertices::new(primitive, weights, transform).bounds();
        }
    }
}

/// Every number of a pose is one, and rotations have length one.
pub(crate) fn assert_finite(skeleton: &Skeleton, pose: &Pose) {
    for joint in skeleton.joints() {
        let Transform { translation, rotation, scale } = pose.joint(joint);
        assert!(translation.is_finite() && scale.is_finite(), "a joint is not finite");
        assert!((rotation.length() - 1.0).abs() < 1e-4, "a rotation of length {}", rotation.length());
    }
    for morph in skeleton.morphs() {
        assert!(pose.morph_weights(morph).iter().all(|weight| weight.is_finite()), "a morph weight is not");
    }
}
