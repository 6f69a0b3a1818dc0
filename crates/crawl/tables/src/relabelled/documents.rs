//! `documents` of an input that is labelled again.

use crate::RowBuilder;
use crate::columns::Collector;
use crate::documents::{Documents, Row, columns};
use crate::writer::TableWriter;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use warcsieve_common::{Error, Result};
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_warc::Location;

/// Rows of the source, with new values in the columns that follow labels.
pub struct RelabelledDocuments {
    pub table: TableWriter,
    schema: SchemaRef,
    new: Collector<Documents>,
    /// Bytes of the texts collected.
    bytes: usize,
    /// Pages collected.
    pages: usize,
}

impl RelabelledDocuments {
    /// For a table of these columns.
    pub fn new(table: TableWriter, schema: SchemaRef, pipeline: &Pipeline) -> Self {
        let mut new = columns(pipeline);
        new.retain(|column| column.follows_labels);
        Self {
            table,
            schema,
            new: Collector::new(new),
            bytes: 0,
            pages: 0,
        }
    }

    /// Adds the page of row `at` of `batch`. Rows are written when they are many, and with the last one of a batch.
    ///
    /// # Errors
    /// Why they cannot be written.
    pub fn push(&mut self, batch: &RecordBatch, at: usize, view: &PageView<'_>) -> Result<()> {
        // No column that follows labels says where a page is from.
        self.new.push(&Row {
            input: "",
            location: &Location::default(),
            view,
        });
        self.pages += 1;
        self.bytes += view.text.len();
        if self.bytes < RowBuilder::LIMIT && at + 1 < batch.num_rows() {
            return Ok(());
        }
        let kept = batch.slice(at + 1 - self.pages, self.pages);
        let new = self.new.finish();
        let fields = self.schema.fields().iter();
        let columns = fields.map(|field| {
            let new = new.column_by_name(field.name());
            let column = new.or_else(|| kept.column_by_name(field.name()));
            column
                .cloned()
                .expect("a batch has the columns that do not follow labels")
        });
        let rows = RecordBatch::try_new(self.schema.clone(), columns.collect());
        let rows = rows.map_err(|e| {
            Error::Invalid(format!(
                "`documents` was written by another version ({e}); run `clean` on the crawl"
            ))
        })?;
        (self.bytes, self.pages) = (0, 0);
        self.table.write(&rows)
    }
}
