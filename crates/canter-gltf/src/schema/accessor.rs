//! Buffers, views of them, and accessors: typed arrays in views.

use serde::Deserialize;

use super::{Index, Size, Text};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer<'a> {
    #[serde(borrow)]
    pub(crate) uri: Option<Text<'a>>,
    pub(crate) byte_length: Size,
    #[serde(default)]
    pub(crate) extensions: BufferExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct BufferExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(crate) meshopt: Option<MeshoptBuffer>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MeshoptBuffer {
    /// The buffer has no bytes: it stands for what the views decompress to.
    #[serde(default)]
    pub(crate) fallback: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView<'a> {
    pub(crate) buffer: Index,
    #[serde(default)]
    pub(crate) byte_offset: Size,
    pub(crate) byte_length: Size,
    pub(crate) byte_stride: Option<Size>,
    #[serde(default, borrow)]
    pub(crate) extensions: BufferViewExtensions<'a>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct BufferViewExtensions<'a> {
    #[serde(borrow, rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(crate) meshopt: Option<Box<MeshoptView<'a>>>,
}

/// A view whose bytes are compressed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeshoptView<'a> {
    pub(crate) buffer: Index,
    #[serde(default)]
    pub(crate) byte_offset: Size,
    pub(crate) byte_length: Size,
    pub(crate) byte_stride: Size,
    pub(crate) count: Size,
    #[serde(borrow)]
    pub(crate) mode: Text<'a>,
    #[serde(borrow)]
    pub(crate) filter: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor<'a> {
    pub(crate) buffer_view: Option<Index>,
    #[serde(default)]
    pub(crate) byte_offset: Size,
    pub(crate) component_type: Size,
    #[serde(default)]
    pub(crate) normalized: bool,
    pub(crate) count: Size,
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Text<'a>,
    pub(crate) sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sparse {
    pub(crate) count: Size,
    pub(crate) indices: SparseIndices,
    pub(crate) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseIndices {
    pub(crate) buffer_view: Index,
    #[serde(default)]
    pub(crate) byte_offset: Size,
    pub(crate) component_type: Size,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparseValues {
    pub(crate) buffer_view: Index,
    #[serde(default)]
    pub(crate) byte_offset: Size,
}
