//! Eight boxes of joints at once, in registers.

use canter::Mat3x4;
use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

use super::Region;

pub(super) const LANES: usize = 8;
/// A box that needs more room than this in relation to its distance from the origin is calculated by itself.
pub(super) const MOST_SLACK: f32 = 1e-3;

/// Eight boxes.
///
/// What two matrices consist of is read as it lies in memory, in three registers: x and y of the first; its z, and x of the
/// second; y and z of the second. The numbers of the boxes lie likewise.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Octet {
    centers: Spread,
    halves: Spread,
}

/// Three numbers of each of eight things, by axis and register.
pub(super) type Spread = [[[f32; LANES]; 3]; 3];

/// The least and the greatest numbers, in each of the three registers.
pub(super) type Extremes<S> = [(f32x8<S>, f32x8<S>); 3];

/// Turns rows into columns.
pub(super) trait Turn<S: Simd>: Fn([f32x8<S>; 4]) -> [f32x8<S>; 4] + Copy {}

impl<S: Simd, F: Fn([f32x8<S>; 4]) -> [f32x8<S>; 4] + Copy> Turn<S> for F {}

impl Octet {
    pub(super) fn new(regions: [Region; LANES]) -> Self {
        Self {
            centers: spread(|lane, axis| regions[lane].center[axis]),
            halves: spread(|lane, axis| regions[lane].half[axis]),
        }
    }

    /// The least and the greatest coordinates of each box: x and y of the first, third, fifth and seventh; their z, and x of
    /// the second and so on; y and z of those.
    #[inline(always)]
    pub(super) fn extents<S: Simd>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        matrices: [&Mat3x4; LANES],
    ) -> Extremes<S> {
        [
            self.part::<S, 0>(simd, columns(part_of_rows::<S, 0>(simd, matrices))),
            self.part::<S, 1>(simd, columns(part_of_rows::<S, 1>(simd, matrices))),
            self.part::<S, 2>(simd, columns(part_of_rows::<S, 2>(simd, matrices))),
        ]
    }

    /// Adds one of the three registers of its extents.
    #[inline(always)]
    pub(super) fn add_part<S: Simd, const PART: usize>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        matrices: [&Mat3x4; LANES],
        extremes: &mut Extremes<S>,
    ) {
        let (least, most) = self.part::<S, PART>(simd, columns(part_of_rows::<S, PART>(simd, matrices)));
        extremes[PART] = (extremes[PART].0.min(least), extremes[PART].1.max(most));
    }

    #[inline(always)]
    fn part<S: Simd, const PART: usize>(
        &self,
        simd: S,
        [x, y, z, translation]: [f32x8<S>; 4],
    ) -> (f32x8<S>, f32x8<S>) {
        let [cx, cy, cz] = &self.centers;
        let [hx, hy, hz] = &self.halves;
        let center = (x * load(simd, &cx[PART]) + y * load(simd, &cy[PART]))
            + (z * load(simd, &cz[PART]) + translation);
        let half = (x.abs() * load(simd, &hx[PART]) + y.abs() * load(simd, &hy[PART]))
            + z.abs() * load(simd, &hz[PART]);
        (center - half, center + half)
    }
}

/// Numbers by lane and axis, as the rows of matrices lie in registers.
pub(super) fn spread(number: impl Fn(usize, usize) -> f32) -> Spread {
    [0, 1, 2].map(|axis| by_part(|lane| number(lane, axis)))
}

/// A number of each lane, as it has to lie in each of the three registers.
pub(super) fn by_part(number: impl Fn(usize) -> f32) -> [[f32; LANES]; 3] {
    [[0, 0], [0, 1], [1, 1]]
        .map(|of_pair| std::array::from_fn(|place| number(2 * (place % 4) + of_pair[place / 4])))
}

/// Eight matrices: four times the first register of a pair, the second, the third.
#[inline(always)]
pub(super) fn rows<S: Simd>(simd: S, matrices: [&Mat3x4; LANES]) -> [[f32x8<S>; 4]; 3] {
    [
        part_of_rows::<S, 0>(simd, matrices),
        part_of_rows::<S, 1>(simd, matrices),
        part_of_rows::<S, 2>(simd, matrices),
    ]
}

#[inline(always)]
fn part_of_rows<S: Simd, const PART: usize>(
    simd: S,
    [a, b, c, d, e, f, g, h]: [&Mat3x4; LANES],
) -> [f32x8<S>; 4] {
    [
        part_of_pair::<S, PART>(simd, a, b),
        part_of_pair::<S, PART>(simd, c, d),
        part_of_pair::<S, PART>(simd, e, f),
        part_of_pair::<S, PART>(simd, g, h),
    ]
}

#[inline(always)]
pub(super) fn widen<S: Simd>(extremes: &mut Extremes<S>, by: Extremes<S>) {
    for ((least, most), (other_least, other_most)) in extremes.iter_mut().zip(by) {
        *least = least.min(other_least);
        *most = most.max(other_most);
    }
}

/// The least and the greatest x, y and z of the three registers, four of each.
#[inline(always)]
pub(super) fn by_axis<S: Simd>(extremes: Extremes<S>) -> [(f32x4<S>, f32x4<S>); 3] {
    let [(xy_min, xy_max), (zx_min, zx_max), (yz_min, yz_max)] = extremes;
    let ((x, y), (z, other_x), (other_y, other_z)) = (xy_min.split(), zx_min.split(), yz_min.split());
    let (x_min, y_min, z_min) = (x.min(other_x), y.min(other_y), z.min(other_z));
    let ((x, y), (z, other_x), (other_y, other_z)) = (xy_max.split(), zx_max.split(), yz_max.split());
    let (x_max, y_max, z_max) = (x.max(other_x), y.max(other_y), z.max(other_z));
    [(x_min, x_max), (y_min, y_max), (z_min, z_max)]
}

/// Matrices here and there.
#[inline(always)]
pub(super) fn chosen<'a>(
    joints: &'a [Mat3x4],
    [a, b, c, d, e, f, g, h]: &[usize; LANES],
) -> [&'a Mat3x4; LANES] {
    // Spelled out: `array::map` is not always inlined.
    let [a, b, c, d] = [&joints[*a], &joints[*b], &joints[*c], &joints[*d]];
    let [e, f, g, h] = [&joints[*e], &joints[*f], &joints[*g], &joints[*h]];
    [a, b, c, d, e, f, g, h]
}

/// Eight things: lanes that are left over repeat one.
pub(super) fn eight<T: Copy>(few: &[T]) -> [T; LANES] {
    std::array::from_fn(|lane| few[lane.min(few.len() - 1)])
}

/// One of the three registers that two matrices are.
#[inline(always)]
fn part_of_pair<S: Simd, const PART: usize>(simd: S, first: &Mat3x4, second: &Mat3x4) -> f32x8<S> {
    match PART {
        0 => f32x8::from_slice(simd, &first.rows.as_flattened()[..8]),
        1 => f32x4::simd_from(simd, first.rows[2]).combine(f32x4::simd_from(simd, second.rows[0])),
        _ => f32x8::from_slice(simd, &second.rows.as_flattened()[4..]),
    }
}

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, numbers: &[f32; LANES]) -> f32x8<S> {
    f32x8::simd_from(simd, *numbers)
}
