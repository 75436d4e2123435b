//! Groups of which the row that is read from left to right gives not all lanes: the others lie on a timeline
//! of their own, as a root does whose turns were taken out of the pose.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

use super::{arc_weights, sample_group, weigh};
use crate::clip::rows::{Layers, Rows, Segment, Strip, StripKind};
use crate::clip::slerp::Reach;
use crate::pose::JointGroup;
use crate::pose::lanes::{TransformLanes, lerp, load, select};

/// A group of a clip that else is read from left to right.
#[inline(never)]
pub(crate) fn sample_patched<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    group: usize,
) -> TransformLanes<S> {
    simd.vectorize(
        #[inline(always)]
        || match sample_linear(simd, rows, segments, group) {
            Some(sampled) => sampled,
            None => sample_any(simd, rows, segments, group),
        },
    )
}

/// Lanes of any kind.
#[inline(always)]
fn sample_any<S: Simd>(simd: S, rows: &Rows, segments: &[Segment], group: usize) -> TransformLanes<S> {
    let mut sampled = JointGroup::IDENTITY;
    // Such clips do not refer to the rest pose.
    sample_group(simd, (rows, &JointGroup::IDENTITY), segments, group, &mut sampled);
    TransformLanes::load(simd, &sampled)
}

/// Straight lines and short arcs, which nearly all are; `None` if there are others.
#[inline(always)]
fn sample_linear<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    group: usize,
) -> Option<TransformLanes<S>> {
    let strips = &rows.groups[group];
    Some(TransformLanes {
        translation: vector(simd, rows, segments, strips.translation)?,
        rotation: rotation(simd, rows, segments, strips.rotation)?,
        scale: vector(simd, rows, segments, strips.scale)?,
    })
}

#[inline(always)]
fn vector<S: Simd>(simd: S, rows: &Rows, segments: &[Segment], layers: Layers) -> Option<[f32x8<S>; 3]> {
    let mut value = line(simd, rows, segments, layers.strip)?;
    for patch in &rows.patches[layers.patches.0 as usize..layers.patches.1 as usize] {
        let over = line(simd, rows, segments, patch.strip)?;
        select(mask32x8::simd_from(simd, patch.mask), over, &mut value);
    }
    Some(value)
}

#[inline(always)]
fn rotation<S: Simd>(simd: S, rows: &Rows, segments: &[Segment], layers: Layers) -> Option<[f32x8<S>; 4]> {
    let mut value = arc(simd, rows, segments, layers.strip)?;
    for patch in &rows.patches[layers.patches.0 as usize..layers.patches.1 as usize] {
        let over = arc(simd, rows, segments, patch.strip)?;
        select(mask32x8::simd_from(simd, patch.mask), over, &mut value);
    }
    Some(value)
}

#[inline(always)]
fn line<S: Simd>(simd: S, rows: &Rows, segments: &[Segment], strip: Strip) -> Option<[f32x8<S>; 3]> {
    let offset = strip.offset as usize;
    if strip.kind == StripKind::Constant {
        return Some(load(simd, &rows.constants, offset));
    }
    if strip.kind != StripKind::Lerp {
        return None;
    }
    let (lanes, segment) =
        (&rows.timelines[strip.timeline as usize].rows, &segments[strip.timeline as usize]);
    let (left, right) = (segment.left as usize + offset, segment.right as usize + offset);
    Some(lerp(load(simd, lanes, left), load(simd, lanes, right), f32x8::splat(simd, segment.alpha)))
}

#[inline(always)]
fn arc<S: Simd>(simd: S, rows: &Rows, segments: &[Segment], strip: Strip) -> Option<[f32x8<S>; 4]> {
    let offset = strip.offset as usize;
    if strip.kind == StripKind::Constant {
        return Some(load(simd, &rows.constants, offset));
    }
    if strip.kind != StripKind::Slerp(Reach::Near) {
        return None;
    }
    let (lanes, segment) =
        (&rows.timelines[strip.timeline as usize].rows, &segments[strip.timeline as usize]);
    let (left, right) = (segment.left as usize + offset, segment.right as usize + offset);
    let [x, y, z, w, separation] = load::<S, 5>(simd, lanes, left);
    let (weight, next_weight) = arc_weights::<S, { Reach::Near.degree() }>(separation, &segment.slerp);
    Some(weigh([x, y, z, w], load(simd, lanes, right), weight, next_weight))
}
