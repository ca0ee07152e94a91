//! See `camelot_fuzz::action`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| camelot_fuzz::action(data));
