//! The kernel that composes the hierarchy: lanes to matrices, then one walk from parents to children.

use std::hint::black_box;
use std::ops::{Add, Mul, Sub};

use fearless_simd::{Level, Simd, f32x4, f32x8, prelude::*};

use crate::kernel::dispatch;
use crate::mat3x4::{Mat3x4, RowLanes, multiply, multiply_rows};
use crate::pose::lanes::{TransformLanes, transpose_in_blocks};
use crate::pose::{JointGroup, LANES, Lanes};
use crate::transform::{LARGEST, Transform};

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
        let mut locals = Locals::new();
        let mut first_slot = 1;
        let mut squares = Squares::new(simd);
        for (group, parents) in groups.iter().zip(self.parent_slots) {
            // What fills up the last group is left out.
            let joints_left = (self.joint_count + 1).saturating_sub(first_slot);
            if cfg!(not(canter_web)) && joints_left <= FEW && !cuts {
                // A node of the mesh beside all joints, mostly: not for all eight what one needs.
                for (lane, parent) in parents.iter().enumerate().take(joints_left) {
                    let (rows, slots) =
                        (local_rows(&group.joint(lane)), [*parent as usize, first_slot + lane]);
                    compose_joint(simd, rows.each_ref(), slots, matrices, &mut squares, false);
                }
                break;
            }
            local_matrices(simd, group, &mut locals);
            // By way of memory: a load spreads half a register over a whole one, which else takes an instruction more.
            let locals = black_box(&locals);
            // Says once what would else be checked for each joint.
            let matrices = &mut matrices[..first_slot + LANES];
            if cuts || const { S::f32s::LEN < 8 } {
                // The code is smaller there.
                for (lane, parent) in parents.iter().enumerate().take(joints_left) {
                    let slots = [*parent as usize, first_slot + lane];
                    compose_joint(simd, locals.joint::<S>(lane), slots, matrices, &mut squares, cuts);
                }
            } else {
                // Spelled out, so that all places are known when it is compiled.
                let slots = |lane: usize| [parents[lane] as usize, first_slot + lane];
                compose_joint(simd, locals.joint::<S>(0), slots(0), matrices, &mut squares, false);
                compose_joint(simd, locals.joint::<S>(1), slots(1), matrices, &mut squares, false);
                if joints_left > 2 {
                    compose_joint(simd, locals.joint::<S>(2), slots(2), matrices, &mut squares, false);
                    compose_joint(simd, locals.joint::<S>(3), slots(3), matrices, &mut squares, false);
                }
                if joints_left > 4 {
                    compose_joint(simd, locals.joint::<S>(4), slots(4), matrices, &mut squares, false);
                    compose_joint(simd, locals.joint::<S>(5), slots(5), matrices, &mut squares, false);
                }
                if joints_left > 6 {
                    compose_joint(simd, locals.joint::<S>(6), slots(6), matrices, &mut squares, false);
                    compose_joint(simd, locals.joint::<S>(7), slots(7), matrices, &mut squares, false);
                }
            }
            first_slot += LANES;
        }
        squares.are_small()
    }
}

/// The transforms of eight joints as matrices: the first rows of all, the second, the third. Joints lie in the order in
/// which [`transpose`] leaves them.
#[repr(align(32))]
pub(super) struct Locals([[[f32; 4]; LANES]; 3]);

impl Locals {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self([[[0.0; 4]; LANES]; 3])
    }

    /// The rows of a joint's own matrix.
    #[inline(always)]
    pub(super) fn joint<S: Simd>(&self, lane: usize) -> [&[f32; 4]; 3] {
        let place = if const { S::f32s::LEN >= 8 } { lane % 4 * 2 + lane / 4 } else { lane };
        [&self.0[0][place], &self.0[1][place], &self.0[2][place]]
    }
}

/// So few joints of the last group are composed by themselves.
const FEW: usize = 2;

/// Sums of the squares of all numbers.
pub(super) struct Squares<S: Simd> {
    /// Only where registers are wide enough.
    upper: f32x8<S>,
    lower: f32x4<S>,
}

impl<S: Simd> Squares<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        Self { upper: f32x8::splat(simd, 0.0), lower: f32x4::splat(simd, 0.0) }
    }

    #[inline(always)]
    fn add(&mut self, model: RowLanes<S>) {
        if const { S::f32s::LEN >= 8 } {
            self.upper += model.upper * model.upper;
            self.lower += model.lower * model.lower;
        } else {
            let (x, y) = model.upper.split();
            self.lower += (x * x + y * y) + model.lower * model.lower;
        }
    }

    /// Whether they are what calculations with [`LARGEST`] can bear; NaN is not.
    #[inline(always)]
    pub(super) fn are_small(&self) -> bool {
        let mut are_small = true;
        if const { S::f32s::LEN >= 8 } {
            for lane in *self.upper {
                are_small &= lane < LARGEST * LARGEST;
            }
        }
        for lane in *self.lower {
            are_small &= lane < LARGEST * LARGEST;
        }
        are_small
    }
}

/// Composes a joint of these rows; `slots` are those of its parent and its own.
#[inline(always)]
pub(super) fn compose_joint<S: Simd>(
    simd: S,
    local: [&[f32; 4]; 3],
    slots: [usize; 2],
    matrices: &mut [Mat3x4],
    squares: &mut Squares<S>,
    cuts: bool,
) {
    let model = multiply(simd, &matrices[slots[0]], local);
    finish_joint(model, &mut matrices[slots[1]], squares, cuts);
}

