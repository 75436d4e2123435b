//! Places eight boxes at once: centre, and |matrix| times half extent.
//!
//! Eight matrices are 24 rows, which fill twelve registers as they lie in memory. Four registers at a time are transposed; lanes of
//! the result belong to different axes and boxes (see [`row_of`]), and the numbers of the boxes are stored in that order.

mod columns;
#[cfg(test)]
mod tests;

use canter::glam::Vec3;
use canter::{Mat3x4, MorphId, Pose};
use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use super::Bounds;
use columns::columns;

pub(super) const LANES: usize = 8;
/// A vector for each lane of the three results, by coordinate.
pub(super) type Lanes = [[[f32; LANES]; 3]; 3];

/// The row that a lane of one of the three results belongs to: the box of eight, and the axis.
pub(super) fn row_of(result: usize, lane: usize) -> (usize, usize) {
    let row = 2 * result + lane / 4;
    (lane % 4 * 2 + row / 3, row % 3)
}

/// No number of a box may be larger. Matrices of a pose hold at most this, too, so that their products are far from overflow.
pub(super) const LARGEST: f32 = 1e18;

/// Boxes of eight joints next to each other.
#[derive(Clone, Debug)]
pub(super) struct BoxGroup {
    pub(super) boxes: BoxLanes,
    /// The first of the matrices that they follow.
    pub(super) first: usize,
    pub(super) morphs: Vec<MorphRange>,
}

/// The half extent where a joint has no box: so far inside out that it does not count. (Where a matrix makes everything flat, the
/// place of the joint does.)
pub(super) const NO_BOX: f32 = f32::MIN;

#[derive(Clone, Debug)]
#[repr(align(32))]
pub(super) struct BoxLanes {
    pub(super) center: Lanes,
    pub(super) half: Lanes,
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

/// The box around all boxes where the matrices take them. Morph targets count if there is a pose with their weights.
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
    let few;
    // Those of a small rig, or of a part of one, are filled up.
    let matrices = if matrices.len() < LANES {
        few = filled_up(matrices);
        &few[..]
    } else {
        matrices
    };
    for group in groups {
        let morphed;
        let boxes = match morphs {
            Some(pose) if !group.morphs.is_empty() => {
                let Some(boxes) = group.morphed(pose) else { return Bounds::ALL };
                morphed = boxes;
                &morphed
            }
            _ => &group.boxes,
        };
        let matrices = &matrices[group.first..group.first + LANES];
        for result in 0..3 {
            let pair = |pair: usize| {
                let row = |row: usize| f32x4::simd_from(simd, matrices[row / 3].rows[row % 3]);
                let first = 2 * (3 * pair + result);
                row(first).combine(row(first + 1))
            };
            let [x, y, z, translation] = columns([pair(0), pair(1), pair(2), pair(3)]);
            let [center_x, center_y, center_z] = load(simd, &boxes.center[result]);
            let [half_x, half_y, half_z] = load(simd, &boxes.half[result]);
            let center = (x * center_x + y * center_y) + (z * center_z + translation);
            let half = (x.abs() * half_x + y.abs() * half_y) + z.abs() * half_z;
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

#[inline(always)]
fn filled_up(matrices: &[Mat3x4]) -> [Mat3x4; LANES] {
    let mut all = [Mat3x4::IDENTITY; LANES];
    for lane in 0..LANES {
        // One by one: a call of `memcpy` takes longer.
        if let Some(matrix) = matrices.get(lane) {
            all[lane] = *matrix;
        }
    }
    all
}

impl BoxGroup {
    /// The boxes with morph targets; `None` if they are too large to calculate with.
    ///
    /// With vertices `p` and one target of deltas `d`, a face `max(p + w * d)` is convex in the weight `w`: from 0 to 1 it is at
    /// most the line between both ends. With several targets whose weights sum to 1 it is at most their mean; to less, with the
    /// unmorphed box for the rest. To more, `p + w1 * d1 + w2 * d2` with `s = w1 + w2` is a mean of `p + s * d1` and `p + s * d2`,
    /// each at most `s - 1` times the largest delta beyond its end. Negative weights take the largest delta all the way.
    #[inline(never)]
    fn morphed(&self, pose: &Pose) -> Option<BoxLanes> {
        let weight =
            |range: &MorphRange| pose.morph_weights(range.morph).get(range.target).copied().unwrap_or(0.0);
        let sum: f32 = self.morphs.iter().map(|range| weight(range).abs()).sum();
        let beyond = (sum - 1.0).max(0.0);
        let mut boxes = self.boxes.clone();
        for range in &self.morphs {
            let weight = weight(range);
            if weight == 0.0 {
                continue;
            }
            let share = weight / (1.0 + beyond);
            let (face_min, face_max) = (flat(&range.face_min), flat(&range.face_max));
            let (delta_min, delta_max) = (flat(&range.delta_min), flat(&range.delta_max));
            let (center, half) = (flat_mut(&mut boxes.center), flat_mut(&mut boxes.half));
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
        let mut lanes = flat(&boxes.center).iter().zip(flat(&boxes.half));
        lanes.all(|(center, half)| center.abs() + half <= LARGEST).then_some(boxes)
    }
}

fn flat(lanes: &Lanes) -> &[f32] {
    lanes.as_flattened().as_flattened()
}

fn flat_mut(lanes: &mut Lanes) -> &mut [f32] {
    lanes.as_flattened_mut().as_flattened_mut()
}

#[inline(always)]
fn load<S: Simd>(simd: S, [x, y, z]: &[[f32; LANES]; 3]) -> [f32x8<S>; 3] {
    [f32x8::simd_from(simd, *x), f32x8::simd_from(simd, *y), f32x8::simd_from(simd, *z)]
}
