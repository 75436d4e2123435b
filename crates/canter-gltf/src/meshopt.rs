//! Compressed views: `EXT_meshopt_compression` and its successor `KHR_meshopt_compression`.
//!
//! The decoding itself is done by meshopt-pure. What is checked here is that a view asks only for what it
//! may.

use meshoptimizer as codec;

use crate::error::Failure;
use crate::limits::Budget;
use crate::place::Place;
use crate::schema::Size;
use crate::schema::accessor::MeshoptView;

#[cfg(feature = "meshes")]
const MODES: &str = "ATTRIBUTES, TRIANGLES or INDICES";
/// Keys and matrices are never compressed as indices, nor filtered as normals and colours are.
#[cfg(not(feature = "meshes"))]
const MODES: &str = "ATTRIBUTES";

/// The bytes that `source` stands for: `view.count` elements of `view.byte_stride` bytes.
pub(crate) fn decode(
    view: &MeshoptView<'_>,
    source: &[u8],
    view_length: Size,
    budget: &Budget,
    place: &Place<'_>,
) -> Result<Vec<u8>, Failure> {
    let (count, stride) = (view.count.get(), view.byte_stride.get());
    let size = view.count.0.checked_mul(view.byte_stride.0).filter(|&size| size <= view_length.0);
    let Some(size) = size.and_then(|size| usize::try_from(size).ok()) else {
        let found = format_args!("{} elements of {} bytes", view.count.0, view.byte_stride.0);
        return Err(place.invalid(found, format_args!("the byteLength of the view, {}", view_length.0)));
    };
    // Twice: indices are decoded to integers first.
    budget.take(2 * size as u64, place)?;

    let filter = view.filter.as_ref().map_or("NONE", |filter| filter.0.as_ref());
    let decoded = match view.mode.0.as_ref() {
        "ATTRIBUTES" => {
            let mut bytes = vec![0; size];
            codec::decode_vertex_buffer(&mut bytes, count, stride, source, source.len())
                .and_then(|()| unfilter(filter, &mut bytes, count, stride))
                .map(|()| bytes)
        }
        _ if filter != "NONE" => {
            return Err(place.field("filter").invalid(filter, "NONE: only ATTRIBUTES have filters"));
        }
        #[cfg(feature = "meshes")]
        mode @ ("TRIANGLES" | "INDICES") => {
            let triangles = mode == "TRIANGLES";
            match stride {
                2 => indices::<u16>(triangles, count, source).map(|list| to_bytes(&list, u16::to_le_bytes)),
                4 => indices::<u32>(triangles, count, source).map(|list| to_bytes(&list, u32::to_le_bytes)),
                _ => {
                    return Err(place.field("byteStride").invalid(stride, format_args!("2 or 4 for {mode}")));
                }
            }
        }
        mode => return Err(place.field("mode").invalid(mode, MODES)),
    };
    decoded.map_err(|error| {
        let expected =
            format_args!("{count} compressed elements of {stride} bytes ({}, filter {filter})", view.mode.0);
        place.invalid(format_args!("{} bytes that do not decode ({error})", source.len()), expected)
    })
}

fn unfilter(filter: &str, bytes: &mut [u8], count: usize, stride: usize) -> codec::Result<()> {
    match filter {
        "NONE" => Ok(()),
        #[cfg(feature = "meshes")]
        "OCTAHEDRAL" => codec::decode_filter_oct(bytes, count, stride),
        "QUATERNION" => codec::decode_filter_quat(bytes, count, stride),
        "EXPONENTIAL" => codec::decode_filter_exp(bytes, count, stride),
        #[cfg(feature = "meshes")]
        "COLOR" => codec::decode_filter_color(bytes, count, stride),
        _ => Err(codec::Error::InvalidArgument("unknown filter")),
    }
}

#[cfg(feature = "meshes")]
fn indices<T: codec::IndexType + Default>(
    triangles: bool,
    count: usize,
    source: &[u8],
) -> codec::Result<Vec<T>> {
    let mut list = vec![T::default(); count];
    if triangles {
        codec::decode_index_buffer(&mut list, count, source, source.len())?;
    } else {
        codec::decode_index_sequence(&mut list, count, source, source.len())?;
    }
    Ok(list)
}

#[cfg(feature = "meshes")]
fn to_bytes<T: Copy, const N: usize>(list: &[T], bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    list.iter().flat_map(|&value| bytes(value)).collect()
}
