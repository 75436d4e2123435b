//! Arbitrary bytes as a picture that Basis Universal compressed.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| canter_fuzz_bodies::ktx2(data));
