//! The kernel that composes the hierarchy: lanes to matrices, then one walk from parents to children.

use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use crate::clip::interpolate::load;
use crate::kernel::dispatch;
use crate::mat3x4::{Mat3x4, multiply};
use crate::pose::{JointGroup, LANES};
use crate::transform::LARGEST;

/// `matrices[0]` is the identity, joint `j` is at `j + 1`; `parent_slots[j]` is where its parent is.
#[cfg_attr(canter_web, optimize(speed), inline(never))]
pub(crate) fn compose(
    level: Level,
    parent_slots: &[[u32; LANES]],
    groups: &[JointGroup],
    matrices: &mut [Mat3x4],
) {
    let tame = dispatch!(level, simd => walk::<_, false>(simd, parent_slots, groups, matrices));
    if !tame {
        // Hardly ever: scales that multiply along a limb until they overflow.
        dispatch!(level, simd => walk::<_, true>(simd, parent_slots, groups, matrices));
    }
}

/// Composes all joints; answers whether every number is small enough for what follows. `CUT` makes them so.
#[inline(always)]
fn walk<S: Simd, const CUT: bool>(
    simd: S,
    parent_slots: &[[u32; LANES]],
    groups: &[JointGroup],
    matrices: &mut [Mat3x4],
) -> bool {
    let mut locals = [[[0.0; 4]; LANES]; 3];
    let mut first_slot = 1;
    for (group, parents) in groups.iter().zip(parent_slots) {
        local_matrices(simd, group, &mut locals);
        // Says once what would else be checked for each joint.
        assert!(first_slot + LANES <= matrices.len(), "the model pose has whole groups");
        for lane in 0..LANES {
            let local = [
                f32x4::simd_from(simd, locals[0][lane]),
                f32x4::simd_from(simd, locals[1][lane]),
                f32x4::simd_from(simd, locals[2][lane]),
            ];
            let mut model = multiply(simd, &matrices[parents[lane] as usize], local);
            if CUT {
                model = [cut(model[0]), cut(model[1]), cut(model[2])];
            }
            matrices[first_slot + lane].store(model);
        }
        first_slot += LANES;
    }
    are_tame(simd, matrices)
}

/// The transforms of eight joints as matrices: the first rows of all, the second, the third.
#[inline(always)]
fn local_matrices<S: Simd>(simd: S, group: &JointGroup, rows: &mut [[[f32; 4]; LANES]; 3]) {
    let [x, y, z, w] = load::<S, 4>(simd, &group.rotation, 0);
    let [sx, sy, sz] = load::<S, 3>(simd, &group.scale, 0);
    let [tx, ty, tz] = load::<S, 3>(simd, &group.translation, 0);
    let one = f32x8::splat(simd, 1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let first = [(one - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz, tx];
    let second = [(xy + wz) * sx, (one - (xx + zz)) * sy, (yz - wx) * sz, ty];
    let third = [(xz - wy) * sx, (yz + wx) * sy, (one - (xx + yy)) * sz, tz];
    let [first_rows, second_rows, third_rows] = rows;
    transpose(first, first_rows);
    transpose(second, second_rows);
    transpose(third, third_rows);
}

/// From four numbers of eight joints to eight rows of four numbers.
#[inline(always)]
fn transpose<S: Simd>(lanes: [f32x8<S>; 4], rows: &mut [[f32; 4]; LANES]) {
    let (low, high) = rows.as_flattened_mut().split_at_mut(16);
    let [(a, e), (b, f), (c, g), (d, h)] =
        [lanes[0].split(), lanes[1].split(), lanes[2].split(), lanes[3].split()];
    f32x4::store_four_interleaved([a, b, c, d], low);
    f32x4::store_four_interleaved([e, f, g, h], high);
}

/// Whether the sum of all squares is what calculations with [`LARGEST`] can bear.
#[inline(always)]
fn are_tame<S: Simd>(simd: S, matrices: &[Mat3x4]) -> bool {
    const SUMS: usize = 6;
    let mut sums = [f32x8::splat(simd, 0.0); SUMS];
    // Four matrices at a time, in sums that do not wait for each other.
    let (fours, rest) = matrices.as_chunks::<4>();
    for four in fours {
        for (index, pair) in four.as_chunks::<2>().0.iter().enumerate() {
            for part in 0..3 {
                let numbers = pair_part(simd, pair, part);
                let sum = &mut sums[index * 3 + part];
                *sum += numbers * numbers;
            }
        }
    }
    let mut total = f32x8::splat(simd, 0.0);
    for sum in sums {
        total += sum;
    }
    let mut is_tame = true;
    for lane in *total {
        // NaN is not smaller than anything.
        is_tame &= lane < LARGEST * LARGEST;
    }
    for matrix in rest {
        for number in matrix.rows.as_flattened() {
            is_tame &= number.abs() < LARGEST;
        }
    }
    is_tame
}

/// The first, second or third eight numbers of two matrices.
#[inline(always)]
fn pair_part<S: Simd>(simd: S, pair: &[Mat3x4; 2], part: usize) -> f32x8<S> {
    let [a, b] = pair;
    match part {
        0 => f32x8::from_slice(simd, &a.rows.as_flattened()[..8]),
        1 => f32x4::simd_from(simd, a.rows[2]).combine(f32x4::simd_from(simd, b.rows[0])),
        _ => f32x8::from_slice(simd, &b.rows.as_flattened()[4..]),
    }
}

/// Brings numbers into what calculations can bear; what is no number becomes zero.
#[inline(always)]
fn cut<S: Simd>(row: f32x4<S>) -> f32x4<S> {
    let largest = f32x4::splat(row.token(), LARGEST);
    let zero = f32x4::splat(row.token(), 0.0);
    let row = row.simd_eq(row).select(row, zero);
    let row = row.simd_gt(largest).select(largest, row);
    row.simd_lt(-largest).select(-largest, row)
}
