//! A loaded file.

mod add_clips;
mod clip_key;

use std::sync::Arc;

use canter::{Clip, Skeleton, Skins};

use crate::animated::AnimatedProperty;
use crate::info::FileInfo;
use crate::material::Material;
use crate::mesh::Mesh;
use crate::node::{Node, Scene};
use crate::texture::{Image, Texture};
use crate::warning::Warning;

pub use add_clips::{AddClipsError, AddedClips, bind_clips};
pub use clip_key::{ClipKey, ClipNotFound, WantedClip};

/// Everything in a file that a renderer needs, as plain data.
///
/// All lists are in the file's order, so that an index of the file is an index here.
///
/// `extras`, which programs put into files for other programs, are kept as the JSON text that they are, of
/// any kind but `null`; read them with the JSON library of your choice. They need the feature `extras`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Asset {
    /// All nodes as one tree of joints (or several trees), with their rest transforms and morph weights.
    ///
    /// Node `i` of the file is `skeleton.joint_from_source(i)`.
    pub skeleton: Arc<Skeleton>,
    /// The animations. Those of other files come after them with [`add_clips`](Self::add_clips).
    pub clips: Vec<Arc<Clip>>,
    /// The `extras` of each clip, as JSON.
    pub clip_extras: Vec<Option<Box<str>>>,
    /// The skins.
    pub skins: Skins,
    /// The meshes.
    pub meshes: Vec<Mesh>,
    /// The nodes: what hangs where.
    pub nodes: Vec<Node>,
    /// The scenes.
    pub scenes: Vec<Scene>,
    /// Index of the scene to show; `None` if the file has none.
    pub scene: Option<usize>,
    /// What clips animate beside transforms and morph weights, in an order of its own
    /// (`KHR_animation_pointer`).
    pub animated: Vec<AnimatedProperty>,
    /// The materials.
    pub materials: Vec<Material>,
    /// The textures.
    pub textures: Vec<Texture>,
    /// The images.
    pub images: Vec<Image>,
    /// What swings (`VRMC_springBone`).
    #[cfg(feature = "springs")]
    pub springs: crate::springs::SpringBones,
    /// The `extras` of the file's root, as JSON. Those of its `asset` are in [`info`](Self::info).
    pub extras: Option<Box<str>>,
    /// Facts about the file.
    pub info: FileInfo,
    /// What is odd about the file.
    pub warnings: Vec<Warning>,
}

impl Asset {
    /// A clip, by name (the first of that name), by index, or one that is not in the list but fits the
    /// skeleton.
    ///
    /// # Errors
    /// When there is none; the error lists those that there are.
    pub fn clip<'a>(&'a self, key: impl Into<ClipKey<'a>>) -> Result<&'a Arc<Clip>, ClipNotFound> {
        key.into().find(&self.clips, &self.skeleton)
    }
}
