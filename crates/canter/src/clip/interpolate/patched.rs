//! Groups of which the row that is read from left to right gives not all lanes: the others lie on a timeline
//! of their own, as a root does whose turns were taken out of the pose.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

use super::plain_reader::NearWeights;
use super::sample_group;
use crate::clip::rows::{Lone, Rows, Segment, Strip, StripKind};
use crate::clip::slerp::Reach;
use crate::pose::lanes::{TransformLanes, lerp, load, select};
use crate::pose::{JointGroup, Lanes};

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
        || match sample_plain(simd, rows, segments, group) {
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

/// Where arcs are short, and no more than a joint is patched, as nearly always; else `None`.
#[inline(always)]
fn sample_plain<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    group: usize,
) -> Option<TransformLanes<S>> {
    let (strips, segment) = (&rows.groups[group], segments.first()?);
    let is_patched = strips.is_patched();
    let lone = rows.lone.as_ref().filter(|_| is_patched);
    let is_near = matches!(strips.rotation.strip.kind, StripKind::Constant | StripKind::Slerp(Reach::Near));
    if !is_near || lone.is_some() != is_patched {
        return None;
    }
    let mut sampled = TransformLanes {
        translation: vector(simd, rows, segment, strips.translation.strip),
        rotation: rotation(simd, rows, segment, strips.rotation.strip),
        scale: vector(simd, rows, segment, strips.scale.strip),
    };
    if let Some(lone) = lone {
        patch_lone(simd, rows, segments, lone, &mut sampled);
    }
    Some(sampled)
}

/// Straight lines of the first timeline.
#[inline(always)]
fn vector<S: Simd>(simd: S, rows: &Rows, segment: &Segment, strip: Strip) -> [f32x8<S>; 3] {
    let offset = strip.offset as usize;
    if strip.kind == StripKind::Constant {
        return load(simd, &rows.constants, offset);
    }
    let lanes = &rows.timelines[0].rows;
    let (left, right) = (segment.left as usize + offset, segment.right as usize + offset);
    lerp(load(simd, lanes, left), load(simd, lanes, right), f32x8::splat(simd, segment.alpha))
}

/// Short arcs of the first timeline.
#[inline(always)]
fn rotation<S: Simd>(simd: S, rows: &Rows, segment: &Segment, strip: Strip) -> [f32x8<S>; 4] {
    let offset = strip.offset as usize;
    if strip.kind == StripKind::Constant {
        return load(simd, &rows.constants, offset);
    }
    let lanes = &rows.timelines[0].rows;
    let (left, right) = (segment.left as usize + offset, segment.right as usize + offset);
    let [x, y, z, w, separation] = load::<S, 5>(simd, lanes, left);
    NearWeights::new(simd, &segment.slerp).slerp([x, y, z, w], load(simd, lanes, right), separation)
}

/// A joint by itself. It is calculated in all lanes, with the same formulas as others, and put into its own.
#[inline(always)]
fn patch_lone<S: Simd>(
    simd: S,
    rows: &Rows,
    segments: &[Segment],
    lone: &Lone,
    sampled: &mut TransformLanes<S>,
) {
    let timeline = lone.timeline as usize;
    let (segment, keys) = (&segments[timeline], &rows.timelines[timeline].rows);
    let (left, right) = (&keys[segment.left as usize], &keys[segment.right as usize]);
    let mask = mask32x8::simd_from(simd, lone.mask);
    let alpha = f32x8::splat(simd, segment.alpha);
    select(mask, lerp(spread(simd, left, 0), spread(simd, right, 0), alpha), &mut sampled.translation);
    let [x, y, z, w, separation] = spread::<S, 5>(simd, left, 3);
    let weights = NearWeights::new(simd, &segment.slerp);
    let rotation = weights.slerp([x, y, z, w], spread(simd, right, 3), separation);
    select(mask, rotation, &mut sampled.rotation);
}

/// Some numbers of a narrow row, each in all lanes.
#[inline(always)]
pub(super) fn spread<S: Simd, const N: usize>(simd: S, row: &Lanes, offset: usize) -> [f32x8<S>; N] {
    let strip: &[f32; N] = row.0[offset..].first_chunk().expect("the compiler lays out whole strips");
    let mut numbers = [f32x8::splat(simd, 0.0); N];
    for i in 0..N {
        numbers[i] = f32x8::splat(simd, strip[i]);
    }
    numbers
}
