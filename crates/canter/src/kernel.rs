//! Runs kernels in the best instruction set of the machine.

/// Runs a kernel that is generic over `Simd` in the instruction set of a level.
///
/// On x86-64 only AVX2 and SSE2 are told apart: kernels are lanes of eight numbers, for which SSE4.2 and AVX-512 gain
/// next to nothing, and each further instruction set is compiled once more in every program that uses Canter.
macro_rules! dispatch {
    ($level:expr, $simd:ident => $kernel:expr) => {{
        let level: fearless_simd::Level = $level;
        #[cfg(target_arch = "x86_64")]
        {
            use fearless_simd::Simd as _;
            if let Some($simd) = level.as_avx2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $kernel,
                )
            } else if let Some($simd) = level.as_sse2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $kernel,
                )
            } else {
                $crate::kernel::plain!(level, $simd => $kernel)
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            fearless_simd::dispatch!(level, $simd => $kernel)
        }
    }};
}

/// The scalar twin, which tests compare with; every x86-64 has SSE2.
#[cfg(all(test, target_arch = "x86_64"))]
macro_rules! plain {
    ($level:expr, $simd:ident => $kernel:expr) => {{
        let fearless_simd::Level::Fallback($simd) = $level else { unreachable!("a level beside SSE2") };
        $kernel
    }};
}

#[cfg(all(not(test), target_arch = "x86_64"))]
macro_rules! plain {
    ($level:expr, $simd:ident => $kernel:expr) => {
        unreachable!("every x86-64 has SSE2")
    };
}

pub(crate) use dispatch;
#[cfg(target_arch = "x86_64")]
pub(crate) use plain;
