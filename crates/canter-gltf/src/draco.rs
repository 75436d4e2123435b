//! `KHR_draco_mesh_compression`: the vertices and triangles of a primitive in one stream.
//!
//! The decoding itself is done by draco-core, within limits. What is done here is to find the attributes of glTF
//! in the stream, by their unique ids, and to give them the types that their accessors have.

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};

use crate::accessor::{Component, Kind};
use crate::error::Failure;
use crate::limits::Budget;
use crate::place::Place;

/// What the decoder needs for a triangle and for a vertex while it works, beside the numbers that it gives.
const BYTES_PER_FACE: u64 = 96;
const BYTES_PER_POINT: u64 = 64;

/// A decoded stream.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// Three for each triangle, all below the number of points.
    pub(crate) indices: Vec<u32>,
    pub(crate) points: usize,
    mesh: Mesh,
}

/// Decodes the stream of a primitive.
pub(crate) fn decode(stream: &[u8], budget: &Budget, place: &Place<'_>) -> Result<Decoded, Failure> {
    // A stream that is named again and again is work each time.
    budget.take(stream.len() as u64, place)?;
    let left = budget.left();
    let limits = DecodeLimits::default()
        .with_max_points(left / BYTES_PER_POINT)
        .with_max_faces(left / BYTES_PER_FACE)
        .with_max_decoded_bytes(left);
    let mut mesh = Mesh::new();
    let mut buffer = DecoderBuffer::new(stream).with_limits(limits);
    MeshDecoder::new().decode(&mut buffer, &mut mesh).map_err(|error| {
        place.invalid(format_args!("{} bytes that do not decode ({error})", stream.len()), "a Draco mesh")
    })?;
    let points = mesh.num_points();
    let memory = |count: usize, bytes: u64| (count as u64).saturating_mul(bytes);
    budget.take(memory(points, BYTES_PER_POINT).saturating_add(memory(mesh.num_faces(), 12)), place)?;
    let indices: Vec<u32> = mesh.faces().iter().flatten().map(|point| point.0).collect();
    if let Some(far) = indices.iter().find(|&&index| index as usize >= points) {
        let found = format_args!("point {far} in a triangle");
        return Err(place.invalid(found, format_args!("points below {points}")));
    }
    Ok(Decoded { indices, points, mesh })
}

impl Decoded {
    /// The numbers of an attribute for all points, one after another, as components of the wanted type.
    pub(crate) fn attribute(
        &self,
        unique_id: u32,
        component: Component,
        budget: &Budget,
        place: &Place<'_>,
    ) -> Result<(Kind, Vec<u8>), Failure> {
        let Some(attribute) = self.mesh.attribute_by_unique_id(unique_id) else {
            return Err(place.invalid(format_args!("id {unique_id}"), "the id of an attribute in the stream"));
        };
        let lanes = usize::from(attribute.num_components());
        let kind = match lanes {
            1 => Kind::Scalar,
            2 => Kind::Vec2,
            3 => Kind::Vec3,
            4 => Kind::Vec4,
            _ => return Err(place.invalid(format_args!("{lanes} components"), "1 to 4")),
        };
        budget.take(self.points as u64 * (lanes * component.size()) as u64, place)?;
        let mut out = Vec::with_capacity(self.points * lanes * component.size());
        let values = Values::new(attribute);
        for point in 0..self.points {
            let Some(value) = values.get(point) else {
                return Err(place.invalid(format_args!("no value for point {point}"), "one for each point"));
            };
            if values.component == Some(component) {
                out.extend_from_slice(value);
            } else {
                // Fractions stay fractions when integers become floats.
                let is_fraction = attribute.normalized() && component == Component::F32;
                let one = if is_fraction { values.component.map_or(1.0, largest) } else { 1.0 };
                let numbers = value.chunks_exact(values.size).map(|bytes| number(values.data_type, bytes));
                numbers.for_each(|number| push(component, number / one, &mut out));
            }
        }
        Ok((kind, out))
    }
}

/// The values of an attribute in the stream, of which points share some.
struct Values<'a> {
    attribute: &'a PointAttribute,
    data: &'a [u8],
    data_type: DataType,
    /// The same type in glTF, if it has one.
    component: Option<Component>,
    /// Bytes of a component.
    size: usize,
    /// Bytes of a value, and from one to the next.
    value_size: usize,
    stride: usize,
}

impl<'a> Values<'a> {
    fn new(attribute: &'a PointAttribute) -> Self {
        let data_type = attribute.data_type();
        let size = data_type.byte_length().max(1);
        let value_size = size * usize::from(attribute.num_components());
        Self {
            attribute,
            data: attribute.buffer().data(),
            data_type,
            component: match data_type {
                DataType::Int8 => Some(Component::I8),
                DataType::Uint8 | DataType::Bool => Some(Component::U8),
                DataType::Int16 => Some(Component::I16),
                DataType::Uint16 => Some(Component::U16),
                DataType::Uint32 => Some(Component::U32),
                DataType::Float32 => Some(Component::F32),
                _ => None,
            },
            size,
            value_size,
            stride: usize::try_from(attribute.byte_stride()).unwrap_or(0).max(value_size),
        }
    }

    fn get(&self, point: usize) -> Option<&'a [u8]> {
        let value = self.attribute.mapped_index(PointIndex(u32::try_from(point).ok()?)).0 as usize;
        let start = value.checked_mul(self.stride)?;
        self.data.get(start..)?.get(..self.value_size)
    }
}

/// A number in the stream. (Attributes of glTF have no integers that a double does not hold.)
#[expect(clippy::cast_precision_loss, reason = "no attribute of glTF has integers of more than 32 bits")]
fn number(data_type: DataType, bytes: &[u8]) -> f64 {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.first_chunk().copied().unwrap_or([0; N])
    }
    match data_type {
        DataType::Int8 => i8::from_le_bytes(array(bytes)).into(),
        DataType::Uint8 | DataType::Bool => u8::from_le_bytes(array(bytes)).into(),
        DataType::Int16 => i16::from_le_bytes(array(bytes)).into(),
        DataType::Uint16 => u16::from_le_bytes(array(bytes)).into(),
        DataType::Int32 => i32::from_le_bytes(array(bytes)).into(),
        DataType::Uint32 => u32::from_le_bytes(array(bytes)).into(),
        DataType::Int64 => i64::from_le_bytes(array(bytes)) as f64,
        DataType::Uint64 => u64::from_le_bytes(array(bytes)) as f64,
        DataType::Float32 => f32::from_le_bytes(array(bytes)).into(),
        DataType::Float64 => f64::from_le_bytes(array(bytes)),
        DataType::Invalid => 0.0,
    }
}

/// What stands for one where integers are fractions.
fn largest(component: Component) -> f64 {
    match component {
        Component::I8 => i8::MAX.into(),
        Component::U8 => u8::MAX.into(),
        Component::I16 => i16::MAX.into(),
        Component::U16 => u16::MAX.into(),
        Component::U32 => u32::MAX.into(),
        Component::F32 => 1.0,
    }
}

/// Writes a number as a component of glTF; what does not fit is cut off.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts of floats are cut off")]
fn push(component: Component, number: f64, out: &mut Vec<u8>) {
    match component {
        Component::I8 => out.extend((number as i8).to_le_bytes()),
        Component::U8 => out.extend((number as u8).to_le_bytes()),
        Component::I16 => out.extend((number as i16).to_le_bytes()),
        Component::U16 => out.extend((number as u16).to_le_bytes()),
        Component::U32 => out.extend((number as u32).to_le_bytes()),
        Component::F32 => out.extend((number as f32).to_le_bytes()),
    }
}
