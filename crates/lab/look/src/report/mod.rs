//! The results of a run, read only from its manifest rows and Parquet files.
//!
//! `read` reads everything: `ledger` sums the rows, `documents` and `scores` count the tables, `sample` draws pages and
//! reads their blocks. `kept` and `sources` count the documents that stay in a corpus, and `findings` lists problems.
//! Memory is bounded for any crawl, because sketches are used instead of lists, except in `sources`.

mod documents;
mod finding;
mod findings;
mod kept;
mod ledger;
mod read;
mod recipe;
mod run;
mod sample;
mod scores;
mod sources;
mod write;

pub use finding::{Finding, Level};
pub use kept::{Kept, read_kept};
pub use read::read_run;
pub use run::Run;
pub use sources::{Amount, Sources, read_sources};
pub use write::report_html;
