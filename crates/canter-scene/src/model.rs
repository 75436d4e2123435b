//! What all figures of a kind share: the file, and what of it is drawn.

mod bones;
mod samples;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use canter::{JointId, Mat3x4, ModelPose, MorphId, Pose};
use canter_gltf::{Asset, LoadError, Primitive};

use crate::bounds::Bounds;
use crate::envelope::{self, Bodies, Body, MorphWeights, Present, Sample, Vertices};

/// A file, made ready to stand in a scene any number of times.
///
/// ```
/// use canter_scene::{Character, Model};
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// let hero = Model::load("assets/hero.glb")?;
/// let crowd: Vec<_> = (0..1000).map(|_| Character::new(&hero)).collect();
/// # assert_eq!(crowd.len(), 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Model {
    /// The file.
    pub asset: Asset,
    parts: Vec<Part>,
    bodies: Bodies,
    /// The nodes that parts follow as a whole.
    rigid_joints: Vec<JointId>,
    bones: bones::Bones,
}

/// One primitive of a mesh at one node: what a renderer draws in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index of the node in the file.
    pub node: usize,
    /// The same node in the skeleton.
    pub joint: JointId,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Index of the skin that moves it; `None` if it follows its node as a whole.
    pub skin: Option<usize>,
    /// The weights of its morph targets.
    pub morph: Option<MorphId>,
    /// Where its matrices are in [`Character::palette`](crate::Character::palette): those of its skin, or the one of its node. Parts share
    /// them where they can.
    pub palette: Range<usize>,
    /// Which of [`Character::bounds`](crate::Character::bounds) is around it. The parts of a mesh share a box.
    pub bounds: usize,
}

