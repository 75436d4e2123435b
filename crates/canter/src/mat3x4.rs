//! The affine matrix that everything is calculated with: three rows of four.

use fearless_simd::{Simd, f32x4, f32x8, mask32x8, prelude::*, u8x16, u8x32};
use glam::{Mat4, Vec3, Vec4};

/// An affine matrix as three rows of four numbers, 48 bytes: the packed palette's format.
///
/// Row `i` holds what makes component `i` of a transformed point: three factors and the translation. The
/// fourth row of the matrix is always 0, 0, 0, 1 and is not stored. In WGSL: `dot(rows[i], vec4(position,
/// 1.0))`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C, align(16))]
pub struct Mat3x4 {
    /// The rows, from the one for x to the one for z.
    pub rows: [[f32; 4]; 3],
}

impl Mat3x4 {
    /// Leaves every point where it is.
    pub const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// The upper three rows of a matrix, whose fourth is taken to be 0, 0, 0, 1.
    #[must_use]
    pub fn from_mat4(matrix: Mat4) -> Self {
        Self { rows: [matrix.row(0), matrix.row(1), matrix.row(2)].map(|row| row.to_array()) }
    }

    /// The same as a matrix of four columns.
    #[must_use]
    pub fn to_mat4(self) -> Mat4 {
        let [x, y, z] = self.rows.map(Vec4::from_array);
        Mat4::from_cols(x, y, z, Vec4::W).transpose()
    }

    /// Where the matrix takes a point.
    #[must_use]
    #[inline]
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let point = point.extend(1.0);
        Vec3::from_array(self.rows.map(|row| Vec4::from_array(row).dot(point)))
    }

    #[inline(always)]
    pub(crate) fn store<S: Simd>(&mut self, rows: RowLanes<S>) {
        let (upper, lower) = self.rows.as_flattened_mut().split_at_mut(8);
        upper.copy_from_slice(&*rows.upper);
        lower.copy_from_slice(&*rows.lower);
    }
}

/// Two matrices in registers.
#[derive(Clone, Copy)]
pub(crate) struct PairLanes<S: Simd> {
    /// The rows for x and y of each.
    upper: [f32x8<S>; 2],
    /// The rows for z of both.
    lower: f32x8<S>,
}

impl<S: Simd> PairLanes<S> {
    /// One after the other.
    #[inline(always)]
    pub(crate) fn split(self) -> [RowLanes<S>; 2] {
        let (first, second) = self.lower.split();
        [RowLanes { upper: self.upper[0], lower: first }, RowLanes { upper: self.upper[1], lower: second }]
    }
}

impl<S: Simd> RowLanes<S> {
    #[inline(always)]
    pub(crate) fn load(simd: S, matrix: &Mat3x4) -> Self {
        let upper = f32x8::from_slice(simd, &matrix.rows.as_flattened()[..8]);
        Self { upper, lower: load(simd, &matrix.rows[2]) }
    }
}

/// A matrix in registers.
#[derive(Clone, Copy)]
pub(crate) struct RowLanes<S: Simd> {
    /// The rows for x and y.
    pub(crate) upper: f32x8<S>,
    /// The row for z.
    pub(crate) lower: f32x4<S>,
}

impl Default for Mat3x4 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// `left * right`, a row at a time: each row of the product is a mix of the rows of `right`.
// Spelled out, here and above: `array::map` is not always inlined, and what is not inlined into a kernel is
// not compiled for its instruction set.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(simd: S, left: &Mat3x4, right: [&[f32; 4]; 3]) -> RowLanes<S> {
    let [x, y, z] = &left.rows;
    if const { S::f32s::LEN >= 8 } {
        return RowLanes { upper: multiply_upper(simd, left, right), lower: mix(simd, z, right) };
    }
    let [x, y, z] = [load(simd, x), load(simd, y), load(simd, z)];
    RowLanes { upper: mix_loaded(x, right).combine(mix_loaded(y, right)), lower: mix_loaded(z, right) }
}

/// The same of a matrix that is in registers already.
#[inline(always)]
pub(crate) fn multiply_rows<S: Simd>(simd: S, left: RowLanes<S>, right: [&[f32; 4]; 3]) -> RowLanes<S> {
    let lower = mix_loaded(left.lower, right);
    if const { S::f32s::LEN >= 8 } {
        let twice =
            [both(simd, right[0], right[0]), both(simd, right[1], right[1]), both(simd, right[2], right[2])];
        return RowLanes { upper: mix_in_blocks(simd, left.upper, twice), lower };
    }
    let (x, y) = left.upper.split();
    RowLanes { upper: mix_loaded(x, right).combine(mix_loaded(y, right)), lower }
}

