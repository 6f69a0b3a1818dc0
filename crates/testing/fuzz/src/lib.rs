//! What a fuzzer calls: every reader of foreign bytes, with what must hold for any input.
//!
//! A target is a file of `targets/` and a name in [`for_each_target`], from which all else follows:
//! [`TARGETS`], the test of this crate, which runs each over its seeds, over mutations of them, and
//! over inputs that once failed (`found/NAME/`), and the program in `fuzz/`, in which libFuzzer runs
//! the one that the environment names (`make fuzz`).

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

/// Lets panics that are caught and reported, as those of the Parquet library are, go on in silence.
/// The hook of a fuzzer would end the program at any.
pub fn allow_caught_panics() {
    let end = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !warcsieve_common::panics::is_caught() {
            end(panic);
        }
    }));
}