/// The joint that was composed last, in registers: the next one down a limb, which hangs on it, does not have to wait until
/// it is stored and loaded again.
pub(super) struct Limb<S: Simd> {
    last: RowLanes<S>,
    slot: usize,
}

impl<S: Simd> Limb<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, matrices: &[Mat3x4]) -> Self {
        Self { last: RowLanes::load(simd, &matrices[0]), slot: 0 }
    }

    /// The same as [`compose_joint`].
    #[inline(always)]
    pub(super) fn compose(
        &mut self,
        simd: S,
        local: [&[f32; 4]; 3],
        slots: [usize; 2],
        matrices: &mut [Mat3x4],
        squares: &mut Squares<S>,
        cuts: bool,
    ) {
        // The module of the npm package, which is to be small, has one way.
        if cfg!(canter_web) {
            return compose_joint(simd, local, slots, matrices, squares, cuts);
        }
        let parent =
            if slots[0] == self.slot { self.last } else { RowLanes::load(simd, &matrices[slots[0]]) };
        let model = multiply_rows(simd, parent, local);
        self.last = finish_joint(model, &mut matrices[slots[1]], squares, cuts);
        self.slot = slots[1];
    }
}

#[inline(always)]
fn finish_joint<S: Simd>(
    mut model: RowLanes<S>,
    matrix: &mut Mat3x4,
    squares: &mut Squares<S>,
    cuts: bool,
) -> RowLanes<S> {
    if cuts {
        model = cut_rows(model);
    }
    squares.add(model);
    matrix.store(model);
    model
}

/// The transforms of eight joints as matrices.
#[inline(always)]
pub(super) fn local_matrices<S: Simd>(simd: S, group: &JointGroup, rows: &mut Locals) {
    let Locals([first_rows, second_rows, third_rows]) = rows;
    if const { S::f32s::LEN >= 8 } {
        let transforms = TransformLanes::load(simd, group);
        let [first, second, third] = matrix_of(f32x8::splat(simd, 1.0), transforms.numbers());
        transpose(first, first_rows);
        transpose(second, second_rows);
        transpose(third, third_rows);
        return;
    }
    // Four at a time: all eight would not fit into registers.
    for half in [0, LANES / 2] {
        let numbers = (
            load_fours(simd, &group.translation, half),
            load_fours(simd, &group.rotation, half),
            load_fours(simd, &group.scale, half),
        );
        let [first, second, third] = matrix_of(f32x4::splat(simd, 1.0), numbers);
        f32x4::store_four_interleaved(first, first_rows[half..half + 4].as_flattened_mut());
        f32x4::store_four_interleaved(second, second_rows[half..half + 4].as_flattened_mut());
        f32x4::store_four_interleaved(third, third_rows[half..half + 4].as_flattened_mut());
    }
}

/// Four joints of a group, from one on.
#[inline(always)]
fn load_fours<S: Simd, const N: usize>(simd: S, lanes: &[Lanes; N], from: usize) -> [f32x4<S>; N] {
    let mut numbers = [f32x4::splat(simd, 0.0); N];
    for i in 0..N {
        numbers[i] = f32x4::from_slice(simd, &lanes[i].0[from..from + 4]);
    }
    numbers
}

/// A translation, a rotation and a scale.
pub(crate) type Numbers<N> = ([N; 3], [N; 4], [N; 3]);

/// The matrix of a translation, a rotation and a scale, row by row: of one joint, or of several side by side.
#[inline(always)]
pub(crate) fn matrix_of<N: Copy + Add<Output = N> + Sub<Output = N> + Mul<Output = N>>(
    one: N,
    ([tx, ty, tz], [x, y, z, w], [sx, sy, sz]): Numbers<N>,
) -> [[N; 4]; 3] {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        [(one - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz, tx],
        [(xy + wz) * sx, (one - (xx + zz)) * sy, (yz - wx) * sz, ty],
        [(xz - wy) * sx, (yz + wx) * sy, (one - (xx + yy)) * sz, tz],
    ]
}

/// The matrix of one joint.
#[inline(always)]
pub(super) fn local_rows(local: &Transform) -> [[f32; 4]; 3] {
    matrix_of(1.0, (local.translation.to_array(), local.rotation.to_array(), local.scale.to_array()))
}

/// From four numbers of eight joints to eight rows of four numbers. Wide registers are not taken apart: joints 0 and 4 come
/// first, then 1 and 5, and so on.
#[inline(always)]
fn transpose<S: Simd>(lanes: [f32x8<S>; 4], rows: &mut [[f32; 4]; LANES]) {
    let [first, second, third, last] = transpose_in_blocks(lanes);
    let rows = rows.as_flattened_mut();
    rows[0..8].copy_from_slice(&*first);
    rows[8..16].copy_from_slice(&*second);
    rows[16..24].copy_from_slice(&*third);
    rows[24..32].copy_from_slice(&*last);
}

/// Brings a matrix into the range of what calculations can bear.
#[inline(always)]
fn cut_rows<S: Simd>(model: RowLanes<S>) -> RowLanes<S> {
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
