//! Arbitrary bytes as a mesh that Draco compressed.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| canter_fuzz_bodies::draco(data));
