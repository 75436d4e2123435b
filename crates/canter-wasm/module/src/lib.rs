//! Links the module: its exports are those of `canter-wasm`.
//!
//! A crate of its own, because the crate that is linked says how the whole module is optimised: the exports
//! are small when they are compiled for size, but the kernels are fast only where loops may be unrolled at
//! the end.

extern crate canter_wasm as _;
#[cfg(target_family = "wasm")]
use log as _;
