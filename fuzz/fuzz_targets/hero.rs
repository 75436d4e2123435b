//! The hero with parts of its JSON and its numbers changed.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| canter_fuzz_bodies::hero(data));
