//! The indices of a primitive.

use super::attributes;
use super::topology::Mode;
use crate::accessor::Component;
use crate::count::count;
use crate::error::Failure;
use crate::place::Place;
use crate::schema::Index;
use crate::source::Source;
use crate::warning::WarningCode;

/// The indices as a list of triangles, lines or points; counted up where the file has none.
pub(super) fn load(
    index: Option<Index>,
    mode: Mode,
    vertices: usize,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Vec<u32>, Failure> {
    let Some(index) = index else {
        let all = u32::try_from(vertices).map_err(|_| place.invalid(vertices, "at most 2^32 vertices"))?;
        source.accessors.budget.take(u64::from(all) * 4, place)?;
        return to_list((0..all).collect(), mode, source, place);
    };
    let accessor = source.accessor(index, &attributes::INDICES, place)?;
    let indices = accessor.indices(place)?;
    let restart = match accessor.format.component {
        Component::U8 => u8::MAX.into(),
        Component::U16 => u16::MAX.into(),
        _ => u32::MAX,
    };
    // One pass without a branch; more only when something is wrong.
    let largest = indices.iter().copied().max().unwrap_or(0);
    if indices.is_empty() || ((largest as usize) < vertices && largest < restart) {
        return to_list(indices, mode, source, place);
    }
    if largest == restart {
        let message = format_args!("{restart} restarts primitives on some machines; it may not be an index");
        source.report.warn(place, WarningCode::PrimitiveRestart, message);
    }
    // Where there are so many vertices, it is one of them.
    let restarts = |index: &u32| *index == restart && restart as usize >= vertices;
    let is_wrong = |index: &u32| *index as usize >= vertices && !restarts(index);
    if let Some(at) = indices.iter().position(is_wrong) {
        let expected = format_args!("indices below {vertices}, the number of vertices");
        return Err(place.invalid(format_args!("{} at place {at}", indices[at]), expected));
    }
    if !indices.iter().any(restarts) {
        return to_list(indices, mode, source, place);
    }
    source.accessors.budget.take((mode.growth() + 1) * 4 * indices.len() as u64, place)?;
    Ok(indices.split(restarts).flat_map(|run| mode.to_list(run.to_vec())).collect())
}

fn to_list(
    indices: Vec<u32>,
    mode: Mode,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Vec<u32>, Failure> {
    let found = indices.len();
    source.accessors.budget.take(mode.growth() * 4 * found as u64, place)?;
    let is_whole = match mode {
        Mode::Triangles => found.is_multiple_of(3),
        Mode::Lines => found.is_multiple_of(2),
        _ => true,
    };
    if !is_whole {
        let indices = count(found, "index");
        let message = format_args!("{indices} for whole {mode:?}; the rest is left out");
        source.report.warn(place, WarningCode::IncompletePrimitive, message);
    }
    Ok(mode.to_list(indices))
}
