//! Meshes.

#[cfg(feature = "meshes")]
use super::Size;
use super::{Index, List, Name, Text};
use crate::json::{Raw, Read, Reader, Value, object};

#[derive(Debug, Default)]
pub(crate) struct Mesh<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) primitives: List<Primitive<'a>>,
    pub(crate) weights: Vec<f32>,
    /// Anything at all; by custom it may name the morph targets, see [`target_names`].
    extras: Raw<'a>,
}

object!('a, Mesh<'a> {
    ;
    "name" => name, "primitives" => primitives, "weights" => weights, "extras" => extras
});

impl Mesh<'_> {
    /// The names of the morph targets: `extras.targetNames`, which the specification recommends.
    pub(crate) fn target_names(&self) -> Vec<String> {
        let mut extras = Extras::default();
        match Reader::new(self.extras.0).document(&mut extras) {
            Ok(()) => extras.target_names.into_iter().map(|name| name.0.into_owned()).collect(),
            Err(_) => Vec::new(),
        }
    }
}

#[derive(Debug, Default)]
struct Extras<'a> {
    target_names: Vec<Text<'a>>,
}

object!('a, Extras<'a> { "targetNames" => target_names; });

#[derive(Debug, Default)]
pub(crate) struct Primitive<'a> {
    #[cfg(feature = "meshes")]
    pub(crate) attributes: Attributes<'a>,
    #[cfg(feature = "meshes")]
    pub(crate) indices: Option<Index>,
    #[cfg(feature = "meshes")]
    pub(crate) material: Option<Index>,
    #[cfg(feature = "meshes")]
    pub(crate) mode: Option<Size>,
    #[cfg(feature = "meshes")]
    pub(crate) extensions: PrimitiveExtensions<'a>,
    pub(crate) targets: List<Attributes<'a>>,
}

object!('a, Primitive<'a> {
    ;
    "targets" => targets,
    #[cfg(feature = "meshes")] "attributes" => attributes,
    #[cfg(feature = "meshes")] "indices" => indices,
    #[cfg(feature = "meshes")] "material" => material,
    #[cfg(feature = "meshes")] "mode" => mode,
    #[cfg(feature = "meshes")] "extensions" => extensions
});

#[cfg(feature = "meshes")]
#[derive(Debug, Default)]
pub(crate) struct PrimitiveExtensions<'a> {
    pub(crate) draco: Option<Box<DracoPrimitive<'a>>>,
}

#[cfg(feature = "meshes")]
object!('a, PrimitiveExtensions<'a> { ; "KHR_draco_mesh_compression" => draco });

/// Vertices and triangles in one compressed stream.
#[cfg(feature = "meshes")]
#[derive(Debug, Default)]
pub(crate) struct DracoPrimitive<'a> {
    pub(crate) buffer_view: Index,
    /// The unique ids of the attributes in the stream, by semantic.
    pub(crate) attributes: Attributes<'a>,
}

#[cfg(feature = "meshes")]
object!('a, DracoPrimitive<'a> { "bufferView" => buffer_view, "attributes" => attributes; });

/// Accessors by semantic, in the file's order.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'a>(Vec<(Text<'a>, Index)>);

impl Attributes<'_> {
    pub(crate) fn find(&self, semantic: &str) -> Option<Index> {
        self.iter().find_map(|(name, index)| (name == semantic).then_some(index))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Index)> {
        self.0.iter().map(|(name, index)| (name.0.as_ref(), *index))
    }
}

impl<'a> Value<'a> for Attributes<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        reader.members(&mut |reader, semantic| {
            let mut index = Index::default();
            index.read(reader)?;
            self.0.push((Text::new(semantic), index));
            Ok(())
        })
    }
}
