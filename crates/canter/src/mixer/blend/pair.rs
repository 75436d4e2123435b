//! Blends two clips in one pass, as most frames do: sums are made in registers, and rotations are brought back to
//! length one in a pass of their own, since roots and quotients take long and would hold up the sums behind them.
//! Where both clips have joints only turn, nothing else is calculated.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

use super::{Input, decide};
use crate::clip::interpolate::{FULL_LANES, PlainReader, sample_patched};
use crate::clip::rows::{Rows, Segment};
use crate::pose::JointGroup;
use crate::pose::lanes::{load, load_all, normalize, store};

/// Lanes of a row for eight joints that only turn, and what else they have.
const TURN_LANES: usize = 5;
const STILL_LANES: usize = 6;

/// Writes the sum of two clips that are read from left to right, each with its share; the second with the sides of
/// its rotations, and how far on the other side they must lie to change it. From some group on nothing but rotations is
/// of interest; groups that nothing moves may be left out at the end. Returns `false`, and has done nothing, if the clips
/// are of another kind.
#[inline(always)]
pub(super) fn blend_pair<S: Simd>(
    simd: S,
    (first, second, bias): (&Input<'_>, &mut Input<'_>, Option<f32>),
    segments: &[Segment],
    resting_from: usize,
    groups: &mut [JointGroup],
) -> bool {
    let (Some(mut a), Some(mut b)) =
        (Source::new(simd, first, segments), Source::new(simd, second, segments))
    else {
        return false;
    };
    let parts = Parts { shares: [f32x8::splat(simd, first.share), f32x8::splat(simd, second.share)], bias };
    let sides = &mut second.sides[1..];
    if a.reader.is_full(groups.len()) && b.reader.is_full(groups.len()) {
        parts.add_full(simd, [&a, &b], sides, groups);
    } else {
        parts.add_some(simd, [&mut a, &mut b], sides, resting_from, groups);
    }
    for group in groups {
        let mut rotation = load_all(simd, &group.rotation);
        normalize(simd, &mut rotation);
        store(rotation, &mut group.rotation);
    }
    true
}

/// A clip at an instant.
struct Source<'a, S: Simd> {
    reader: PlainReader<'a, S>,
    rows: &'a Rows,
    segments: &'a [Segment],
}

impl<'a, S: Simd> Source<'a, S> {
    /// The clip of an input, if its rows are plain.
    #[inline(always)]
    fn new(simd: S, input: &Input<'a>, segments: &'a [Segment]) -> Option<Self> {
        let (rows, segments) = (input.clip?.rows(), segments.get(input.first_segment as usize..)?);
        let reader = PlainReader::new(simd, rows, segments.first()?)?;
        Some(Self { reader, rows, segments })
    }

    /// The next group from one on that is not read from left to right; none has the largest number.
    #[inline(always)]
    fn next_patched(&self, from: usize) -> usize {
        let patched: &[u32] = if cfg!(canter_web) { &[] } else { &self.rows.patched };
        for &group in patched {
            if group as usize >= from {
                return group as usize;
            }
        }
        usize::MAX
    }
}

/// How two clips are added.
#[derive(Clone, Copy)]
struct Parts<S: Simd> {
    shares: [f32x8<S>; 2],
    /// How far on the other side rotations must lie to change sides, if they may.
    bias: Option<f32>,
}

