//! From many inputs to many outputs: batches, threads, manifests.
//!
//! An input in flight is a lane. A thread takes whatever step is ready: cleaning a split of
//! an input, or of one that is read in one piece processing a batch or reading the next one, or
//! opening the next input. What a lane has in memory is bounded; its rows are written in input order.

mod batch;
mod frequency;
mod inputs;
mod lane;
mod manifest;
mod output;
mod positioned;
mod progress;
mod run;
mod tally;
mod turns;
mod worker;

pub use frequency::{CountedInput, FrequencyOptions, FrequencySummary, count_frequencies};
pub use inputs::{Input, InputKind, list_inputs, shard};
pub use manifest::{InputStamp, ManifestRow, Recipe, Status};
pub use output::OutputFolder;
pub use progress::Progress;
pub use run::{FailedInput, RunOptions, Summary, clean};
pub use tally::{PageTally, SkippedPage};
#[cfg(feature = "train")]
pub(crate) use worker::guarded;

/// Version of this program, part of what outputs depend on.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
