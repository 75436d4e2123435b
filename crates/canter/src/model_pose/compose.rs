//! The kernel that composes the hierarchy: lanes to matrices, then one walk from parents to children.

use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use crate::kernel::dispatch;
use crate::mat3x4::{Mat3x4, RowLanes, multiply};
use crate::pose::lanes::load;
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
    if cfg!(all(canter_web, not(target_feature = "simd128"))) {
        // One kernel instead of two where size counts most: cutting leaves ordinary numbers as they are.
        dispatch!(level, simd => walk::<_, true>(simd, parent_slots, groups, matrices));
        return;
    }
    let is_small = dispatch!(level, simd => walk::<_, false>(simd, parent_slots, groups, matrices));
    if !is_small {
        // Hardly ever: scales that multiply along a limb until they overflow.
        dispatch!(level, simd => walk::<_, true>(simd, parent_slots, groups, matrices));
    }
}

/// Composes all joints; returns whether every number is small enough for what follows. `CUT` makes them so.
#[inline(always)]
fn walk<S: Simd, const CUT: bool>(
    simd: S,
    parent_slots: &[[u32; LANES]],
    groups: &[JointGroup],
    matrices: &mut [Mat3x4],
) -> bool {
    let mut locals = [[[0.0; 4]; LANES]; 3];
    let mut first_slot = 1;
    let mut squares = f32x8::splat(simd, 0.0);
    let mut lower_squares = f32x4::splat(simd, 0.0);
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
                let (x, y) = model.upper.split();
                model = RowLanes { upper: cut(x).combine(cut(y)), lower: cut(model.lower) };
            }
            squares += model.upper * model.upper;
            lower_squares += model.lower * model.lower;
            matrices[first_slot + lane].store(model);
        }
        first_slot += LANES;
    }
    is_small(squares, lower_squares)
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

/// Whether sums of squares are what calculations with [`LARGEST`] can bear; NaN is not.
#[inline(always)]
fn is_small<S: Simd>(upper: f32x8<S>, lower: f32x4<S>) -> bool {
    let mut is_small = true;
    for lane in *upper {
        is_small &= lane < LARGEST * LARGEST;
    }
    for lane in *lower {
        is_small &= lane < LARGEST * LARGEST;
    }
    is_small
}

/// Brings numbers into the range of what calculations can bear; NaN becomes zero.
#[inline(always)]
fn cut<S: Simd>(row: f32x4<S>) -> f32x4<S> {
    let largest = f32x4::splat(row.token(), LARGEST);
    let zero = f32x4::splat(row.token(), 0.0);
    let row = row.simd_eq(row).select(row, zero);
    let row = row.simd_gt(largest).select(largest, row);
    row.simd_lt(-largest).select(-largest, row)
}
