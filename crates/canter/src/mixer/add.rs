//! Adds the clips of an additive layer to a pose.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::JointMask;
use super::blend::mask_weights;
use crate::clip::interpolate::Visitor;
use crate::pose::JointGroup;
use crate::pose::lanes::{TransformLanes, normalize, product, select};
use crate::transform::LARGEST;

/// Adds what is visited, which are differences, to the pose that is there.
pub(super) struct Add<'a> {
    /// From 0 to [`LARGEST`].
    pub(super) weight: f32,
    /// Those of the layer and of the action.
    pub(super) masks: [Option<&'a JointMask>; 2],
    pub(super) groups: &'a mut [JointGroup],
}

impl Add<'_> {
    #[inline(always)]
    fn weights<S: Simd>(&self, simd: S, group: usize) -> f32x8<S> {
        let [layer, action] = self.masks;
        mask_weights(simd, layer, group) * mask_weights(simd, action, group) * self.weight
    }
}

impl<S: Simd> Visitor<S> for Add<'_> {
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn skips(&mut self, simd: S, group: usize) -> bool {
        !self.weights(simd, group).simd_gt(f32x8::splat(simd, 0.0)).any_true()
    }

    #[inline(always)]
    fn visit(&mut self, group: usize, delta: TransformLanes<S>) {
        let simd = delta.rotation[0].token();
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let weight = self.weights(simd, group);
        let out = &mut self.groups[group];
        let before = TransformLanes::load(simd, out);
        let mut sum = before;
        for i in 0..3 {
            sum.translation[i] = in_range(sum.translation[i] + delta.translation[i] * weight);
            sum.scale[i] = in_range(sum.scale[i] * (one + (delta.scale[i] - one) * weight));
        }
        let [x, y, z, w] = delta.rotation;
        let mut turn = [x * weight, y * weight, z * weight, one + (w - one) * weight];
        normalize(simd, &mut turn);
        sum.rotation = product(before.rotation, turn);
        // What it does not move stays as it is, bit for bit.
        let is_moved = weight.simd_gt(zero);
        let mut moved = before;
        select(is_moved, sum.translation, &mut moved.translation);
        select(is_moved, sum.rotation, &mut moved.rotation);
        select(is_moved, sum.scale, &mut moved.scale);
        moved.store(out);
    }
}

/// Sums of huge numbers stay numbers.
#[inline(always)]
fn in_range<S: Simd>(number: f32x8<S>) -> f32x8<S> {
    let simd = number.token();
    let largest = f32x8::splat(simd, LARGEST);
    number.min(largest).max(-largest)
}
