//! Primitives whose vertices are compressed by Draco.

use crate::error::Failure;
use crate::place::Place;
use crate::schema::mesh::Primitive;
use crate::source::Source;

#[cfg(feature = "draco")]
use crate::accessor::Format;
#[cfg(feature = "draco")]
use crate::count::Count;
use crate::warning::WarningCode;

/// The vertices and triangles of a stream.
pub(super) struct Compressed<'a> {
    pub(super) indices: Vec<u32>,
    #[cfg(feature = "draco")]
    points: usize,
    #[cfg(feature = "draco")]
    attributes: Vec<Attribute<'a>>,
    #[cfg(not(feature = "draco"))]
    attributes: std::marker::PhantomData<&'a ()>,
}

#[cfg(feature = "draco")]
struct Attribute<'a> {
    semantic: &'a str,
    format: Format,
    bytes: Vec<u8>,
}

#[cfg(not(feature = "draco"))]
pub(super) fn load<'a>(
    primitive: &'a Primitive<'_>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Option<Compressed<'a>>, Failure> {
    if primitive.extensions.draco.is_some() {
        let message = "the vertices are compressed by Draco, which needs the feature `draco`; those beside the \
                       stream are used";
        source.report.warn(place, WarningCode::DracoNotBuilt, message);
    }
    Ok(None)
}

/// `None` if the primitive is not compressed.
#[cfg(feature = "draco")]
pub(super) fn load<'a>(
    primitive: &'a Primitive<'_>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Option<Compressed<'a>>, Failure> {
    let Some(draco) = primitive.extensions.draco.as_deref() else { return Ok(None) };
    let extensions = place.field("extensions");
    let place = extensions.field("KHR_draco_mesh_compression");
    let budget = &source.accessors.budget;
    let view = source.accessors.buffers.view(draco.buffer_view, budget, &place.field("bufferView"))?;
    let decoded = crate::draco::decode(view.bytes, budget, &place.field("bufferView"))?;
    let mut attributes = Vec::new();
    let mut other_count = None;
    for (semantic, unique_id) in draco.attributes.iter() {
        let list = place.field("attributes");
        let place = list.field(semantic);
        let Some(accessor) = primitive.attributes.find(semantic) else {
            source.report.warn(
                &place,
                WarningCode::DracoAttribute,
                "the primitive has no such attribute; it is passed over",
            );
            continue;
        };
        let (declared, count) = source.accessors.declared(accessor, &place)?;
        if count != decoded.points as u64 {
            other_count = Some(count);
        }
        let unique_id = u32::try_from(unique_id.get()).unwrap_or(u32::MAX);
        let (kind, bytes) = decoded.attribute(unique_id, declared.component, budget, &place)?;
        attributes.push(Attribute { semantic, format: Format { kind, ..declared }, bytes });
    }
    if let Some(count) = other_count {
        let points = decoded.points;
        let message = format_args!(
            "the accessors have {}, the stream has {points}, which counts",
            Count(count, "element")
        );
        source.report.warn(&place, WarningCode::DracoCount, message);
    }
    if let Some(indices) = primitive.indices {
        let (_, count) = source.accessors.declared(indices, &place)?;
        if count != decoded.indices.len() as u64 {
            let found = decoded.indices.len();
            let message = format_args!(
                "the accessor has {}, the stream has {found}, which counts",
                Count(count, "index")
            );
            source.report.warn(&place, WarningCode::DracoCount, message);
        }
    }
    Ok(Some(Compressed { indices: decoded.indices, points: decoded.points, attributes }))
}

impl Compressed<'_> {
    /// The numbers of an attribute, as if its accessor had them; `None` if they are not in the stream.
    #[cfg(feature = "draco")]
    pub(super) fn accessor<'s>(
        &'s self,
        semantic: &str,
        index: usize,
        source: &'s Source<'_>,
    ) -> Option<crate::accessor::Accessor<'s>> {
        let attribute = self.attributes.iter().find(|attribute| attribute.semantic == semantic)?;
        Some(source.accessors.decoded(index, self.points, attribute.format, &attribute.bytes))
    }
}
