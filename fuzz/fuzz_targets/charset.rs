#![no_main]

libfuzzer_sys::fuzz_target!(
    init: warcsieve_fuzz::allow_caught_panics(),
    |input: &[u8]| warcsieve_fuzz::targets::charset::TARGET.run(input)
);
