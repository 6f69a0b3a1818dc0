//! What a run that forgets is told, and what it did.

use crate::output::Unsealed;
use std::path::PathBuf;

/// How to forget, and what the log says of it.
#[derive(Clone, Debug)]
pub struct ForgetOptions {
    /// Number of threads, at least 1. Each thread works on one shard.
    pub threads: usize,
    /// The time of the run, such as `2026-01-31T12:00:00Z`.
    pub time: String,
    /// Who asks for it; may be empty.
    pub by: String,
    /// Why; may be empty.
    pub reason: String,
    /// Find the pages and change nothing.
    pub only_count: bool,
    /// A file that says that what was made from the folder is complete. It is removed before the
    /// first change.
    pub marker: Option<PathBuf>,
}

/// What a run did.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Forgotten {
    /// Pages that met a criterion, in `documents` or `removed`.
    pub pages: u64,
    /// Shards that had such pages.
    pub shards: u64,
    /// Inputs that are listed but not done. Their pages were not examined.
    pub open: Vec<String>,
    /// Lists of pages of WACZ files that were removed, because they may name such pages.
    pub page_lists: u64,
    /// The sha256 of the last entry of the log; `None` if there is no log.
    pub last_entry: Option<String>,
    /// Whether the folder has a `_SUCCESS`.
    pub sealed: bool,
    /// Why it has none, if the run was to seal it.
    pub unsealed: Option<Unsealed>,
}
