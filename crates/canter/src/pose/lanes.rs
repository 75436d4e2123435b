//! Eight joints in registers: the words that kernels are written in.
//!
//! Loops over indices instead of closures, because what is not inlined into a kernel is not compiled for its
//! instruction set, and closures now and then are not.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

use super::{JointGroup, Lanes};
use crate::model_pose::compose::Numbers;

/// The transforms of eight joints in registers.
#[derive(Clone, Copy)]
pub(crate) struct TransformLanes<S: Simd> {
    pub(crate) translation: [f32x8<S>; 3],
    pub(crate) rotation: [f32x8<S>; 4],
    pub(crate) scale: [f32x8<S>; 3],
}

impl<S: Simd> TransformLanes<S> {
    #[inline(always)]
    pub(crate) fn load(simd: S, group: &JointGroup) -> Self {
        Self {
            translation: load_all(simd, &group.translation),
            rotation: load_all(simd, &group.rotation),
            scale: load_all(simd, &group.scale),
        }
    }

    /// Translation, rotation, scale.
    #[inline(always)]
    pub(crate) fn numbers(self) -> Numbers<f32x8<S>> {
        (self.translation, self.rotation, self.scale)
    }

    #[inline(always)]
    pub(crate) fn store(self, group: &mut JointGroup) {
        store(self.translation, &mut group.translation);
        store(self.rotation, &mut group.rotation);
        store(self.scale, &mut group.scale);
    }
}

#[inline(always)]
pub(crate) fn store<S: Simd, const N: usize>(numbers: [f32x8<S>; N], lanes: &mut [Lanes; N]) {
    for i in 0..N {
        lanes[i].0 = *numbers[i];
    }
}

#[inline(always)]
pub(crate) fn load<S: Simd, const N: usize>(simd: S, lanes: &[Lanes], offset: usize) -> [f32x8<S>; N] {
    load_all(simd, lanes[offset..].first_chunk().expect("the compiler lays out whole strips"))
}

#[inline(always)]
pub(crate) fn load_all<S: Simd, const N: usize>(simd: S, lanes: &[Lanes; N]) -> [f32x8<S>; N] {
    let mut numbers = [f32x8::splat(simd, 0.0); N];
    for i in 0..N {
        numbers[i] = f32x8::simd_from(simd, lanes[i].0);
    }
    numbers
}

/// Turns four registers, in each of their blocks of four numbers: what is first in all of them comes to lie in the first.
#[inline(always)]
pub(crate) fn transpose_in_blocks<S: Simd>(lanes: [f32x8<S>; 4]) -> [f32x8<S>; 4] {
    let ([a, b], [c, d]) = (zip_in_blocks(lanes[0], lanes[2]), zip_in_blocks(lanes[1], lanes[3]));
    let ([first, second], [third, last]) = (zip_in_blocks(a, c), zip_in_blocks(b, d));
    [first, second, third, last]
}

/// The numbers of both in turns: the first two of each block of four, and the last two. An instruction each, which the
/// compiler finds.
#[inline(always)]
fn zip_in_blocks<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> [f32x8<S>; 2] {
    let (low, high) = a.interleave(b);
    let ((first, second), (third, last)) = (low.split(), high.split());
    [first.combine(third), second.combine(last)]
}

/// From one to the other: what is the same in both stays exactly that.
#[inline(always)]
pub(crate) fn lerp<S: Simd, const N: usize>(
    mut value: [f32x8<S>; N],
    next: [f32x8<S>; N],
    alpha: f32x8<S>,
) -> [f32x8<S>; N] {
    for i in 0..N {
        value[i] += (next[i] - value[i]) * alpha;
    }
    value
}

/// Takes over the lanes that the mask names.
#[inline(always)]
pub(crate) fn select<S: Simd, const N: usize>(
    mask: mask32x8<S>,
    over: [f32x8<S>; N],
    under: &mut [f32x8<S>; N],
) {
    for i in 0..N {
        under[i] = mask.select(over[i], under[i]);
    }
}

#[inline(always)]
pub(crate) fn dot<S: Simd>(a: [f32x8<S>; 4], b: [f32x8<S>; 4]) -> f32x8<S> {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

/// The product of quaternions: the second rotation, then the first.
#[inline(always)]
pub(crate) fn product<S: Simd>(a: [f32x8<S>; 4], b: [f32x8<S>; 4]) -> [f32x8<S>; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        (aw * bx + ax * bw) + (ay * bz - az * by),
        (aw * by + ay * bw) + (az * bx - ax * bz),
        (aw * bz + az * bw) + (ax * by - ay * bx),
        (aw * bw - ax * bx) - (ay * by + az * bz),
    ]
}

/// Brings quaternions to length one. One without a length, which opposite rotations may add up to, becomes no
/// rotation.
#[inline(always)]
pub(crate) fn normalize<S: Simd>(simd: S, rotation: &mut [f32x8<S>; 4]) {
    const SHORTEST_SQUARED: f32 = 1e-30;
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let squared = dot(*rotation, *rotation);
    let has_length = squared.simd_gt(f32x8::splat(simd, SHORTEST_SQUARED));
    let factor = has_length.select(one / squared.sqrt(), zero);
    for part in &mut *rotation {
        *part *= factor;
    }
    rotation[3] = has_length.select(rotation[3], one);
}
