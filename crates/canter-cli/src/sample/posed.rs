//! The pose that was asked for.

use std::sync::Arc;

use canter::glam::Mat4;
use canter::{LoopMode, Mixer, ModelPose, Play, Pose};
use canter_gltf::{Asset, Node};
use canter_scene::{MeshTransform, PosedVertices};

use super::group::Part;

/// An asset in a pose.
pub(super) struct Posed<'a> {
    pub(super) asset: &'a Asset,
    pub(super) parts: &'a [Part],
    pub(super) pose: Pose,
    pub(super) model: ModelPose,
    palettes: Vec<Mat4>,
}

/// A primitive of a node, morphed and skinned.
pub(super) struct PosedPrimitive {
    pub(super) node: usize,
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    pub(super) vertices: PosedVertices,
}

impl<'a> Posed<'a> {
    pub(super) fn new(asset: &'a Asset, parts: &'a [Part]) -> Self {
        let skeleton = &asset.skeleton;
        let mut mixer = Mixer::new(skeleton);
        // Only the ratio of the weights counts, however small they are.
        mixer.set_rest_threshold(0.0);
        for (index, part) in parts.iter().enumerate() {
            let clip = &asset.clips[part.clip];
            // A mixer has one action for each clip: the same clip at two times needs a copy.
            let again = parts[..index].iter().any(|other| other.clip == part.clip);
            let clip = if again { Arc::new(clip.as_ref().clone()) } else { Arc::clone(clip) };
            let start_secs = Some(part.time_secs.clamp(0.0, clip.duration_secs()));
            let play = Play {
                loop_mode: LoopMode::Once,
                speed: 0.0,
                weight: part.weight,
                start_secs,
                ..Play::default()
            };
            mixer.play(&clip, play);
        }
        let mut pose = Pose::rest(skeleton);
        mixer.sample(&mut pose);
        let mut model = ModelPose::rest(skeleton);
        model.compose(skeleton, &pose);
        let mut palettes = vec![Mat4::IDENTITY; asset.skins.matrix_count()];
        asset.skins.write_palettes(&model, &mut palettes);
        Self { asset, parts, pose, model, palettes }
    }

    /// `scene_from_node`.
    pub(super) fn world(&self, node: &Node) -> Mat4 {
        self.model.joint(node.joint)
    }

    /// One matrix per joint of a skin.
    pub(super) fn palette(&self, skin: usize) -> &[Mat4] {
        self.asset.skins.ranges().nth(skin).map_or(&[], |range| &self.palettes[range])
    }

    /// The morph weights of a node whose mesh has targets.
    pub(super) fn morph_weights(&self, node: &Node) -> Option<&[f32]> {
        node.morph.map(|morph| self.pose.morph_weights(morph))
    }

    /// All primitives that are drawn, one after the other: together they may be large.
    pub(super) fn primitives(&self) -> impl Iterator<Item = PosedPrimitive> {
        let nodes = self.asset.nodes.iter().enumerate();
        let drawn = nodes.filter_map(|(index, node)| Some((index, node, node.mesh?)));
        drawn.flat_map(move |(index, node, mesh)| {
            let primitives = self.asset.meshes[mesh].primitives.iter().enumerate();
            primitives.filter(|(_, primitive)| !primitive.positions.is_empty()).map(
                move |(number, primitive)| {
                    let transform = match node.skin {
                        Some(skin) if primitive.is_skinned() => MeshTransform::Skinned(self.palette(skin)),
                        _ => MeshTransform::Rigid(self.world(node)),
                    };
                    let weights = self.morph_weights(node).unwrap_or(&[]);
                    PosedPrimitive {
                        node: index,
                        mesh,
                        primitive: number,
                        vertices: PosedVertices::new(primitive, weights, transform),
                    }
                },
            )
        })
    }
}
