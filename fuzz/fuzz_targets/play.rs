//! A file, then anything that can be done to a mixer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| canter_fuzz_bodies::play(data));
