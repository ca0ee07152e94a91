//! See `camelot_fuzz::position`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| camelot_fuzz::position(data));
