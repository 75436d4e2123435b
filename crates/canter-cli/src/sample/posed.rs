//! The pose that was asked for.

use std::path::Path;

use canter::glam::Mat4;
use canter::{Mixer, ModelPose, Play, Pose};
use canter_gltf::{Asset, Node};
use canter_scene::{MeshTransform, PosedVertices};

use super::group::Part;
use crate::failure::Failure;
use crate::layer::{self, FoundLayer, LayerText};

/// An asset in a pose.
pub(super) struct Posed<'a> {
    pub(super) asset: &'a Asset,
    pub(super) parts: &'a [Part],
    pub(super) layers: &'a [LayerPart],
    pub(super) pose: Pose,
    pub(super) model: ModelPose,
    palettes: Vec<Mat4>,
}

/// A clip on a layer, at a time.
pub(super) struct LayerPart {
    pub(super) found: FoundLayer,
    pub(super) time_secs: f32,
}

impl LayerPart {
    pub(super) fn new(text: &str, asset: &Asset, path: &Path) -> Result<Self, Failure> {
        let text = LayerText::parse(text, layer::POSE_KEYS)?;
        Ok(Self { found: text.resolve(asset, path)?, time_secs: text.time_secs })
    }

    fn play(&self, mixer: &mut Mixer) {
        let layer = mixer.add_layer(self.found.layer());
        let play = Play { speed: 0.0, start_secs: Some(self.time_secs), ..Play::once() };
        let action = mixer.layer_mut(layer).map(|mut layer| layer.play(&self.found.clip, play));
        debug_assert!(matches!(action, Some(Ok(_))), "the layer was made for the clip");
    }
}

/// A primitive of a node, morphed and skinned.
pub(super) struct PosedPrimitive {
    pub(super) node: usize,
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    pub(super) vertices: PosedVertices,
}

impl<'a> Posed<'a> {
    pub(super) fn new(asset: &'a Asset, parts: &'a [Part], layers: &'a [LayerPart]) -> Self {
        let skeleton = &asset.skeleton;
        let mut mixer = Mixer::new(skeleton);
        for part in parts {
            // Times beyond the clip show its ends.
            let start_secs = Some(part.time_secs);
            let play = Play { speed: 0.0, weight: part.weight, start_secs, ..Play::once() };
            mixer.play(&asset.clips[part.clip], play);
        }
        for layer in layers {
            layer.play(&mut mixer);
        }
        let mut pose = Pose::rest(skeleton);
        mixer.sample(&mut pose);
        let mut model = ModelPose::rest(skeleton);
        model.compose(skeleton, &pose);
        let mut palettes = vec![Mat4::IDENTITY; asset.skins.matrix_count()];
        asset.skins.write_palettes(&model, &mut palettes);
        Self { asset, parts, layers, pose, model, palettes }
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
