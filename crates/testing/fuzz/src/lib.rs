//! What a fuzzer calls: every reader of foreign bytes, with what must hold for any input.
//!
//! A target is a file of `targets/` and a row of [`TARGETS`]. libFuzzer runs them from `fuzz/`
//! (`make fuzz`, or `cargo fuzz run NAME`); the test of this crate runs each over its seeds, over
//! mutations of them, and over inputs that once failed (`found/NAME/`).

#![allow(clippy::unwrap_used, reason = "a panic is how a finding is reported")]

mod digest;
pub mod mutate;
pub mod seeds;
mod target;
pub mod targets;

pub use target::Target;
pub use targets::TARGETS;

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
