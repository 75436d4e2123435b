//! Nodes and skins.

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
    pub(crate) extras: Extras<'a>,
}

object!('a, Node<'a> {
    ;
    "name" => name, "children" => children, "mesh" => mesh, "skin" => skin, "matrix" => matrix,
    "translation" => translation, "rotation" => rotation, "scale" => scale, "weights" => weights,
    #[cfg(feature = "extras")] "extras" => extras
});

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
