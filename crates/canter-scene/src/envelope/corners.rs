//! A box while it is calculated, in registers.

use canter::Mat3x4;
use canter::glam::Vec3;
use fearless_simd::{Simd, f32x4, prelude::*};

use super::Region;
use crate::bounds::Bounds;

/// The least and the greatest x, y and z of a box; the fourth numbers mean nothing.
#[derive(Clone, Copy)]
pub(super) struct Corners<S: Simd> {
    min: f32x4<S>,
    max: f32x4<S>,
}

impl<S: Simd> Corners<S> {
    pub(super) fn of(simd: S, bounds: &Bounds) -> Self {
        let corner = |corner: Vec3| f32x4::simd_from(simd, corner.extend(0.0).to_array());
        Self { min: corner(bounds.min), max: corner(bounds.max) }
    }

    /// Around four numbers of x, of y and of z each: the least and the greatest of them.
    #[inline(always)]
    pub(super) fn across([x, y, z]: [(f32x4<S>, f32x4<S>); 3]) -> Self {
        let turned = |x: f32x4<S>, y: f32x4<S>, z: f32x4<S>| {
            let ((xz, xz_high), (yz, yz_high)) = (x.interleave(z), y.interleave(z));
            (xz.interleave(yz), xz_high.interleave(yz_high))
        };
        let ((a, b), (c, d)) = turned(x.0, y.0, z.0);
        let min = a.min(b).min(c.min(d));
        let ((a, b), (c, d)) = turned(x.1, y.1, z.1);
        let max = a.max(b).max(c.max(d));
        Self { min, max }
    }

    /// Around a region where a matrix takes it.
    #[inline(always)]
    pub(super) fn under(simd: S, region: &Region, matrix: &Mat3x4) -> Self {
        let region_center = f32x4::simd_from(simd, region.center.to_array());
        let region_half = f32x4::simd_from(simd, region.half.to_array());
        let [x, y, z] = &matrix.rows;
        let (x, y, z) = (f32x4::simd_from(simd, *x), f32x4::simd_from(simd, *y), f32x4::simd_from(simd, *z));
        let center = sums(x * region_center, y * region_center, z * region_center);
        let half = sums(x.abs() * region_half, y.abs() * region_half, z.abs() * region_half);
        Self { min: center - half, max: center + half }
    }

    #[inline(always)]
    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// With more room on all sides.
    #[inline(always)]
    pub(super) fn grown(self, room: f32x4<S>) -> Self {
        Self { min: self.min - room, max: self.max + room }
    }

    /// With as much more room as a part of its distance from the origin.
    #[inline(always)]
    pub(super) fn loose(self, slack: f32) -> Self {
        self.grown(self.min.abs().max(self.max.abs()) * slack)
    }

    /// The box, or all that there is on axes where numbers were too large to be calculated with.
    #[inline(always)]
    pub(super) fn bounds(self) -> Bounds {
        let (min, max) = (self.min, self.max);
        let bounds =
            Bounds { min: Vec3::new(min[0], min[1], min[2]), max: Vec3::new(max[0], max[1], max[2]) };
        // Infinite numbers times zero are not zero.
        if ((min + max) * 0.0).simd_eq(0.0).all_true() { bounds } else { bounds.without_overflow() }
    }
}

/// The sum of the numbers in each; the fourth one means nothing.
#[inline(always)]
pub(super) fn sums<S: Simd>(x: f32x4<S>, y: f32x4<S>, z: f32x4<S>) -> f32x4<S> {
    let ((xz, xz_high), (yz, yz_high)) = (x.interleave(z), y.interleave(z));
    let (even, odd) = (xz + xz_high).interleave(yz + yz_high);
    even + odd
}
