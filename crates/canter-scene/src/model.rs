//! What all figures of a kind share: the file, and what of it is drawn.

mod animated;
mod bones;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use canter::{JointId, Mat3x4, ModelPose, MorphId, Pose};
use canter_gltf::{Asset, LoadError, LoadOptions, Primitive};

use crate::bounds::{Bounds, JointBoxes};

pub use animated::MaterialValues;

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
    /// The nodes that parts follow as a whole.
    rigid_joints: Vec<JointId>,
    bones: bones::Bones,
    animated: animated::Animated,
    /// Made when bounds are asked for: many programs never do.
    boxes: OnceLock<JointBoxes>,
    part_boxes: OnceLock<Vec<JointBoxes>>,
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
    /// Where its matrices are in [`Character::palette`](crate::Character::palette): those of its skin, or the
    /// one of its node. Parts share them where they can.
    pub palette: Range<usize>,
    /// What shows and hides it; see [`Model::is_shown`].
    switch: Option<usize>,
}

impl Model {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read or is broken; see [`canter_gltf::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<Arc<Self>, LoadError> {
        Self::load_with(path, &LoadOptions::default())
    }

    /// As [`load`](Self::load), with options: such as that the way over the ground is taken out of clips.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Arc<Self>, LoadError> {
        Ok(Arc::new(Self::new(canter_gltf::load_with(path, options)?)))
    }

    /// Makes a loaded file ready.
    #[must_use]
    pub fn new(asset: Asset) -> Self {
        let mut model = Self {
            bones: bones::Bones::new(&asset),
            animated: animated::Animated::new(&asset),
            asset,
            parts: Vec::new(),
            rigid_joints: Vec::new(),
            boxes: OnceLock::new(),
            part_boxes: OnceLock::new(),
        };
        model.place_parts();
        model
    }

    fn place_parts(&mut self) {
        let asset = &self.asset;
        let visibility = self.animated.visibility(asset);
        let skin_ranges: Vec<_> = asset.skins.ranges().collect();
        let mut rigid_ranges: HashMap<JointId, Range<usize>> = HashMap::new();
        for node_index in shown_nodes(asset) {
            let node = &asset.nodes[node_index];
            let (Some(mesh), Some(switch)) = (node.mesh, visibility[node_index]) else { continue };
            for (index, primitive) in asset.meshes[mesh].primitives.iter().enumerate() {
                if primitive.indices.is_empty() {
                    continue;
                }
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
                    switch,
                });
            }
        }
        // The skinned parts of a mesh before those that follow the node, where a mesh has both.
        self.parts.sort_by_key(|part| (part.node, part.skin.is_none()));
    }

    /// Everything that is drawn of the file: the primitives at the nodes of the scene that it says to show, but
    /// for those that are hidden for ever. Clips may hide others; see [`is_shown`](Self::is_shown).
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What to draw of a part at a level of [`Detail`](crate::Detail): the index of a mesh, and the primitive of
    /// it. It is the part's own at level 0, and where the file has no coarser one. A coarser mesh has to be made of
    /// as many primitives, and to be moved as the part's own is.
    ///
    /// # Panics
    /// If the part is not of this model.
    #[must_use]
    pub fn mesh_at(&self, part: &Part, level: usize) -> (usize, &Primitive) {
        let meshes = &self.asset.meshes;
        let fine = &meshes[part.mesh].primitives;
        let moves_alike = |(a, b): (&Primitive, &Primitive)| {
            a.is_skinned() == b.is_skinned() && a.targets.len() == b.targets.len()
        };
        let fits = |mesh: &&usize| {
            let coarse = &meshes[**mesh].primitives;
            coarse.len() == fine.len() && coarse.iter().zip(fine).all(moves_alike)
        };
        let coarser = self.asset.nodes[part.node].coarser.iter().filter(fits).take(level);
        let mesh = coarser.last().copied().unwrap_or(part.mesh);
        (mesh, &meshes[mesh].primitives[part.primitive])
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
    /// A box around all parts in a pose, from its model pose and its palette.
    ///
    /// It contains every vertex, also in poses that no clip has, and looks at none: it is the box around one
    /// box per joint. These are made when bounds are first asked for.
    ///
    /// # Panics
    /// If something is not of this model.
    #[must_use]
    pub fn bounds(&self, pose: &Pose, model_pose: &ModelPose, palette: &[Mat3x4]) -> Bounds {
        self.boxes.get_or_init(|| JointBoxes::new(&self.asset, &self.parts)).bounds(pose, model_pose, palette)
    }

    /// A box around one of the [`parts`](Self::parts), by its index; otherwise as [`bounds`](Self::bounds).
    ///
    /// # Panics
    /// If something is not of this model.
    #[must_use]
    pub fn part_bounds(
        &self,
        part: usize,
        pose: &Pose,
        model_pose: &ModelPose,
        palette: &[Mat3x4],
    ) -> Bounds {
        let boxes_of = |part: &Part| JointBoxes::new(&self.asset, std::slice::from_ref(part));
        let boxes = self.part_boxes.get_or_init(|| self.parts.iter().map(boxes_of).collect());
        boxes[part].bounds(pose, model_pose, palette)
    }
}

/// The nodes of the scene that the file says to show (or of its first one; all nodes if it has no scene), in
/// the file's order.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Character;

    /// A program that never asks for bounds does not wait for them.
    #[test]
    fn boxes_are_made_when_bounds_are_asked_for() {
        let model = Model::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb")).unwrap();
        let mut character = Character::new(&model);
        character.fade_to("Walk", 0.0).unwrap();
        character.update(0.1);
        assert!(model.boxes.get().is_none() && model.part_boxes.get().is_none());
        assert!(!character.bounds().is_empty());
        assert!(model.boxes.get().is_some() && model.part_boxes.get().is_none());
    }

    #[test]
    fn the_hero_is_drawn_once_and_has_two_coarser_meshes() {
        let model = Model::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb")).unwrap();
        let mut triangles = [0; 4];
        for part in model.parts() {
            for (level, count) in triangles.iter_mut().enumerate() {
                let (mesh, primitive) = model.mesh_at(part, level);
                assert_eq!(mesh, level.min(2));
                assert!(primitive.is_skinned() && primitive.material == model.primitive(part).material);
                *count += primitive.indices.len() / 3;
            }
        }
        assert!(5 * triangles[1] < triangles[0] && 20 * triangles[2] < triangles[0], "{triangles:?}");
        assert_eq!(triangles[3], triangles[2]);
    }
}
