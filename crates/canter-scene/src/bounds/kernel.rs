//! Places eight boxes at once: centre, and |matrix| times half extent.
//!
//! Eight matrices are 24 rows, which fill twelve registers as they lie in memory. Every third register is
//! transposed with three others, which gives three results. Their lanes are of different boxes and axes: x
//! and y of the even boxes; z of the even ones and x of the odd ones; y and z of the odd ones.

mod columns;
#[cfg(test)]
mod tests;

use canter::glam::Vec3;
use canter::{Mat3x4, MorphId, Pose};
use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use super::Bounds;
use columns::columns;

pub(super) const LANES: usize = 8;
/// Three numbers for each lane, in the order of the results.
pub(super) type Lanes = [[f32; LANES]; 9];

/// Which of eight boxes a lane of one of the three results is about.
pub(super) fn box_of(lane: usize, result: usize) -> usize {
    let row = lane / 4 + 2 * result;
    lane % 4 * 2 + row / 3
}

/// No number of a box may be larger. Nor is any in a model pose: their products are far from overflow.
pub(super) const LARGEST: f32 = 1e18;
/// The half extent of a joint without a box: so far inside out that it does not count. (Where a matrix makes
/// everything flat, the place of the joint does.)
pub(super) const NO_BOX: f32 = f32::MIN;

/// Boxes of eight joints next to each other.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub(super) struct BoxGroup {
    pub(super) center: Lanes,
    pub(super) half: Lanes,
    /// The first of the matrices that they follow.
    pub(super) first: usize,
    pub(super) morphs: Vec<MorphRange>,
}

/// What a morph target does to the boxes of a group.
#[derive(Clone, Debug)]
pub(super) struct MorphRange {
    /// How far the faces of the boxes move when its weight goes from 0 to 1.
    pub(super) face_min: Lanes,
    pub(super) face_max: Lanes,
    /// The min and max that it adds to any vertex then.
    pub(super) delta_min: Lanes,
    pub(super) delta_max: Lanes,
    pub(super) morph: MorphId,
    pub(super) target: usize,
}

/// The box around all boxes where the matrices take them, with room for `slack` times the distance from the
/// origin. Morph targets count if there is a pose with their weights.
pub(super) fn union(groups: &[BoxGroup], matrices: &[Mat3x4], morphs: Option<&Pose>, slack: f32) -> Bounds {
    if groups.is_empty() {
        return Bounds::EMPTY;
    }
    let level = Level::new();
    // AVX2 and SSE2 alone, as in the core's kernels: each further instruction set takes long to compile.
    #[cfg(target_arch = "x86_64")]
    match (level.as_avx2(), level.as_sse2()) {
        (Some(avx2), _) => avx2.vectorize(
            #[inline(always)]
            || union_in(avx2, columns::avx2::columns, groups, matrices, morphs, slack),
        ),
        (None, Some(sse2)) => sse2.vectorize(
            #[inline(always)]
            || union_in(sse2, columns, groups, matrices, morphs, slack),
        ),
        (None, None) => unreachable!("every x86-64 has SSE2"),
    }
    #[cfg(not(target_arch = "x86_64"))]
    fearless_simd::dispatch!(level, simd => union_in(simd, columns, groups, matrices, morphs, slack))
}

