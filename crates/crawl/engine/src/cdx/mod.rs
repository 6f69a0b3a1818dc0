//! Indexes of crawls: which record is stored at which bytes of which file.
//!
//! [`IndexReader`] reads the formats in use, [`Selection`] holds the ranges to read of each file,
//! and [`index_file`] writes a CDXJ index of a file.

mod classic;
mod entries;
mod entry;
mod folder;
mod index;
mod json;
mod lines;
mod names;
mod reader;
mod selection;
mod surt;
mod table;

pub use entry::Entry;
pub use folder::index_files;
pub use folder::{files_below, is_index_name};
pub use index::{IndexOptions, IndexedFile, Unaddressable, index_file};
pub use lines::Lines;
pub use names::{Found, Names};
pub use reader::IndexReader;
pub use reader::is_index_line;
pub use selection::CLOSING;
pub use selection::{Ranges, Selected, Selection};
pub use surt::surt;

use std::path::Path;
use warcsieve_common::Error;

/// An error about a place in an index file.
fn wrong(path: &Path, place: &str, what: &str) -> Error {
    Error::Invalid(format!("{}:{place}: {what}", path.display()))
}
