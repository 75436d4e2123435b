//! Transposes matrices in registers.

use fearless_simd::{Simd, f32x8, prelude::*};

/// Eight rows of four, two in a register, as four columns. Rows from the lower halves come first.
#[inline(always)]
pub(super) fn columns<S: Simd>(rows: [f32x8<S>; 4]) -> [f32x8<S>; 4] {
    let [(a, e), (b, f), (c, g), (d, h)] =
        [rows[0].split(), rows[1].split(), rows[2].split(), rows[3].split()];
    let ((ac, ac_high), (bd, bd_high)) = (a.interleave(c), b.interleave(d));
    let ((eg, eg_high), (fh, fh_high)) = (e.interleave(g), f.interleave(h));
    let ((low_x, low_y), (low_z, low_w)) = (ac.interleave(bd), ac_high.interleave(bd_high));
    let ((high_x, high_y), (high_z, high_w)) = (eg.interleave(fh), eg_high.interleave(fh_high));
    [low_x.combine(high_x), low_y.combine(high_y), low_z.combine(high_z), low_w.combine(high_w)]
}

/// The same in AVX2 with half of the instructions: the portable ones do not interleave both halves of a
/// register at once.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use std::arch::x86_64::{__m256, _mm256_unpackhi_ps, _mm256_unpacklo_ps};

    use fearless_simd::{Avx2, f32x8, prelude::*};

    #[inline(always)]
    pub(crate) fn columns(rows: [f32x8<Avx2>; 4]) -> [f32x8<Avx2>; 4] {
        let avx2 = rows[0].token();
        let [a, b, c, d] = rows;
        let [a, b, c, d] = unpack(avx2, a.into(), b.into(), c.into(), d.into());
        [a.simd_into(avx2), b.simd_into(avx2), c.simd_into(avx2), d.simd_into(avx2)]
    }

    fearless_simd::kernel!(
        #[inline(always)]
        fn unpack(avx2: Avx2, a: __m256, b: __m256, c: __m256, d: __m256) -> [__m256; 4] {
            let (ac_low, ac_high) = (_mm256_unpacklo_ps(a, c), _mm256_unpackhi_ps(a, c));
            let (bd_low, bd_high) = (_mm256_unpacklo_ps(b, d), _mm256_unpackhi_ps(b, d));
            [
                _mm256_unpacklo_ps(ac_low, bd_low),
                _mm256_unpackhi_ps(ac_low, bd_low),
                _mm256_unpacklo_ps(ac_high, bd_high),
                _mm256_unpackhi_ps(ac_high, bd_high),
            ]
        }
    );
}
