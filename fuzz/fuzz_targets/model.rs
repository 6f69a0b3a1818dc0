#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| warcsieve_fuzz::targets::model::TARGET.run(input));
