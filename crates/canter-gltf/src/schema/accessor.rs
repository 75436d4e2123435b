//! Buffers, views of them, and accessors: typed arrays in views.

use super::{Index, Size, Text};
use crate::json::object;

#[derive(Debug, Default)]
pub(crate) struct Buffer<'a> {
    pub(crate) uri: Option<Text<'a>>,
    pub(crate) byte_length: Size,
    pub(crate) extensions: BufferExtensions,
}

object!('a, Buffer<'a> { "byteLength" => byte_length; "uri" => uri, "extensions" => extensions });

#[derive(Debug, Default)]
pub(crate) struct BufferExtensions {
    ext_meshopt: MeshoptBuffer,
    khr_meshopt: MeshoptBuffer,
}

object!('a, BufferExtensions {
    ;
    "EXT_meshopt_compression" => ext_meshopt, "KHR_meshopt_compression" => khr_meshopt
});

impl BufferExtensions {
    /// The buffer has no bytes: it stands for what the views decompress to.
    pub(crate) fn is_fallback(&self) -> bool {
        self.ext_meshopt.fallback || self.khr_meshopt.fallback
    }
}

#[derive(Debug, Default)]
struct MeshoptBuffer {
    fallback: bool,
}

object!('a, MeshoptBuffer { ; "fallback" => fallback });

#[derive(Debug, Default)]
pub(crate) struct BufferView<'a> {
    pub(crate) buffer: Index,
    pub(crate) byte_offset: Size,
    pub(crate) byte_length: Size,
    pub(crate) byte_stride: Option<Size>,
    pub(crate) extensions: BufferViewExtensions<'a>,
}

object!('a, BufferView<'a> {
    "buffer" => buffer, "byteLength" => byte_length;
    "byteOffset" => byte_offset, "byteStride" => byte_stride, "extensions" => extensions
});

#[derive(Debug, Default)]
pub(crate) struct BufferViewExtensions<'a> {
    ext_meshopt: Option<Box<MeshoptView<'a>>>,
    khr_meshopt: Option<Box<MeshoptView<'a>>>,
}

object!('a, BufferViewExtensions<'a> {
    ;
    "EXT_meshopt_compression" => ext_meshopt, "KHR_meshopt_compression" => khr_meshopt
});

impl<'a> BufferViewExtensions<'a> {
    /// How the view is compressed: by the extension or by its successor, which are alike.
    pub(crate) fn meshopt(&self) -> Option<&MeshoptView<'a>> {
        self.ext_meshopt.as_deref().or(self.khr_meshopt.as_deref())
    }
}

/// A view whose bytes are compressed.
#[derive(Debug, Default)]
pub(crate) struct MeshoptView<'a> {
    pub(crate) buffer: Index,
    pub(crate) byte_offset: Size,
    pub(crate) byte_length: Size,
    pub(crate) byte_stride: Size,
    pub(crate) count: Size,
    pub(crate) mode: Text<'a>,
    pub(crate) filter: Option<Text<'a>>,
}

object!('a, MeshoptView<'a> {
    "buffer" => buffer, "byteLength" => byte_length, "byteStride" => byte_stride, "count" => count,
    "mode" => mode;
    "byteOffset" => byte_offset, "filter" => filter
});

#[derive(Debug, Default)]
pub(crate) struct Accessor<'a> {
    pub(crate) buffer_view: Option<Index>,
    pub(crate) byte_offset: Size,
    pub(crate) component_type: Size,
    pub(crate) normalized: bool,
    pub(crate) count: Size,
    pub(crate) kind: Text<'a>,
    pub(crate) sparse: Option<Box<Sparse>>,
}

object!('a, Accessor<'a> {
    "componentType" => component_type, "count" => count, "type" => kind;
    "bufferView" => buffer_view, "byteOffset" => byte_offset, "normalized" => normalized, "sparse" => sparse
});

#[derive(Debug, Default)]
pub(crate) struct Sparse {
    pub(crate) count: Size,
    pub(crate) indices: SparseIndices,
    pub(crate) values: SparseValues,
}

object!('a, Sparse { "count" => count, "indices" => indices, "values" => values; });

#[derive(Debug, Default)]
pub(crate) struct SparseIndices {
    pub(crate) buffer_view: Index,
    pub(crate) byte_offset: Size,
    pub(crate) component_type: Size,
}

object!('a, SparseIndices {
    "bufferView" => buffer_view, "componentType" => component_type;
    "byteOffset" => byte_offset
});

#[derive(Debug, Default)]
pub(crate) struct SparseValues {
    pub(crate) buffer_view: Index,
    pub(crate) byte_offset: Size,
}

object!('a, SparseValues { "bufferView" => buffer_view; "byteOffset" => byte_offset });
