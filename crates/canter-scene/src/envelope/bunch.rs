//! The boxes of a joint that has many.

use canter::Mat3x4;
use canter::glam::Vec4;
use fearless_simd::{Simd, f32x8, prelude::*};

use super::octet::{Extremes, LANES, eight, load};
use super::{JointBox, Region};

/// Boxes of one joint, eight at a time: its matrix is in all lanes, and nothing has to be turned.
#[derive(Clone, Debug)]
pub(super) struct Bunch {
    joint: usize,
    boxes: Vec<Eight>,
}

/// Centers and half sizes, axis by axis.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Eight {
    centers: [[f32; LANES]; 3],
    halves: [[f32; LANES]; 3],
}

impl Bunch {
    /// Boxes of the same joint, as many as there are.
    pub(super) fn new(joint: usize, boxes: &[JointBox]) -> Self {
        let eights = boxes.chunks(LANES).map(|some| Eight::new(eight(some).map(|part| part.region)));
        Self { joint, boxes: eights.collect() }
    }

    /// Adds the extremes of x, y and z.
    #[inline(always)]
    pub(super) fn add_to<S: Simd>(&self, simd: S, [x, y, z]: &mut Extremes<S>, joints: &[Mat3x4]) {
        let rows = &joints[self.joint].rows;
        self.add_along(simd, x, &rows[0]);
        self.add_along(simd, y, &rows[1]);
        self.add_along(simd, z, &rows[2]);
    }

    #[inline(always)]
    fn add_along<S: Simd>(
        &self,
        simd: S,
        (least, most): &mut (f32x8<S>, f32x8<S>),
        &[x, y, z, translation]: &[f32; 4],
    ) {
        let (x, y, z) = (f32x8::splat(simd, x), f32x8::splat(simd, y), f32x8::splat(simd, z));
        let translation = f32x8::splat(simd, translation);
        for Eight { centers: [cx, cy, cz], halves: [hx, hy, hz] } in &self.boxes {
            let center = (x * load(simd, cx) + y * load(simd, cy)) + (z * load(simd, cz) + translation);
            let half = (x.abs() * load(simd, hx) + y.abs() * load(simd, hy)) + z.abs() * load(simd, hz);
            *least = least.min(center - half);
            *most = most.max(center + half);
        }
    }
}

impl Eight {
    fn new(regions: [Region; LANES]) -> Self {
        let spread = |axis: usize, of: fn(&Region) -> Vec4| regions.map(|region| of(&region)[axis]);
        Self {
            centers: [0, 1, 2].map(|axis| spread(axis, |region| region.center)),
            halves: [0, 1, 2].map(|axis| spread(axis, |region| region.half)),
        }
    }
}
