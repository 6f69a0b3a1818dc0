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
mod page_facts;
mod page_files;
mod page_names;
pub mod read;
mod relabelled;
mod removed;
mod rewritten;
mod rows;
mod signals;
mod sink;
mod tables;
mod writer;

pub use self::blocks::{COUNTS, Count, schema as blocks_schema};
pub use self::documents::{
    SCHEMA as DOCUMENTS, copied as copied_documents_schema, schema as documents_schema,
};
pub use self::format::{RunIdentity, WRITER};
pub use self::links::LinkCounts;
pub use self::output_file::OutputFile;
pub use self::page_facts::{PAGE_INDEX, PageFacts, yaml};
pub use self::page_files::{PageFile, PageFiles, PageLayout, each_page_file, page_list};
pub use self::page_files::{ending, folders as page_file_folders};
pub use self::page_names::{PageNamer, PageNames, safe_name};
pub use self::relabelled::{BlocksSource, RelabelledSink};
pub use self::rewritten::RewrittenTable;
pub use self::rows::RowBuilder;
pub use self::signals::SignalRows;
pub use self::sink::{ParquetSink, Writes};
pub use self::tables::{AllTables, NAMES, RowCounts, Rows, Tables, path_of, paths_of, written};
