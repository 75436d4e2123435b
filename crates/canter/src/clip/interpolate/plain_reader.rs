//! Reads rows whose strips lie one behind another, as most clips have them.

use std::iter::Zip;
use std::ops::Range;
use std::slice::Iter;

use fearless_simd::{Simd, f32x8, prelude::*};

use super::{slerp, weigh};
use crate::clip::rows::{GroupStrips, Rows, Segment, StripKind};
use crate::clip::slerp::{Reach, SlerpWeights};
use crate::pose::Lanes;
use crate::pose::lanes::{lerp, load};

/// Lanes of a row for eight joints that move, turn and grow.
pub(crate) const FULL_LANES: usize = 3 + 5 + 3;

/// Reads two rows of a clip, and its constants, from left to right: group by group, translation, rotation, scale.
pub(crate) struct PlainReader<'a, S: Simd> {
    simd: S,
    groups: &'a [GroupStrips],
    /// The rows are as long as each other, so that looking whether one goes on so far says it of both.
    left: &'a [Lanes],
    right: &'a [Lanes],
    constants: &'a [Lanes],
    /// Where the next strip starts in the rows, and among the constants.
    next: usize,
    next_constant: usize,
    segment: &'a Segment,
    reach: Reach,
    alpha: f32x8<S>,
    /// The weights of [`Reach::Near`], which most arcs have.
    near: NearWeights<S>,
}

/// Polynomials of degree two, in registers.
#[derive(Clone, Copy)]
pub(super) struct NearWeights<S: Simd> {
    left: [f32x8<S>; 3],
    right: [f32x8<S>; 3],
}

impl<'a, S: Simd> PlainReader<'a, S> {
    /// `None` unless the rows of the clip can be read so. Some groups may be [patched](Rows::patched).
    #[inline(always)]
    pub(crate) fn new(simd: S, rows: &'a Rows, segment: &'a Segment) -> Option<Self> {
        let timeline = rows.timelines.first().filter(|_| rows.is_plain)?;
        let stride = timeline.stride;
        Some(Self {
            simd,
            groups: &rows.groups,
            left: timeline.rows.get(segment.left as usize..)?.get(..stride)?,
            right: timeline.rows.get(segment.right as usize..)?.get(..stride)?,
            constants: &rows.constants,
            next: 0,
            next_constant: 0,
            segment,
            reach: timeline.reach,
            alpha: f32x8::splat(simd, segment.alpha),
            near: NearWeights::new(simd, &segment.slerp),
        })
    }

    /// Whether every joint of so many groups, of which the others do nothing, moves, turns along short arcs, and grows:
    /// then these have [`FULL_LANES`] of a row each.
    #[inline(always)]
    pub(crate) fn is_full(&self, groups: usize) -> bool {
        // No group has more lanes than that.
        self.left.len() == FULL_LANES * groups && self.reach == Reach::Near
    }

    /// What is left of both rows, by so many lanes.
    #[inline(always)]
    pub(crate) fn rows<const N: usize>(&self) -> Zip<Iter<'a, [Lanes; N]>, Iter<'a, [Lanes; N]>> {
        let (left, right) = (self.left[self.next..].as_chunks().0, self.right[self.next..].as_chunks().0);
        left.iter().zip(right)
    }

    /// The same of some of the groups that are left.
    #[inline(always)]
    pub(crate) fn rows_of<const N: usize>(
        &self,
        groups: Range<usize>,
    ) -> Zip<Iter<'a, [Lanes; N]>, Iter<'a, [Lanes; N]>> {
        let (left, right) = (self.left[self.next..].as_chunks().0, self.right[self.next..].as_chunks().0);
        left[groups.clone()].iter().zip(&right[groups])
    }

    /// What is left of the constants, by so many lanes.
    #[inline(always)]
    pub(crate) fn constants<const N: usize>(&self) -> Iter<'a, [Lanes; N]> {
        self.constants[self.next_constant..].as_chunks().0.iter()
    }

    /// A vector at a place of two rows.
    #[inline(always)]
    pub(crate) fn lerp_at<const N: usize>(
        &self,
        rows: (&[Lanes; N], &[Lanes; N]),
        at: usize,
    ) -> [f32x8<S>; 3] {
        lerp(load(self.simd, rows.0, at), load(self.simd, rows.1, at), self.alpha)
    }

    /// A rotation at a place of two rows, along short arcs.
    #[inline(always)]
    pub(crate) fn slerp_at<const N: usize>(
        &self,
        rows: (&[Lanes; N], &[Lanes; N]),
        at: usize,
    ) -> [f32x8<S>; 4] {
        let [x, y, z, w, separation] = load::<S, 5>(self.simd, rows.0, at);
        let next = load::<S, 4>(self.simd, rows.1, at);
        self.near.slerp([x, y, z, w], next, separation)
    }

    #[inline(always)]
    pub(crate) fn translation(&mut self, group: usize) -> [f32x8<S>; 3] {
        self.vector(self.groups[group].translation.strip.kind)
    }

    #[inline(always)]
    pub(crate) fn scale(&mut self, group: usize) -> [f32x8<S>; 3] {
        self.vector(self.groups[group].scale.strip.kind)
    }

    #[inline(always)]
    fn vector(&mut self, kind: StripKind) -> [f32x8<S>; 3] {
        if kind == StripKind::Constant {
            return self.constant();
        }
        let (left, right) = (load(self.simd, self.left, self.next), load(self.simd, self.right, self.next));
        self.next += 3;
        lerp(left, right, self.alpha)
    }

    #[inline(always)]
    pub(crate) fn rotation(&mut self, group: usize) -> [f32x8<S>; 4] {
        let StripKind::Slerp(reach) = self.groups[group].rotation.strip.kind else { return self.constant() };
        let [x, y, z, w, separation] = load::<S, 5>(self.simd, self.left, self.next);
        let next = load::<S, 4>(self.simd, self.right, self.next);
        self.next += 5;
        if reach == Reach::Near {
            return self.near.slerp([x, y, z, w], next, separation);
        }
        slerp([x, y, z, w], next, separation, reach, self.segment)
    }

    #[inline(always)]
    fn constant<const N: usize>(&mut self) -> [f32x8<S>; N] {
        let value = load(self.simd, self.constants, self.next_constant);
        self.next_constant += N;
        value
    }

    /// Goes on behind a group.
    #[inline(always)]
    pub(crate) fn skip(&mut self, group: usize) {
        let (moving, still) = self.groups[group].plain_sizes();
        (self.next, self.next_constant) = (self.next + moving, self.next_constant + still);
    }
}

impl<S: Simd> NearWeights<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, weights: &SlerpWeights) -> Self {
        let mut near = Self { left: [f32x8::splat(simd, 0.0); 3], right: [f32x8::splat(simd, 0.0); 3] };
        for i in 0..3 {
            near.left[i] = f32x8::splat(simd, weights.left[i]);
            near.right[i] = f32x8::splat(simd, weights.right[i]);
        }
        near
    }

    #[inline(always)]
    pub(super) fn slerp(
        &self,
        value: [f32x8<S>; 4],
        next: [f32x8<S>; 4],
        separation: f32x8<S>,
    ) -> [f32x8<S>; 4] {
        let weight = quadratic(separation, self.left);
        let next_weight = quadratic(separation, self.right);
        weigh(value, next, weight, next_weight)
    }
}

/// The same as `polynomial`, with coefficients in registers.
#[inline(always)]
fn quadratic<S: Simd>(x: f32x8<S>, [c, b, a]: [f32x8<S>; 3]) -> f32x8<S> {
    (a * x + b) * x + c
}
