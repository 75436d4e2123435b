//! The instruction sets of this machine.

use std::sync::Once;

use fearless_simd::{Level, Simd as _};

/// The levels that kernels are compiled for and the CPU has; says once which were compared. At least two where the
/// CPU is younger than 2013.
#[expect(clippy::print_stderr, reason = "which levels were compared depends on the machine")]
pub(crate) fn levels(kernel: &str) -> Vec<(&'static str, Level)> {
    static SAID: Once = Once::new();
    let mut levels = Vec::new();
    #[cfg(any(canter_scalar, not(target_arch = "x86_64")))]
    levels.push(("scalar", Level::fallback()));
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(best.as_sse2().map(|token| ("SSE2", token.level())));
        levels.extend(best.as_avx2().map(|token| ("AVX2", token.level())));
    }
    #[cfg(target_arch = "aarch64")]
    levels.extend(best.as_neon().map(|token| ("NEON", token.level())));
    SAID.call_once(|| {
        let names: Vec<_> = levels.iter().map(|(name, _)| *name).collect();
        eprintln!("compared bit for bit, first in {kernel}: {}", names.join(", "));
    });
    levels
}
