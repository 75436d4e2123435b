//! Nodes and skins.

use serde::Deserialize;

use super::{Index, Name};

#[derive(Debug, Deserialize)]
pub(crate) struct Node<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    #[serde(default)]
    pub(crate) children: Vec<Index>,
    pub(crate) mesh: Option<Index>,
    pub(crate) skin: Option<Index>,
    pub(crate) matrix: Option<Box<[f32; 16]>>,
    pub(crate) translation: Option<[f32; 3]>,
    pub(crate) rotation: Option<[f32; 4]>,
    pub(crate) scale: Option<[f32; 3]>,
    pub(crate) weights: Option<Box<[f32]>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    #[serde(default)]
    pub(crate) joints: Vec<Index>,
    pub(crate) inverse_bind_matrices: Option<Index>,
    pub(crate) skeleton: Option<Index>,
}
