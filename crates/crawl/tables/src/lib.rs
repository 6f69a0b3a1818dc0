//! Tables of rows, and the files they are written to.

mod blocks;
mod column;
mod documents;
mod features;
mod few;
pub mod frames;
mod journal;
mod labels;
mod layout;
mod links;
mod metadata;
mod page_files;
mod parquet;
mod paths;
mod personal;
pub mod read;
mod relabelled;
mod removed;
mod rows;
mod shallow;
pub mod signals;
mod structure;
mod table;

pub use self::blocks::{COUNTS, Count, schema as blocks_schema};
pub use self::documents::SCHEMA as DOCUMENTS;
pub use self::documents::schema as documents_schema;
pub use self::links::LinkCounts;
pub use self::page_files::{Names as PageFileNames, PageFiles, folders as page_file_folders};
pub use self::page_files::{ending, page_name, safe_name};
pub use self::parquet::{ParquetSink, RunIdentity};
pub use self::relabelled::{BlocksSource, RelabelledSink};
pub use self::rows::{RowBuilder, Rows};

use serde::{Deserialize, Serialize};
use warcsieve_common::Result;

/// Takes the rows of one input in order.
///
/// What is written must depend on the sequence of batches alone.
pub trait Sink: Send {
    /// Appends rows.
    ///
    /// # Errors
    /// When they cannot be written; the sink must not be used again then.
    fn write(&mut self, rows: &Rows) -> Result<()>;

    /// Completes the output and makes it visible, all of it or nothing. It may use up to `threads` threads; the output is
    /// the same with any number.
    ///
    /// # Errors
    /// [`Error::Integrity`](warcsieve_common::Error::Integrity) if the finished output does not hold
    /// the `expected` number of rows; nothing is visible then.
    fn finish(self: Box<Self>, expected: RowCounts, threads: usize) -> Result<Vec<OutputFile>>;
}

/// Rows counted by the pipeline while it processed pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Rows of `documents`.
    pub documents: u64,
    /// Rows of `blocks`.
    pub blocks: u64,
    /// Rows of `removed`.
    pub removed: u64,
    /// Rows of `links`.
    pub links: u64,
}

/// Calls that wrote rows of each table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writes {
    /// Of `documents`.
    pub documents: u64,
    /// Of `blocks`; 0 where that table is not written.
    pub blocks: u64,
    /// Of `removed`; 0 where that table is not written.
    pub removed: u64,
    /// Of `links`; 0 where that table is not written.
    pub links: u64,
}

/// A finished output file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFile {
    /// Path below the output folder, `/` between components.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Rows, as the file's own footer says.
    pub rows: u64,
    /// sha256 of the file in hex.
    pub sha256: String,
}
