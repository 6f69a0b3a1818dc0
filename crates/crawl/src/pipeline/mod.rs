//! Turns many inputs into many outputs: inputs, batches, threads, manifests.
//!
//! [`run`] is the one driver over the pages of a crawl; what is done with the pages is a
//! [`Job`], such as those of [`clean`] and [`count_frequencies`].

mod batch;
mod checkpoint;
mod clean;
mod driver;
mod each;
mod frequency;
mod inputs;
mod job;
mod lane;
mod load;
mod looks;
mod manifest;
mod open;
mod output;
mod relabel;
mod row_reader;
mod schedule;
mod source;
mod tally;
mod totals;
mod worker;

pub use crate::progress::Progress;
pub use batch::Batch;
pub(crate) use batch::BatchReader;
pub use clean::{FailedInput, RunOptions, Summary, clean};
pub use driver::run;
pub use each::look_at_each;
pub use frequency::{CountedInput, FrequencyOptions, FrequencySummary, count_frequencies};
pub use inputs::{
    CLEANED, Input, InputKind, Naming, ZippedFile, crawl_stem, is_named_page, is_named_texts,
    list_inputs, list_line, may_be_page_address, page_stem, select, selected_files, shard,
};
pub use job::{Job, SplitCut, WholeInput};
pub use load::{load_pipeline, parse_pipeline};
pub use looks::explain;
pub use manifest::{ManifestRow, Recipe, SelectedRanges, Status};
pub use output::{Compare, OutputFolder, Unsealed};
pub use relabel::{NotSealed, RelabelOptions, Relabelled, relabel};
pub use row_reader::{RowReader, blocks_schema, documents_schema};
pub use source::InputReader;
pub use tally::{PageTally, SkippedPage};
pub use totals::Totals;
pub(crate) use worker::Worker;
pub use worker::guarded;

/// Version of this program, part of what outputs depend on.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
