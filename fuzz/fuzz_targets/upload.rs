#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dacapo_fuzz::upload::check(data));
