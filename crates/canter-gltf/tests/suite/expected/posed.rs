//! An asset in a pose, by the whole pipeline: mixer, pose, model pose, palette, skinning.

use std::sync::Arc;

use canter_gltf::Asset;
use canter_gltf::canter::glam::Mat4;
use canter_gltf::canter::{LoopMode, Mixer, ModelPose, Play, Pose, Transform};
use canter_scene::{MeshTransform, PosedVertices};
use serde::Deserialize;

/// A clip at a time.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Part {
    pub(crate) clip: usize,
    pub(crate) time: f32,
    pub(crate) weight: f32,
}

pub(crate) struct Posed<'a> {
    asset: &'a Asset,
    pose: Pose,
    model: ModelPose,
}

impl<'a> Posed<'a> {
    pub(crate) fn new(asset: &'a Asset, parts: &[Part]) -> Self {
        let mut mixer = Mixer::new(&asset.skeleton);
        for (index, part) in parts.iter().enumerate() {
            let clip = &asset.clips[part.clip];
            let again = parts[..index].iter().any(|other| other.clip == part.clip);
            let clip = if again { Arc::new(clip.as_ref().clone()) } else { Arc::clone(clip) };
            let start_secs = Some(part.time);
            let loop_mode = LoopMode::Once;
            mixer.play(
                &clip,
                Play { loop_mode, weight: part.weight, start_secs, speed: 0.0, ..Play::default() },
            );
        }
        let mut pose = Pose::rest(&asset.skeleton);
        mixer.sample(&mut pose);
        let mut model = ModelPose::rest(&asset.skeleton);
        model.compose(&asset.skeleton, &pose);
        Self { asset, pose, model }
    }

    pub(crate) fn local(&self, node: usize) -> Transform {
        self.pose.joint(self.asset.nodes[node].joint)
    }

    pub(crate) fn world(&self, node: usize) -> Mat4 {
        self.model.joint(self.asset.nodes[node].joint)
    }

    pub(crate) fn palette(&self, skin: usize) -> Vec<Mat4> {
        let skin = &self.asset.skins[skin];
        let mut palette = vec![Mat4::IDENTITY; skin.len()];
        skin.write_palette(&self.model, &mut palette);
        palette
    }

    pub(crate) fn morph_weights(&self, node: usize) -> &[f32] {
        self.asset.nodes[node].morph.map_or(&[], |morph| self.pose.morph_weights(morph))
    }

    pub(crate) fn vertices(&self, node: usize, primitive: usize) -> PosedVertices {
        let weights = self.morph_weights(node);
        let mesh = self.asset.nodes[node].mesh.expect("a node with a mesh");
        let primitive = &self.asset.meshes[mesh].primitives[primitive];
        match self.asset.nodes[node].skin {
            Some(skin) if primitive.is_skinned() => {
                PosedVertices::new(primitive, weights, MeshTransform::Skinned(&self.palette(skin)))
            }
            _ => PosedVertices::new(primitive, weights, MeshTransform::Rigid(self.world(node))),
        }
    }
}
