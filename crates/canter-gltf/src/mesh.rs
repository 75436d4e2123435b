//! Meshes: what is drawn, as plain data.

use canter::glam::{Vec2, Vec3, Vec4};

#[cfg(feature = "meshes")]
mod attributes;
#[cfg(feature = "meshes")]
mod compressed;
#[cfg(feature = "meshes")]
mod indices;
mod influences;
#[cfg(feature = "meshes")]
mod load;
#[cfg(feature = "meshes")]
mod normals;
mod outline;
#[cfg(feature = "meshes")]
mod topology;

pub use influences::Influences;

use crate::error::Failure;
use crate::source::Source;

/// The meshes of a file, with their vertices if those are wanted.
pub(crate) fn meshes(source: &Source<'_>) -> Result<Vec<Mesh>, Failure> {
    #[cfg(feature = "meshes")]
    if source.options.meshes {
        return load::meshes(source);
    }
    outline::meshes(source)
}

/// A mesh: primitives that are placed together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The file's name for it.
    pub name: Option<String>,
    /// The parts, each with one material, in the file's order.
    pub primitives: Vec<Primitive>,
    /// Weights of the morph targets where a node says nothing else; one per target.
    pub weights: Vec<f32>,
    /// Names of the morph targets, as far as the file gives them (`extras.targetNames`).
    pub target_names: Vec<String>,
}

impl Mesh {
    /// How many morph targets every primitive has.
    #[must_use]
    pub fn target_count(&self) -> usize {
        self.weights.len()
    }
}

/// What the indices of a primitive make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Three indices make a triangle, counter-clockwise seen from the front. Strips and fans become this,
    /// too.
    #[default]
    Triangles,
    /// Two indices make a line. Strips and loops become this, too.
    Lines,
    /// Each index is a point.
    Points,
}

/// A part of a mesh: vertices, indices, one material.
///
/// Vertices are those of the file, in its order. A list is either empty or as long as `positions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// What the indices make.
    pub topology: Topology,
    /// Indices into the vertices, all below the vertex count; counted up where the file has none.
    pub indices: Vec<u32>,
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Normals; for triangles never missing, see `computed_normals`.
    pub normals: Vec<Vec3>,
    /// The file has no normals, these are computed from the triangles.
    ///
    /// They are smooth where triangles share vertices. The specification asks for flat ones, which would need
    /// vertices of their own for every triangle: a renderer that wants them takes the derivatives of the
    /// position.
    pub computed_normals: bool,
    /// Tangents with their handedness in `w`.
    pub tangents: Vec<Vec4>,
    /// Texture coordinates, by set; sets that the file leaves out are empty.
    pub tex_coords: Vec<Vec<Vec2>>,
    /// Linear colours with alpha (`COLOR_0`).
    pub colors: Vec<Vec4>,
    /// Joints and weights, four per vertex and set; sets without any weight are left out.
    pub influences: Vec<Influences>,
    /// Morph targets, as many as the mesh has weights.
    pub targets: Vec<MorphTarget>,
    /// Index of the material; `None` is the specification's default material.
    pub material: Option<usize>,
}

impl Primitive {
    /// Whether joints move it when its node has a skin.
    #[must_use]
    pub fn is_skinned(&self) -> bool {
        !self.influences.is_empty()
    }
}

/// What a morph target at full weight adds to the vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to the positions.
    pub positions: Vec<Vec3>,
    /// Added to the normals.
    pub normals: Vec<Vec3>,
    /// Added to the tangents (not to their handedness).
    pub tangents: Vec<Vec3>,
}
