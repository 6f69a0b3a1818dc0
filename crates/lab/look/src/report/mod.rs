//! What a run did, from its manifest rows and Parquet files alone.
//!
//! `read` reads all: `ledger` sums the rows, `documents` and `scores` count the tables, `sample` draws pages and reads
//! their blocks. `kept` counts what stays of a corpus, `findings` says what looks wrong. Memory is bounded whatever
//! the crawl: sketches instead of lists.

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
mod write;

pub use finding::{Finding, Level};
pub use kept::{Kept, read_kept};
pub use read::read_run;
pub use run::Run;
pub use write::report_html;
