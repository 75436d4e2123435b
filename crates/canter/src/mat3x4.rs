//! The affine matrix that everything is calculated with: three rows of four.

use fearless_simd::{Simd, f32x4, prelude::*};
use glam::{Mat4, Vec3, Vec4};

/// An affine matrix as three rows of four numbers, 48 bytes: the packed palette's format.
///
/// Row `i` holds what makes component `i` of a transformed point: three factors and the translation. The fourth row of
/// the matrix is always 0, 0, 0, 1 and is not stored. In WGSL: `dot(rows[i], vec4(position, 1.0))`.
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
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let point = point.extend(1.0);
        Vec3::from_array(self.rows.map(|row| Vec4::from_array(row).dot(point)))
    }

    #[inline(always)]
    pub(crate) fn load<S: Simd>(&self, simd: S) -> [f32x4<S>; 3] {
        self.rows.map(|row| f32x4::simd_from(simd, row))
    }

    #[inline(always)]
    pub(crate) fn store<S: Simd>(&mut self, rows: [f32x4<S>; 3]) {
        self.rows = rows.map(|row| *row);
    }
}

impl Default for Mat3x4 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// `left * right`, a row at a time: each row of the product is a mix of the rows of `right`.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(simd: S, left: &Mat3x4, right: [f32x4<S>; 3]) -> [f32x4<S>; 3] {
    let last = f32x4::simd_from(simd, [0.0, 0.0, 0.0, 1.0]);
    left.rows.map(|row| {
        let [x, y, z, _] = row;
        let translation = f32x4::simd_from(simd, row) * last;
        (right[0] * x + right[1] * y) + (right[2] * z + translation)
    })
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
