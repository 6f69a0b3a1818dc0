//! What a run did, from its manifest rows and Parquet files alone.
//!
//! `ledger` sums the rows, `documents` and `scores` count the tables, `sample` draws pages and reads their
//! blocks, `kept` counts what stays of a corpus, `findings` says what looks wrong. Memory is bounded whatever the crawl: sketches instead of lists.

mod documents;
mod findings;
mod kept;
mod ledger;
mod recipe;
mod run;
mod sample;
mod scores;
mod write;

pub use findings::{Finding, Level};
pub use kept::{Kept, read_kept};
pub use run::{Run, read_run};
pub use write::report_html;
