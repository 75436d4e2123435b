//! A small file whose accessors and views say anything.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| canter_fuzz_bodies::accessor(data));
