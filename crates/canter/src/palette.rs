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
    use fearless_simd::{Simd, f32x4, prelude::*};
    use glam::Mat4;

    use crate::mat3x4::{Mat3x4, RowLanes};

    /// Writes a matrix that was calculated as three rows.
    pub trait FromRows {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "the trait is sealed")]
        fn write<S: Simd>(&mut self, simd: S, rows: RowLanes<S>);

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
}
