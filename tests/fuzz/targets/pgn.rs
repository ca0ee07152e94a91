//! See `camelot_fuzz::pgn`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| camelot_fuzz::pgn(data));
