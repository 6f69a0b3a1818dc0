//! From many inputs to many outputs: batches, threads, manifests.
//!
//! An input in flight is a lane. A thread takes whatever step is ready: cleaning a split of
//! an input, or of one that is read in one piece processing a batch or reading the next one, or
//! opening the next input. What a lane has in memory is bounded; its rows are written in input order.

mod batch;
mod each;
mod frequency;
mod inputs;
mod lane;
mod manifest;
mod output;
mod positioned;
mod progress;
mod run;
mod source;
mod tally;
mod turns;
mod worker;

pub(crate) use batch::{Batch, BatchReader};
pub use each::look_at_each;
pub use frequency::{CountedInput, FrequencyOptions, FrequencySummary, count_frequencies};
pub use inputs::{Input, InputKind, Naming, list_inputs, select, selected_files, shard};
pub use manifest::{ManifestRow, Recipe, SelectedRanges, Status};
pub use output::OutputFolder;
pub use progress::Progress;
pub use run::{FailedInput, RunOptions, Summary, clean};
pub use tally::{PageTally, SkippedPage};
pub(crate) use worker::Worker;
#[cfg(feature = "train")]
pub(crate) use worker::guarded;

/// Version of this program, part of what outputs depend on.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
