//! The kernels that compose eight members side by side, and write their palettes.
#![expect(clippy::needless_range_loop, reason = "numbers are counted, in several arrays at once")]

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

use super::MatrixLanes;
use crate::mat3x4::Mat3x4;
use crate::model_pose::compose::matrix_of;
use crate::palette::PaletteMatrix;
use crate::pose::lanes::{TransformLanes, dot, load_all, store, transpose_in_blocks};
use crate::pose::{JointGroup, LANES, Lanes};
use crate::skeleton::Skeleton;
use crate::skin::Skin;
use crate::transform::LARGEST;

/// Composes all joints of eight poses. Returns a bit for each whose numbers are small enough for what follows.
#[inline(always)]
pub(super) fn compose<S: Simd>(
    simd: S,
    skeleton: &Skeleton,
    poses: [&[JointGroup]; LANES],
    matrices: &mut [MatrixLanes],
) -> u8 {
    let mut by_joint = [JointGroup::IDENTITY; LANES];
    let mut squares = f32x8::splat(simd, 0.0);
    let mut slot = 1;
    for (group, parents) in skeleton.parent_slots().iter().enumerate() {
        let mut of_members = [&JointGroup::IDENTITY; LANES];
        for lane in 0..LANES {
            of_members[lane] = &poses[lane][group];
        }
        regroup(simd, of_members, &mut by_joint);
        for (joint, parent) in by_joint.iter().zip(parents) {
            if slot == matrices.len() {
                break;
            }
            let local = matrix_of(f32x8::splat(simd, 1.0), TransformLanes::load(simd, joint).numbers());
            let model = multiply(simd, &matrices[*parent as usize], local);
            for row in 0..3 {
                store(model[row], &mut matrices[slot].0[row]);
            }
            // Joints do not wait for each other but for one sum.
            squares += (dot(model[0], model[0]) + dot(model[1], model[1])) + dot(model[2], model[2]);
            slot += 1;
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "eight lanes are eight bits")]
    let are_small = squares.simd_lt(f32x8::splat(simd, LARGEST * LARGEST)).to_bitmask() as u8;
    are_small
}

/// Writes the palettes of a skin, as long as it is each: `matrices` are those of the joints.
#[inline(always)]
pub(super) fn write_palettes<S: Simd, M: PaletteMatrix>(
    simd: S,
    skin: &Skin,
    matrices: &[MatrixLanes],
    [a, b, c, d, e, f, g, h]: [&mut [M]; LANES],
) {
    // All side by side, so that no place in any of them has to be looked up.
    let firsts = a.iter_mut().zip(b).zip(c.iter_mut().zip(d));
    let lasts = e.iter_mut().zip(f).zip(g.iter_mut().zip(h));
    let joints = skin.joints().iter().zip(skin.joint_from_mesh());
    for ((((a, b), (c, d)), ((e, f), (g, h))), (joint, joint_from_mesh)) in firsts.zip(lasts).zip(joints) {
        let product = multiply(simd, &matrices[joint.index()], spread(simd, joint_from_mesh));
        M::write_lanes([a, b, c, d, e, f, g, h], product);
    }
}

/// From eight joints of each of eight members to eight members of each of eight joints.
#[inline(always)]
fn regroup<S: Simd>(simd: S, of_members: [&JointGroup; LANES], by_joint: &mut [JointGroup; LANES]) {
    // These closures only name places, so that it does not matter which instruction set they are compiled for.
    let translations = of_members.map(|group| &group.translation);
    turn_all(simd, translations, by_joint.each_mut().map(|group| &mut group.translation));
    let rotations = of_members.map(|group| &group.rotation);
    turn_all(simd, rotations, by_joint.each_mut().map(|group| &mut group.rotation));
    let scales = of_members.map(|group| &group.scale);
    turn_all(simd, scales, by_joint.each_mut().map(|group| &mut group.scale));
}

#[inline(always)]
fn turn_all<S: Simd, const N: usize>(
    simd: S,
    of_members: [&[Lanes; N]; LANES],
    by_joint: [&mut [Lanes; N]; LANES],
) {
    for number in 0..N {
        let mut lanes = [&of_members[0][number]; LANES];
        for member in 1..LANES {
            lanes[member] = &of_members[member][number];
        }
        let joints = turn(simd, lanes);
        for joint in 0..LANES {
            by_joint[joint][number] = Lanes(*joints[joint]);
        }
    }
}

/// From one number of eight joints of each member to that of all members of each joint.
#[inline(always)]
fn turn<S: Simd>(simd: S, of_members: [&Lanes; LANES]) -> [f32x8<S>; LANES] {
    let mut joints = [f32x8::splat(simd, 0.0); LANES];
    for half in [0, 4] {
        let mut fours = [f32x8::splat(simd, 0.0); 4];
        for member in 0..4 {
            let low = f32x4::from_slice(simd, &of_members[member].0[half..half + 4]);
            let high = f32x4::from_slice(simd, &of_members[member + 4].0[half..half + 4]);
            fours[member] = low.combine(high);
        }
        let turned = transpose_in_blocks(fours);
        joints[half..half + 4].copy_from_slice(&turned);
    }
    joints
}

/// The same matrix for all members.
#[inline(always)]
fn spread<S: Simd>(simd: S, matrix: &Mat3x4) -> [[f32x8<S>; 4]; 3] {
    let mut lanes = [[f32x8::splat(simd, 0.0); 4]; 3];
    for row in 0..3 {
        for column in 0..4 {
            lanes[row][column] = f32x8::splat(simd, matrix.rows[row][column]);
        }
    }
    lanes
}

/// `left * right`, by the operations of [`crate::mat3x4::multiply`], in their order: also where they add nothing.
#[inline(always)]
fn multiply<S: Simd>(simd: S, left: &MatrixLanes, right: [[f32x8<S>; 4]; 3]) -> [[f32x8<S>; 4]; 3] {
    let mut product = right;
    for row in 0..3 {
        let [x, y, z, translation] = load_all(simd, &left.0[row]);
        for column in 0..4 {
            let last = if column == 3 { translation } else { f32x8::splat(simd, 0.0) };
            product[row][column] =
                (right[0][column] * x + right[1][column] * y) + (right[2][column] * z + last);
        }
    }
    product
}
