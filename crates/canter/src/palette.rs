//! The two formats of a palette's matrices.

use glam::Mat4;

use crate::mat3x4::Mat3x4;

/// A matrix that a palette can be made of.
///
/// | type | bytes | layout | in WGSL |
/// |---|---|---|---|
/// | [`Mat4`] | 64 | four columns of four `f32`; the fourth row is 0, 0, 0, 1 | `mat4x4<f32>` |
/// | [`Mat3x4`] | 48 | three rows of four `f32`; the fourth row is left out | `array<vec4<f32>, 3>` |
///
/// Both have no padding, so a slice of them is uploaded as it is (with the feature `bytemuck`:
/// `bytemuck::cast_slice(&palette)`).
pub trait PaletteMatrix: Copy + Send + Sync + sealed::FromRows {
    /// Leaves every point where it is.
    const IDENTITY: Self;
}

impl PaletteMatrix for Mat4 {
    const IDENTITY: Self = Self::IDENTITY;
}

impl PaletteMatrix for Mat3x4 {
    const IDENTITY: Self = Self::IDENTITY;
}

pub(crate) mod sealed {
    use fearless_simd::{Simd, f32x4, f32x8, prelude::*};
    use glam::Mat4;

    use crate::mat3x4::{Mat3x4, RowLanes};
    use crate::pose::LANES;
    use crate::pose::lanes::transpose_in_blocks;

    /// Writes a matrix that was calculated as three rows.
    pub trait FromRows {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "the trait is sealed")]
        fn write<S: Simd>(&mut self, simd: S, rows: RowLanes<S>);

        /// Writes eight matrices that were calculated number by number.
        #[doc(hidden)]
        fn write_lanes<S: Simd>(matrices: [&mut Self; LANES], rows: [[f32x8<S>; 4]; 3])
        where
            Self: Sized;

        #[doc(hidden)]
        fn from_rows(rows: &Mat3x4) -> Self;

        #[doc(hidden)]
        fn numbers(&self) -> &[f32];

        #[doc(hidden)]
        fn numbers_mut(&mut self) -> &mut [f32];
    }

    impl FromRows for Mat4 {
        #[inline(always)]
        #[expect(private_interfaces, reason = "the trait is sealed")]
        fn write<S: Simd>(&mut self, simd: S, rows: RowLanes<S>) {
            let ((x, y), z) = (rows.upper.split(), rows.lower);
            let last = f32x4::simd_from(simd, [0.0, 0.0, 0.0, 1.0]);
            let columns: &mut [f32; 16] = self.as_mut();
            f32x4::store_four_interleaved([x, y, z, last], columns);
        }

        #[inline(always)]
        fn write_lanes<S: Simd>(mut matrices: [&mut Self; LANES], rows: [[f32x8<S>; 4]; 3]) {
            let simd = rows[0][0].token();
            let last = [f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0)];
            for column in 0..4 {
                let numbers = [rows[0][column], rows[1][column], rows[2][column], last[column / 3]];
                write_fours(&mut matrices, numbers, |matrix| {
                    let columns: &mut [f32; 16] = matrix.as_mut();
                    columns[4 * column..].first_chunk_mut().expect("a matrix has 16 numbers")
                });
            }
        }

        fn from_rows(rows: &Mat3x4) -> Self {
            rows.to_mat4()
        }

        #[inline(always)]
        fn numbers(&self) -> &[f32] {
            let columns: &[f32; 16] = self.as_ref();
            columns
        }

        #[inline(always)]
        fn numbers_mut(&mut self) -> &mut [f32] {
            let columns: &mut [f32; 16] = self.as_mut();
            columns
        }
    }

    impl FromRows for Mat3x4 {
        #[inline(always)]
        #[expect(private_interfaces, reason = "the trait is sealed")]
        fn write<S: Simd>(&mut self, _simd: S, rows: RowLanes<S>) {
            self.store(rows);
        }

        #[inline(always)]
        fn write_lanes<S: Simd>(mut matrices: [&mut Self; LANES], rows: [[f32x8<S>; 4]; 3]) {
            for (row, numbers) in rows.into_iter().enumerate() {
                write_fours(&mut matrices, numbers, |matrix| &mut matrix.rows[row]);
            }
        }

        fn from_rows(rows: &Mat3x4) -> Self {
            *rows
        }

        #[inline(always)]
        fn numbers(&self) -> &[f32] {
            self.rows.as_flattened()
        }

        #[inline(always)]
        fn numbers_mut(&mut self) -> &mut [f32] {
            self.rows.as_flattened_mut()
        }
    }

    /// Writes four numbers of each of eight matrices.
    #[inline(always)]
    fn write_fours<S: Simd, M>(
        matrices: &mut [&mut M; LANES],
        numbers: [f32x8<S>; 4],
        place: impl Fn(&mut M) -> &mut [f32; 4],
    ) {
        let fours = transpose_in_blocks(numbers);
        for lane in 0..4 {
            let (low, high) = fours[lane].split();
            *place(matrices[lane]) = *low;
            *place(matrices[lane + 4]) = *high;
        }
    }
}
