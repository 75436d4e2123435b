//! Clips from within; what they do for those who use them is in `tests/clip`.

mod fingerprints;
mod layouts;
mod packing;