#[inline(always)]
fn union_in<S: Simd>(
    simd: S,
    columns: impl Fn([f32x8<S>; 4]) -> [f32x8<S>; 4] + Copy,
    groups: &[BoxGroup],
    matrices: &[Mat3x4],
    morphs: Option<&Pose>,
    slack: f32,
) -> Bounds {
    let (empty_min, empty_max) = (f32x8::splat(simd, f32::INFINITY), f32x8::splat(simd, f32::NEG_INFINITY));
    let (mut min, mut max) = ([empty_min; 3], [empty_max; 3]);
    let mut few: [Mat3x4; LANES];
    let matrices = if matrices.len() < LANES {
        few = [Mat3x4::IDENTITY; LANES];
        for (lane, matrix) in few.iter_mut().enumerate() {
            // One by one: a call of `memcpy` takes longer.
            *matrix = matrices.get(lane).copied().unwrap_or_default();
        }
        &few[..]
    } else {
        matrices
    };
    for group in groups {
        let morphed;
        let (centers, halves) = match morphs {
            Some(pose) if !group.morphs.is_empty() => {
                let Some(lanes) = group.morphed(pose) else { return Bounds::ALL };
                morphed = lanes;
                (&morphed.0, &morphed.1)
            }
            _ => (&group.center, &group.half),
        };
        let matrices = &matrices[group.first..group.first + LANES];
        for result in 0..3 {
            let pair = |pair: usize| {
                let row = |row: usize| f32x4::simd_from(simd, matrices[row / 3].rows[row % 3]);
                let first = 2 * (3 * pair + result);
                row(first).combine(row(first + 1))
            };
            let [x, y, z, translation] = columns([pair(0), pair(1), pair(2), pair(3)]);
            let number = |lanes: &Lanes, axis: usize| f32x8::simd_from(simd, lanes[3 * result + axis]);
            let center =
                (x * number(centers, 0) + y * number(centers, 1)) + (z * number(centers, 2) + translation);
            let half =
                (x.abs() * number(halves, 0) + y.abs() * number(halves, 1)) + z.abs() * number(halves, 2);
            min[result] = min[result].min(center - half);
            max[result] = max[result].max(center + half);
        }
    }
    let ((x, y), (z, other_x), (other_y, other_z)) = (min[0].split(), min[1].split(), min[2].split());
    let [a, b, c, d] = corners(x.min(other_x), y.min(other_y), z.min(other_z));
    let min = a.min(b).min(c.min(d));
    let ((x, y), (z, other_x), (other_y, other_z)) = (max[0].split(), max[1].split(), max[2].split());
    let [a, b, c, d] = corners(x.max(other_x), y.max(other_y), z.max(other_z));
    let max = a.max(b).max(c.max(d));
    // Products of tiny numbers lose more than a part of themselves.
    let room = min.abs().max(max.abs()) * slack + f32::MIN_POSITIVE;
    let min: [f32; 4] = (min - room).max(f32x4::splat(simd, f32::MIN)).into();
    let max: [f32; 4] = (max + room).min(f32x4::splat(simd, f32::MAX)).into();
    Bounds { min: Vec3::new(min[0], min[1], min[2]), max: Vec3::new(max[0], max[1], max[2]) }
}

/// Four points from four coordinates along each axis.
#[inline(always)]
fn corners<S: Simd>(x: f32x4<S>, y: f32x4<S>, z: f32x4<S>) -> [f32x4<S>; 4] {
    let ((xz, xz_high), (yz, yz_high)) = (x.interleave(z), y.interleave(z));
    let ((a, b), (c, d)) = (xz.interleave(yz), xz_high.interleave(yz_high));
    [a, b, c, d]
}

impl BoxGroup {
    /// Centres and half extents with morph targets; `None` if they are too large to calculate with.
    ///
    /// With vertices `p` and one target of deltas `d`, a face `max(p + w * d)` is convex in the weight `w`:
    /// from 0 to 1 it is at most the line between both ends. With several targets whose weights sum to 1 it
    /// is at most their mean; to less, with the unmorphed box for the rest. To more, `p + w1 * d1 + w2 * d2`
    /// with `s = w1 + w2` is a mean of `p + s * d1` and `p + s * d2`, each at most `s - 1` times the largest
    /// delta beyond its end. Negative weights take the largest delta all the way.
    #[inline(never)]
    fn morphed(&self, pose: &Pose) -> Option<(Lanes, Lanes)> {
        let weight =
            |range: &MorphRange| pose.morph_weights(range.morph).get(range.target).copied().unwrap_or(0.0);
        let sum: f32 = self.morphs.iter().map(|range| weight(range).abs()).sum();
        let beyond = (sum - 1.0).max(0.0);
        let (mut centers, mut halves) = (self.center, self.half);
        let (center, half) = (centers.as_flattened_mut(), halves.as_flattened_mut());
        for range in &self.morphs {
            let weight = weight(range);
            if weight == 0.0 {
                continue;
            }
            let share = weight / (1.0 + beyond);
            let (face_min, face_max) = (range.face_min.as_flattened(), range.face_max.as_flattened());
            let (delta_min, delta_max) = (range.delta_min.as_flattened(), range.delta_max.as_flattened());
            for lane in 0..center.len() {
                let (min, max) = if weight < 0.0 {
                    (delta_max[lane] * weight, delta_min[lane] * weight)
                } else {
                    let min = (face_min[lane] + delta_min[lane] * beyond) * share;
                    (min, (face_max[lane] + delta_max[lane] * beyond) * share)
                };
                center[lane] += (min + max) * 0.5;
                half[lane] += (max - min) * 0.5;
            }
        }
        // False for NaN, too.
        let is_usable = center.iter().zip(half).all(|(center, half)| center.abs() + *half <= LARGEST);
        is_usable.then_some((centers, halves))
    }
}
