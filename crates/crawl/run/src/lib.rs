//! Runs over many inputs: [`clean`] and [`relabel`] write an output folder, [`count_frequencies`]
//! writes a table of texts, `counts` compares numbers of records, and `forget` takes pages out.

#![cfg_attr(
    not(feature = "object-store"),
    allow(
        unreachable_code,
        unused_variables,
        reason = "an object is then a type without values"
    )
)]

mod checkpoint;
mod clean;
pub mod counts;
pub mod forget;
mod frequency;
pub mod layouts;
mod load;
mod looks;
mod manifest;
mod output;
pub mod prove;
mod relabel;
mod resources;
mod row_reader;
pub mod shards;
mod tally;
mod totals;
mod worker;

pub use clean::{FailedInput, RunOptions, Summary, clean};
pub use frequency::{CountedInput, FrequencyOptions, FrequencySummary, count_frequencies};
pub use load::{LONGEST as LONGEST_PIPELINE, load_pipeline, parse_pipeline};
pub use looks::explain;
pub use manifest::{ManifestRow, Recipe, SelectedRanges, Status};
pub use output::{Compare, OutputFolder, Unsealed};
pub use relabel::{NotSealed, RelabelOptions, Relabelled, relabel};
pub use row_reader::{RowReader, blocks_schema, documents_schema};
pub use tally::{PageTally, SkippedPage};
pub use totals::Totals;
pub use warcsieve_tables::{PageLayout, PageNames};
pub use worker::{Processed, Worker, guarded};

/// Version of this program. Outputs depend on it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
