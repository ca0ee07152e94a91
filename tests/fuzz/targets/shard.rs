//! See `camelot_fuzz::shard`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| camelot_fuzz::shard(data));
