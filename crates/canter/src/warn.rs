//! Warnings that are told once.

/// Logs a warning the first time that this line is reached: what goes wrong in one frame goes wrong in all.
macro_rules! warn_once {
    ($($message:tt)+) => {{
        static IS_TOLD: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
        if !IS_TOLD.swap(true, std::sync::atomic::Ordering::Relaxed) {
            log::warn!($($message)+);
        }
    }};
}

pub(crate) use warn_once;
