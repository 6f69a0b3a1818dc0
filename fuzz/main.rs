//! The program of libFuzzer for all targets: it runs the one that `WARCSIEVE_FUZZ` names.

#![no_main]

use std::sync::LazyLock;
use warcsieve_fuzz::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("WARCSIEVE_FUZZ").unwrap_or_default();
    warcsieve_fuzz::target(&name).unwrap_or_else(|| {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        panic!(
            "WARCSIEVE_FUZZ names no target; there are {}",
            names.join(", ")
        )
    })
});

libfuzzer_sys::fuzz_target!(
    init: {
        LazyLock::force(&TARGET);
        warcsieve_fuzz::allow_caught_panics();
    },
    |input: &[u8]| TARGET.run(input)
);
