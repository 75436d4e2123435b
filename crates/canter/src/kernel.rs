//! Runs kernels in the best instruction set of the machine.
//!
//! The module of the npm package is compiled for size, but for the functions that are marked with
//! `optimize(speed)` where `canter_web` is set: the kernels, and what finds their rows. They would take twice
//! the time.

/// Runs a kernel that is generic over `Simd` in the instruction set of a level.
///
/// On x86-64 only AVX2 and SSE2 are told apart: kernels are lanes of eight numbers, for which SSE4.2 and
/// AVX-512 gain next to nothing, and each further instruction set is compiled once more in every program that
/// uses Canter.
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
        // What WebAssembly can do is known when it is compiled.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        {
            let fearless_simd::Level::WasmSimd128($simd) = level else { unreachable!("a level beside SIMD128") };
            $kernel
        }
        #[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
        {
            let fearless_simd::Level::Fallback($simd) = level else { unreachable!("a level beside numbers") };
            $kernel
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
        {
            fearless_simd::dispatch!(level, $simd => $kernel)
        }
    }};
}

/// The scalar twin. Every x86-64 has SSE2, and the module without SIMD, whose lanes are single numbers, is compared with
/// the native build by the tests of the npm package. The compiler takes many minutes for it, so that unit tests have it
/// only where `canter_scalar` is set; see CONTRIBUTING.md.
#[cfg(all(canter_scalar, test, target_arch = "x86_64"))]
macro_rules! plain {
    ($level:expr, $simd:ident => $kernel:expr) => {{
        let fearless_simd::Level::Fallback($simd) = $level else { unreachable!("a level beside SSE2") };
        $kernel
    }};
}

#[cfg(all(not(all(canter_scalar, test)), target_arch = "x86_64"))]
macro_rules! plain {
    ($level:expr, $simd:ident => $kernel:expr) => {
        unreachable!("every x86-64 has SSE2")
    };
}

/// Whether a kernel is compiled for a use of it, or shared by going through memory. Visitors of a web page
/// wait for its size: there only what is common has its own, and nothing in the build for old browsers, where
/// lanes are single numbers and take ten times the room.
#[inline(always)]
pub(crate) const fn has_own_kernel(is_common: bool) -> bool {
    !cfg!(target_family = "wasm") || (is_common && cfg!(target_feature = "simd128"))
}

/// Whether lanes are single numbers, as in the scalar twin: there the compiler would take minutes for what
/// is written for several widths of integers.
#[inline(always)]
pub(crate) fn is_plain<S: fearless_simd::Simd>(simd: S) -> bool {
    #[cfg(all(canter_scalar, test, target_arch = "x86_64"))]
    return matches!(simd.level(), fearless_simd::Level::Fallback(_));
    #[cfg(not(all(canter_scalar, test, target_arch = "x86_64")))]
    {
        let _ = simd;
        false
    }
}

pub(crate) use dispatch;
#[cfg(target_arch = "x86_64")]
pub(crate) use plain;