impl Model {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read or is broken; see [`canter_gltf::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<Arc<Self>, LoadError> {
        Ok(Arc::new(Self::new(canter_gltf::load(path)?)))
    }

    /// Makes a loaded file ready. This samples its clips here and there, to fit [bounds](crate::Character::bounds) tightly.
    #[must_use]
    pub fn new(asset: Asset) -> Self {
        let mut model = Self {
            bones: bones::Bones::new(&asset),
            asset,
            parts: Vec::new(),
            bodies: Bodies::default(),
            rigid_joints: Vec::new(),
        };
        model.place_parts();
        model.fit_bodies();
        model
    }

    fn place_parts(&mut self) {
        let asset = &self.asset;
        let skin_ranges: Vec<_> = asset.skins.ranges().collect();
        let mut rigid_ranges: HashMap<JointId, Range<usize>> = HashMap::new();
        for node_index in shown_nodes(asset) {
            let node = &asset.nodes[node_index];
            let Some(mesh) = node.mesh else { continue };
            for (index, primitive) in asset.meshes[mesh].primitives.iter().enumerate() {
                // A primitive without joints follows the node even where the node has a skin.
                let skin = node.skin.filter(|_| primitive.is_skinned());
                let rigid = || {
                    let range = rigid_ranges.entry(node.joint).or_insert_with(|| {
                        let start = asset.skins.matrix_count() + self.rigid_joints.len();
                        self.rigid_joints.push(node.joint);
                        start..start + 1
                    });
                    range.clone()
                };
                let palette = skin.map_or_else(rigid, |skin| skin_ranges[skin].clone());
                self.parts.push(Part {
                    node: node_index,
                    joint: node.joint,
                    mesh,
                    primitive: index,
                    skin,
                    morph: node.morph,
                    palette,
                    bounds: 0,
                });
            }
        }
        // The skinned parts of a mesh before those that follow the node, where a mesh has both.
        self.parts.sort_by_key(|part| (part.node, part.skin.is_none()));
    }

    fn fit_bodies(&mut self) {
        // What follows a node as a whole fits in every pose.
        let has_skins = self.parts.iter().any(|part| part.skin.is_some());
        let instants = if has_skins { samples::instants(self) } else { Vec::new() };
        let asset = &self.asset;
        let primitive = |part: &Part| &asset.meshes[part.mesh].primitives[part.primitive];
        let mut bodies = Vec::new();
        for parts in self.parts.chunk_by_mut(|a, b| (a.node, a.skin) == (b.node, b.skin)) {
            let (palette, skin, morph) = (parts[0].palette.clone(), parts[0].skin, parts[0].morph);
            let primitives = parts.iter().map(primitive);
            let vertices = match skin {
                Some(skin) => Vertices::skinned(primitives, &asset.skins[skin], &asset.skeleton),
                None => Vertices::rigid(primitives, parts[0].joint),
            };
            let poses: Vec<_> = (instants.iter())
                .map(|instant| Sample {
                    joints: instant.model_pose.joints(),
                    palette: &instant.palette[palette.clone()],
                    morph_weights: morph.map_or(&[], |morph| instant.pose.morph_weights(morph)),
                })
                .collect();
            let envelope = envelope::fit(vertices, &poses);
            parts.iter_mut().for_each(|part| part.bounds = bodies.len());
            bodies.push(Body { palette, morph, envelope });
        }
        self.bodies = Bodies::new(bodies);
    }

    /// Everything that is drawn of the file: the primitives at the nodes of the scene that it says to show.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The primitive of a part.
    ///
    /// # Panics
    /// If the part is not of this model.
    #[must_use]
    pub fn primitive(&self, part: &Part) -> &Primitive {
        &self.asset.meshes[part.mesh].primitives[part.primitive]
    }

    /// How many matrices the palette of a character has: those of all skins, in the file's order, then one
    /// for each node that parts follow as a whole.
    #[must_use]
    pub fn palette_len(&self) -> usize {
        self.asset.skins.matrix_count() + self.rigid_joints.len()
    }

    /// The nodes that parts follow as a whole, in the order of their matrices.
    pub(crate) fn rigid_joints(&self) -> &[JointId] {
        &self.rigid_joints
    }

    /// Writes the matrices of all parts for a model pose.
    ///
    /// # Panics
    /// If `palette` is not [`palette_len`](Self::palette_len) long, or the pose is of another skeleton.
    pub fn write_palette(&self, model_pose: &ModelPose, palette: &mut [Mat3x4]) {
        assert!(palette.len() == self.palette_len(), "a palette of another model");
        let (skinned, rigid) = palette.split_at_mut(self.asset.skins.matrix_count());
        self.asset.skins.write_palettes(model_pose, skinned);
        for (matrix, joint) in rigid.iter_mut().zip(&self.rigid_joints) {
            *matrix = model_pose.joints()[joint.index()];
        }
    }
}

impl Model {
    /// How many boxes are around a character.
    #[must_use]
    pub fn bounds_len(&self) -> usize {
        self.bodies.len()
    }

    /// Writes the boxes around all meshes in a pose, from the model pose and the palette of the pose.
    ///
    /// # Panics
    /// If something is not of this model.
    pub fn write_bounds(
        &self,
        pose: &Pose,
        model_pose: &ModelPose,
        palette: &[Mat3x4],
        bounds: &mut [Bounds],
    ) {
        self.bodies.write(&mut Present {
            weights: MorphWeights::Of(pose),
            joints: model_pose.joints(),
            palette,
            bounds,
        });
    }
}

/// The nodes of the scene that the file says to show (or of its first one; all nodes if it has no scene), in the file's
/// order.
fn shown_nodes(asset: &Asset) -> Vec<usize> {
    let Some(scene) = asset.scenes.get(asset.scene.unwrap_or(0)) else {
        return (0..asset.nodes.len()).collect();
    };
    let mut shown = vec![false; asset.nodes.len()];
    let mut waiting = scene.nodes.clone();
    while let Some(node) = waiting.pop() {
        // The nodes of a file are trees, but a scene may list a node and one below it.
        if !std::mem::replace(&mut shown[node], true) {
            waiting.extend(&asset.nodes[node].children);
        }
    }
    (0..shown.len()).filter(|&node| shown[node]).collect()
}
