#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| warcsieve_fuzz::targets::experiment::TARGET.run(input));
