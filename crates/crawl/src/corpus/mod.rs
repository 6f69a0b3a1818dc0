//! Work on the documents of output folders: signals, duplicates.

mod dedup;
mod file;
mod keep;
mod pages;
mod signals;

pub use dedup::{DedupOptions, DedupSummary, Drop, Exact, dedup};
pub use keep::write_kept;
pub use signals::{SignalsSummary, measure_shards};
