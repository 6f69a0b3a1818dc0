//! Reads the tables of an output folder of `clean`.
//!
//! A shard is the output for one input: `documents/NAME.parquet`, `blocks/NAME.parquet` and the
//! manifest row with their numbers of rows and bytes. [`list_shards`] finds the shards of a folder.
//! [`Checked`] opens a file of a shard.

mod bytes;
mod listing;
mod rows;

pub use bytes::has_sha256;
pub use listing::{Listing, Shard, list_shards};
pub use rows::{Checked, Rows, lacking};