/// The same operations as those of [`mix`], with factors that are loaded at once: browsers need an instruction more for each
/// that is loaded into all lanes. They are not named one by one, since the compiler would load them so.
#[inline(always)]
fn mix_loaded<S: Simd>(factors: f32x4<S>, rows: [&[f32; 4]; 3]) -> f32x4<S> {
    let simd = factors.token();
    let (twice_xy, twice_zw) = (factors.zip_low(factors), factors.zip_high(factors));
    let (x, y) = (twice_xy.zip_low(twice_xy), twice_xy.zip_high(twice_xy));
    let z = twice_zw.zip_low(twice_zw);
    let translation = f32x4::splat(simd, 0.0).slide::<1>(twice_zw.zip_high(twice_zw));
    (load(simd, rows[0]) * x + load(simd, rows[1]) * y) + (load(simd, rows[2]) * z + translation)
}

#[inline(always)]
fn mix<S: Simd>(simd: S, factors: &[f32; 4], rows: [&[f32; 4]; 3]) -> f32x4<S> {
    let rows = [load(simd, rows[0]), load(simd, rows[1]), load(simd, rows[2])];
    let translation = load(simd, &[0.0, 0.0, 0.0, factors[3]]);
    (rows[0] * factors[0] + rows[1] * factors[1]) + (rows[2] * factors[2] + translation)
}

/// Two products at once: the same operations in the same order, with the last rows of both in a register.
#[inline(always)]
pub(crate) fn multiply_pair<S: Simd>(simd: S, left: [&Mat3x4; 2], right: &[Mat3x4; 2]) -> PairLanes<S> {
    let [first, second] = [right[0].rows.each_ref(), right[1].rows.each_ref()];
    let upper = [multiply_upper(simd, left[0], first), multiply_upper(simd, left[1], second)];
    let last = both(simd, &left[0].rows[2], &left[1].rows[2]);
    let rows =
        [both(simd, first[0], second[0]), both(simd, first[1], second[1]), both(simd, first[2], second[2])];
    PairLanes { upper, lower: mix_in_blocks(simd, last, rows) }
}

/// The same operations in the same order, two rows in a register: a quarter fewer instructions.
#[inline(always)]
fn multiply_upper<S: Simd>(simd: S, left: &Mat3x4, right: [&[f32; 4]; 3]) -> f32x8<S> {
    let factors = f32x8::from_slice(simd, &left.rows.as_flattened()[..8]);
    let twice =
        [both(simd, right[0], right[0]), both(simd, right[1], right[1]), both(simd, right[2], right[2])];
    mix_in_blocks(simd, factors, twice)
}

#[inline(always)]
fn load<S: Simd>(simd: S, row: &[f32; 4]) -> f32x4<S> {
    f32x4::simd_from(simd, *row)
}

/// Two rows in a register.
#[inline(always)]
fn both<S: Simd>(simd: S, first: &[f32; 4], second: &[f32; 4]) -> f32x8<S> {
    load(simd, first).combine(load(simd, second))
}

/// A row of factors in each block of four, which mix the rows of that block.
#[inline(always)]
fn mix_in_blocks<S: Simd>(simd: S, factors: f32x8<S>, rows: [f32x8<S>; 3]) -> f32x8<S> {
    let (x, y, z) = (in_blocks::<S, 0>(factors), in_blocks::<S, 1>(factors), in_blocks::<S, 2>(factors));
    let is_last = mask32x8::simd_from(simd, [0, 0, 0, -1, 0, 0, 0, -1]);
    let translation = is_last.select(factors, f32x8::splat(simd, 0.0));
    (rows[0] * x + rows[1] * y) + (rows[2] * z + translation)
}

/// Number `I` of each block of four, in all four places of the block.
#[inline(always)]
fn in_blocks<S: Simd, const I: u8>(numbers: f32x8<S>) -> f32x8<S> {
    let [a, b, c, d] = [4 * I, 4 * I + 1, 4 * I + 2, 4 * I + 3];
    let block = [a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d];
    numbers.swizzle_dyn_within_blocks(u8x32::block_splat(u8x16::simd_from(numbers.token(), block)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_48_bytes_of_rows() {
        assert_eq!(size_of::<Mat3x4>(), 48);
        let matrix = Mat4::from_cols_array(&[
            1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0, 7.0, 8.0, 9.0, 0.0, 10.0, 11.0, 12.0, 1.0,
        ]);
        let packed = Mat3x4::from_mat4(matrix);
        assert_eq!(packed.rows, [[1.0, 4.0, 7.0, 10.0], [2.0, 5.0, 8.0, 11.0], [3.0, 6.0, 9.0, 12.0]]);
        assert_eq!(packed.to_mat4(), matrix);
        let point = Vec3::new(1.0, -2.0, 0.5);
        assert_eq!(packed.transform_point(point), matrix.transform_point3(point));
    }
}
