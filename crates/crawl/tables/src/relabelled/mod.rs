//! The tables of an input that is labelled again: new columns next to copied ones.

mod blocks;
mod documents;

pub use self::blocks::BlocksSource;

use self::blocks::RelabelledBlocks;
use self::documents::RelabelledDocuments;
use super::format::{Format, RunIdentity};
use super::output_file::{OutputFile, commit};
use super::tables::{NAMES, RowCounts, path_of};
use super::writer::TableWriter;
use super::{blocks_schema, documents_schema};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use warcsieve_common::Result;
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_store::Folder;

/// Writes both tables of an input, starting from the tables that another pipeline made from it.
///
/// The columns of `blocks` that do not depend on labels are copied in their encoded form, so its
/// row groups are those of the source.
pub struct RelabelledSink {
    documents: RelabelledDocuments,
    blocks: RelabelledBlocks,
}

impl RelabelledSink {
    /// Starts the files of the input `name` below the folder `out`. The source has all columns of
    /// `blocks` that the pipeline writes.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io); [`Error::Integrity`](warcsieve_common::Error::Integrity) if a column is missing.
    pub fn create(
        out: &Folder,
        name: &str,
        pipeline: &Pipeline,
        run: &RunIdentity,
        source: BlocksSource,
    ) -> Result<Self> {
        let table = |table: &str, schema: SchemaRef| {
            let format = Format::new(table, name, schema, &pipeline.settings, run);
            TableWriter::create(out, format)
        };
        let schema = documents_schema(pipeline);
        let documents = table(NAMES.documents, schema.clone())?;
        let blocks = table(NAMES.blocks, blocks_schema(pipeline))?;
        let path = path_of(NAMES.blocks, name);
        Ok(Self {
            documents: RelabelledDocuments::new(documents, schema, pipeline),
            blocks: RelabelledBlocks::new(blocks, path, pipeline, source)?,
        })
    }

    /// Adds a page, labelled again: the next row of `documents`, which is row `at` of `batch`, and its blocks.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub fn push(&mut self, batch: &RecordBatch, at: usize, view: &PageView<'_>) -> Result<()> {
        self.blocks.push(view)?;
        self.documents.push(batch, at, view)
    }

    /// Completes both files and makes them visible.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io), or [`Error::Integrity`](warcsieve_common::Error::Integrity) if a finished file does not hold the `expected`
    /// number of rows; nothing is visible then.
    pub fn finish(self, expected: RowCounts) -> Result<Vec<OutputFile>> {
        commit(vec![
            self.documents.table.finish(expected.documents)?,
            self.blocks.finish(expected.blocks)?,
        ])
    }
}