impl<S: Simd> Parts<S> {
    /// Clips of which every joint moves, turns and grows.
    #[inline(always)]
    fn add_full(&self, simd: S, [a, b]: [&Source<'_, S>; 2], sides: &mut [u8], groups: &mut [JointGroup]) {
        let mut start = 0;
        loop {
            let end = a.next_patched(start).min(b.next_patched(start)).min(groups.len());
            let (of_a, of_b) = (&a.reader, &b.reader);
            let rows = of_a.rows_of::<FULL_LANES>(start..end).zip(of_b.rows_of::<FULL_LANES>(start..end));
            let outs = groups[start..end].iter_mut().zip(&mut sides[start..end]);
            for ((out, sides), (row_a, row_b)) in outs.zip(rows) {
                store(self.vector(of_a.lerp_at(row_a, 0), of_b.lerp_at(row_b, 0)), &mut out.translation);
                store(
                    self.rotation(of_a.slerp_at(row_a, 3), of_b.slerp_at(row_b, 3), sides),
                    &mut out.rotation,
                );
                store(self.vector(of_a.lerp_at(row_a, 8), of_b.lerp_at(row_b, 8)), &mut out.scale);
            }
            let Some(out) = groups.get_mut(end) else { return };
            self.add_patched(simd, [a, b], end, &mut sides[end], out);
            start = end + 1;
        }
    }

    /// Clips of which some joints do; from some group on they only turn.
    #[inline(always)]
    fn add_some(
        &self,
        simd: S,
        [a, b]: [&mut Source<'_, S>; 2],
        sides: &mut [u8],
        resting_from: usize,
        groups: &mut [JointGroup],
    ) {
        let turning = (a.rows.turning_from.max(b.rows.turning_from) as usize).min(groups.len());
        // All that are patched are among these.
        let mut patched = a.next_patched(0).min(b.next_patched(0));
        for (group, (out, sides)) in groups[..turning].iter_mut().zip(&mut *sides).enumerate() {
            if group == patched {
                self.add_patched(simd, [a, b], group, sides, out);
                a.reader.skip(group);
                b.reader.skip(group);
                patched = a.next_patched(group + 1).min(b.next_patched(group + 1));
                continue;
            }
            let (a, b) = (&mut a.reader, &mut b.reader);
            store(self.vector(a.translation(group), b.translation(group)), &mut out.translation);
            store(self.rotation(a.rotation(group), b.rotation(group), sides), &mut out.rotation);
            store(self.vector(a.scale(group), b.scale(group)), &mut out.scale);
        }
        let (a, b) = (&a.reader, &b.reader);
        let rows = a.rows::<TURN_LANES>().zip(b.rows::<TURN_LANES>());
        for ((out, sides), (of_a, of_b)) in groups[turning..].iter_mut().zip(&mut sides[turning..]).zip(rows)
        {
            store(self.rotation(a.slerp_at(of_a, 0), b.slerp_at(of_b, 0), sides), &mut out.rotation);
        }
        let still = groups.iter_mut().take(resting_from).skip(turning);
        let constants = a.constants::<STILL_LANES>().zip(b.constants::<STILL_LANES>());
        for (out, (of_a, of_b)) in still.zip(constants) {
            store(self.vector(load(simd, of_a, 0), load(simd, of_b, 0)), &mut out.translation);
            store(self.vector(load(simd, of_a, 3), load(simd, of_b, 3)), &mut out.scale);
        }
    }

    /// A group of which the rows of the first timeline give not all lanes.
    #[inline(always)]
    fn add_patched(
        &self,
        simd: S,
        [a, b]: [&Source<'_, S>; 2],
        group: usize,
        sides: &mut u8,
        out: &mut JointGroup,
    ) {
        let of_a = sample_patched(simd, a.rows, a.segments, group);
        let of_b = sample_patched(simd, b.rows, b.segments, group);
        store(self.vector(of_a.translation, of_b.translation), &mut out.translation);
        store(self.rotation(of_a.rotation, of_b.rotation, sides), &mut out.rotation);
        store(self.vector(of_a.scale, of_b.scale), &mut out.scale);
    }

    #[inline(always)]
    fn vector(&self, mut first: [f32x8<S>; 3], second: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
        let [share, other] = self.shares;
        for i in 0..3 {
            first[i] = first[i] * share + second[i] * other;
        }
        first
    }

    /// Not yet of length one.
    #[inline(always)]
    fn rotation(&self, mut first: [f32x8<S>; 4], second: [f32x8<S>; 4], sides: &mut u8) -> [f32x8<S>; 4] {
        let [share, other] = self.shares;
        for part in &mut first {
            *part *= share;
        }
        if let Some(bias) = self.bias {
            decide(first, second, bias, sides);
        }
        let opposite = mask32x8::from_bitmask(share.token(), u64::from(*sides));
        let signed = opposite.select(-other, other);
        for i in 0..4 {
            first[i] += second[i] * signed;
        }
        first
    }
}
