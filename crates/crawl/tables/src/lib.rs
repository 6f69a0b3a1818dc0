//! Tables of rows, and the files to which they are written.

mod blocks;
mod builders;
mod columns;
mod dictionary;
#[cfg(test)]
mod docs;
mod documents;
mod encoders;
mod format;
pub mod frames;
mod journal;
mod links;
mod masker;
mod output_file;
mod page_files;
pub mod read;
mod relabelled;
mod removed;
mod rows;
mod signals;
mod sink;
mod tables;
mod writer;

pub use self::blocks::{COUNTS, Count, schema as blocks_schema};
pub use self::documents::{SCHEMA as DOCUMENTS, schema as documents_schema};
pub use self::format::RunIdentity;
pub use self::links::LinkCounts;
pub use self::output_file::OutputFile;
pub use self::page_files::{Names as PageFileNames, PageFiles, folders as page_file_folders};
pub use self::page_files::{ending, page_name, safe_name};
pub use self::relabelled::{BlocksSource, RelabelledSink};
pub use self::rows::RowBuilder;
pub use self::signals::SignalRows;
pub use self::sink::{ParquetSink, Writes};
pub use self::tables::{AllTables, NAMES, RowCounts, Rows, Tables, path_of, paths_of, written};
