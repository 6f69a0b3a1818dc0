//! The functions that a fuzzer calls: every reader of bytes that warcsieve did not write, with the properties that must
//! hold for any input.
//!
//! A target is a file of `targets/` and a name in [`for_each_target`]. Everything else follows from this: [`TARGETS`];
//! the test of this crate, which runs each target on its seeds, on mutations of them, and on inputs that once failed
//! (`found/NAME/`); and the program in `fuzz/`, in which libFuzzer runs the target that the environment names (`make
//! fuzz`).

#![allow(clippy::unwrap_used, reason = "a panic is how a finding is reported")]

mod digest;
pub mod mutate;
pub mod seeds;
mod target;
pub mod targets;

pub use target::Target;
pub use targets::TARGETS;

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Lets panics that are caught and reported, like those of the Parquet library, continue silently. The hook of a fuzzer
/// would end the program at any panic.
pub fn allow_caught_panics() {
    let end = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !warcsieve_common::panics::is_caught() {
            end(panic);
        }
    }));
}
