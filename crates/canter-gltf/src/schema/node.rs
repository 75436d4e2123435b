//! Nodes and skins.

#[cfg(feature = "meshes")]
use super::mesh::Attributes;
use super::{Extras, Index, Name};
use crate::json::object;

#[derive(Debug, Default)]
pub(crate) struct Node<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) children: Vec<Index>,
    pub(crate) mesh: Option<Index>,
    pub(crate) skin: Option<Index>,
    pub(crate) matrix: Option<Box<[f32; 16]>>,
    pub(crate) translation: Option<[f32; 3]>,
    pub(crate) rotation: Option<[f32; 4]>,
    pub(crate) scale: Option<[f32; 3]>,
    pub(crate) weights: Option<Vec<f32>>,
    #[cfg(feature = "meshes")]
    pub(crate) extensions: NodeExtensions<'a>,
    pub(crate) extras: Extras<'a>,
}

object!('a, Node<'a> {
    ;
    "name" => name, "children" => children, "mesh" => mesh, "skin" => skin, "matrix" => matrix,
    "translation" => translation, "rotation" => rotation, "scale" => scale, "weights" => weights,
    #[cfg(feature = "meshes")] "extensions" => extensions,
    #[cfg(feature = "extras")] "extras" => extras
});

#[cfg(feature = "meshes")]
#[derive(Debug, Default)]
pub(crate) struct NodeExtensions<'a> {
    visibility: Option<Visibility>,
    pub(crate) instancing: Option<Box<Instancing<'a>>>,
    pub(crate) lod: Option<Box<Lod>>,
}

#[cfg(feature = "meshes")]
object!('a, NodeExtensions<'a> {
    ;
    "KHR_node_visibility" => visibility, "EXT_mesh_gpu_instancing" => instancing, "MSFT_lod" => lod
});

/// The nodes that are shown instead where this one is small, finer ones first.
#[cfg(feature = "meshes")]
#[derive(Debug, Default)]
pub(crate) struct Lod {
    pub(crate) ids: Vec<Index>,
}

#[cfg(feature = "meshes")]
object!('a, Lod { ; "ids" => ids });

#[cfg(feature = "meshes")]
impl NodeExtensions<'_> {
    /// Whether the node itself is shown; those above it may not be.
    pub(crate) fn is_visible(&self) -> bool {
        self.visibility.as_ref().and_then(|visibility| visibility.visible).unwrap_or(true)
    }
}

#[cfg(feature = "meshes")]
#[derive(Debug, Default)]
struct Visibility {
    visible: Option<bool>,
}

#[cfg(feature = "meshes")]
object!('a, Visibility { ; "visible" => visible });

/// Where the mesh of a node is drawn again and again.
#[cfg(feature = "meshes")]
#[derive(Debug, Default)]
pub(crate) struct Instancing<'a> {
    pub(crate) attributes: Attributes<'a>,
}

#[cfg(feature = "meshes")]
object!('a, Instancing<'a> { ; "attributes" => attributes });

#[derive(Debug, Default)]
pub(crate) struct Skin<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) joints: Vec<Index>,
    pub(crate) inverse_bind_matrices: Option<Index>,
    pub(crate) skeleton: Option<Index>,
}

object!('a, Skin<'a> {
    ;
    "name" => name, "joints" => joints, "inverseBindMatrices" => inverse_bind_matrices,
    "skeleton" => skeleton
});
