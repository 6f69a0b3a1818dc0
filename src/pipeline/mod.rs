//! From many inputs to many outputs: batches, threads, manifests.
//!
//! An input in flight is a lane. A thread takes whatever step is ready:
//! processing a batch, reading the next one, opening the next input. What a
//! lane has in memory is bounded by bytes; its rows are written in input order.

mod batch;
mod frequency;
mod inputs;
mod lane;
mod manifest;
mod output;
mod progress;
mod run;
mod tally;
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
