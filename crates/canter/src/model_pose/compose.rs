//! The kernel that composes the hierarchy: lanes to matrices, then one walk from parents to children.

use std::hint::black_box;

use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use crate::kernel::dispatch;
use crate::mat3x4::{Mat3x4, RowLanes, multiply, multiply_pair};
use crate::pose::lanes::load;
use crate::pose::{JointGroup, LANES};
use crate::transform::LARGEST;

/// `matrices[0]` is the identity, joint `j` is at `j + 1`; `parent_slots[j]` is where its parent is.
#[cfg_attr(canter_web, optimize(speed), inline(never))]
pub(crate) fn compose(
    level: Level,
    parent_slots: &[[u32; LANES]],
    groups: &[JointGroup],
    joint_count: usize,
    matrices: &mut [Mat3x4],
) {
    let tree = Tree { parent_slots, joint_count };
    if cfg!(canter_web) {
        // One kernel instead of two where size counts most. Cutting leaves ordinary numbers as they are: without SIMD they
        // are always cut.
        let mut cuts = cfg!(not(target_feature = "simd128"));
        while !dispatch!(level, simd => tree.walk(simd, groups, matrices, cuts)) && !cuts {
            cuts = true;
        }
        return;
    }
    let is_small = dispatch!(level, simd => tree.walk(simd, groups, matrices, false));
    if !is_small {
        // Hardly ever: scales that multiply along a limb until they overflow.
        dispatch!(level, simd => tree.walk(simd, groups, matrices, true));
    }
}

struct Tree<'a> {
    parent_slots: &'a [[u32; LANES]],
    joint_count: usize,
}

impl Tree<'_> {
    /// Composes all joints; returns whether every number is small enough for what follows. `cuts` makes them so.
    #[inline(always)]
    fn walk<S: Simd>(&self, simd: S, groups: &[JointGroup], matrices: &mut [Mat3x4], cuts: bool) -> bool {
        let mut locals = [[[0.0; 4]; LANES]; 3];
        let mut first_slot = 1;
        let mut squares = Squares { upper: f32x8::splat(simd, 0.0), lower: f32x8::splat(simd, 0.0) };
        for (group, parents) in groups.iter().zip(self.parent_slots) {
            local_matrices(simd, group, &mut locals);
            // By way of memory: a load spreads half a register over a whole one, which else takes an instruction more.
            let locals = black_box(&locals);
            // Says once what would else be checked for each joint.
            assert!(first_slot + LANES <= matrices.len(), "the model pose has whole groups");
            // What fills up the last group is left out.
            let joints_left = (self.joint_count + 1).saturating_sub(first_slot);
            if cuts || const { S::f32s::LEN < 8 } {
                // Two products are no quicker than one after the other there, and the code is smaller.
                for (lane, parent) in parents.iter().enumerate().take(joints_left) {
                    let slots = [*parent as usize, first_slot + lane];
                    compose_one(simd, locals, lane, slots, matrices, &mut squares, cuts);
                }
            } else {
                // Spelled out, so that all places are known when it is compiled.
                compose_pair(simd, locals, 0, parents, first_slot, matrices, &mut squares);
                if joints_left > 2 {
                    compose_pair(simd, locals, 2, parents, first_slot, matrices, &mut squares);
                }
                if joints_left > 4 {
                    compose_pair(simd, locals, 4, parents, first_slot, matrices, &mut squares);
                }
                if joints_left > 6 {
                    compose_pair(simd, locals, 6, parents, first_slot, matrices, &mut squares);
                }
            }
            first_slot += LANES;
        }
        is_small(squares.upper) & is_small(squares.lower)
    }
}

/// The transforms of eight joints as matrices: the first rows of all, the second, the third.
pub(super) type Locals = [[[f32; 4]; LANES]; 3];

/// Sums of the squares of all numbers.
struct Squares<S: Simd> {
    upper: f32x8<S>,
    lower: f32x8<S>,
}

