//! Arbitrary bytes as a file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| canter_fuzz_bodies::bytes(data));
