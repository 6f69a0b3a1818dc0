//! Work on the documents of output folders: quality signals, duplicates, and links between pages.

mod anchors;
mod claim;
mod dedup;
mod file;
mod keep;
mod pages;
mod signals;

use std::path::Path;
use warcsieve_common::{Error, Result};

pub use anchors::{AnchorOptions, AnchorSummary, AnchorTable, InLinks, gather};
pub use dedup::{DedupOptions, DedupSummary, Drop, Exact, dedup};
pub use file::TableWriter;
pub use keep::write_kept;
pub use signals::{SignalsSummary, measure_shards};

/// The sha256 of a file, in hex.
///
/// # Errors
/// [`Error::Io`].
pub fn sha256(path: &Path) -> Result<String> {
    warcsieve_run::layouts::sha256(path).map_err(|e| Error::io(path, e))
}