/// Composes the joints at a lane and the next.
#[inline(always)]
fn compose_pair<S: Simd>(
    simd: S,
    locals: &Locals,
    lane: usize,
    parents: &[u32; LANES],
    first_slot: usize,
    matrices: &mut [Mat3x4],
    squares: &mut Squares<S>,
) {
    let slot = first_slot + lane;
    let [parent, next_parent] = [parents[lane] as usize, parents[lane + 1] as usize];
    let rows = [local(simd, locals, lane), local(simd, locals, lane + 1)];
    let pair = multiply_pair(simd, [&matrices[parent], &matrices[next_parent]], rows);
    squares.upper += pair.upper[0] * pair.upper[0];
    squares.upper += pair.upper[1] * pair.upper[1];
    squares.lower += pair.lower * pair.lower;
    let [first, second] = pair.split();
    matrices[slot].store(first);
    matrices[slot + 1].store(second);
    // Hardly ever the second hangs on the first, which was not there yet.
    if next_parent == slot {
        // (Loaded once more: sharing loads with it would cost all others an instruction each.)
        compose_one(simd, black_box(locals), lane + 1, [slot, slot + 1], matrices, squares, false);
    }
}

/// Composes the joint at a lane; `slots` are those of its parent and its own.
#[inline(always)]
fn compose_one<S: Simd>(
    simd: S,
    locals: &Locals,
    lane: usize,
    slots: [usize; 2],
    matrices: &mut [Mat3x4],
    squares: &mut Squares<S>,
    cuts: bool,
) {
    let mut model = multiply(simd, &matrices[slots[0]], local(simd, locals, lane));
    if cuts {
        model = cut_rows(model);
    }
    squares.upper += model.upper * model.upper;
    let lower = model.lower.combine(model.lower);
    squares.lower += lower * lower;
    matrices[slots[1]].store(model);
}

/// The rows of a joint's own matrix.
#[inline(always)]
fn local<S: Simd>(simd: S, locals: &Locals, lane: usize) -> [f32x4<S>; 3] {
    [
        f32x4::simd_from(simd, locals[0][lane]),
        f32x4::simd_from(simd, locals[1][lane]),
        f32x4::simd_from(simd, locals[2][lane]),
    ]
}

/// The transforms of eight joints as matrices.
#[inline(always)]
pub(super) fn local_matrices<S: Simd>(simd: S, group: &JointGroup, rows: &mut Locals) {
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
    if const { S::f32s::LEN >= 8 } {
        // Without taking registers apart: joints 0 and 1, 2 and 3, and so on.
        let ([a, b], [c, d]) = (zip(lanes[0], lanes[2]), zip(lanes[1], lanes[3]));
        let ([low, next], [high, last]) = (zip(a, c), zip(b, d));
        let rows = rows.as_flattened_mut();
        rows[0..8].copy_from_slice(&*low);
        rows[8..16].copy_from_slice(&*next);
        rows[16..24].copy_from_slice(&*high);
        rows[24..32].copy_from_slice(&*last);
        return;
    }
    let (low, high) = rows.as_flattened_mut().split_at_mut(16);
    let [(a, e), (b, f), (c, g), (d, h)] =
        [lanes[0].split(), lanes[1].split(), lanes[2].split(), lanes[3].split()];
    f32x4::store_four_interleaved([a, b, c, d], low);
    f32x4::store_four_interleaved([e, f, g, h], high);
}

/// The numbers of both in turns.
#[inline(always)]
fn zip<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> [f32x8<S>; 2] {
    let (low, high) = a.interleave(b);
    [low, high]
}

/// Whether sums of squares are what calculations with [`LARGEST`] can bear; NaN is not.
#[inline(always)]
pub(super) fn is_small<S: Simd>(squares: f32x8<S>) -> bool {
    let mut is_small = true;
    for lane in *squares {
        is_small &= lane < LARGEST * LARGEST;
    }
    is_small
}

/// Brings a matrix into the range of what calculations can bear.
#[inline(always)]
pub(super) fn cut_rows<S: Simd>(model: RowLanes<S>) -> RowLanes<S> {
    let (x, y) = model.upper.split();
    RowLanes { upper: cut(x).combine(cut(y)), lower: cut(model.lower) }
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
