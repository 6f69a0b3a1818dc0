//! `blocks` for an input that is labelled again.

use crate::blocks::{BlockRows, columns};
use crate::encoders::{Encoder, Encoders};
use crate::writer::{TableWriter, checked, parquet_error};
use ::parquet::column::writer::ColumnCloseResult;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::writer::SerializedFileWriter;
use std::fs::File;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_store::HashedFile;

/// A file of `blocks` to copy from.
pub struct BlocksSource {
    /// The file, open for reading.
    pub file: File,
    /// With its page indexes.
    pub metadata: Arc<ParquetMetaData>,
}

/// Where a column comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// The column of the source with this index.
    Source(usize),
    /// It depends on labels and is made anew.
    Labels,
}

/// Rows of the source, with new values in the columns that depend on labels, one row group at a
/// time.
///
/// # Invariant
/// A row group has as many rows as that of the source, because the other columns are copied in
/// their encoded form. `left` counts the rows that are still to come. New columns are in the order
/// of the table's columns everywhere.
pub struct RelabelledBlocks {
    writer: SerializedFileWriter<HashedFile>,
    encoders: Encoders,
    path: String,
    source: BlocksSource,
    origins: Vec<Origin>,
    rows: BlockRows,
    /// Rows in `rows`.
    pending: usize,
    /// The open columns of the current row group that are made anew.
    open: Vec<Encoder>,
    /// Number of the current row group in the source.
    group: usize,
    /// Rows of the row group that are still to come.
    left: usize,
}

/// Rows that are encoded together.
const BATCH_ROWS: usize = 8192;

impl RelabelledBlocks {
    /// For a table, which is the file `path`.
    ///
    /// # Errors
    /// [`Error::Integrity`] if the source lacks a column.
    pub fn new(
        table: TableWriter,
        path: String,
        pipeline: &Pipeline,
        source: BlocksSource,
    ) -> Result<Self> {
        let (writer, encoders) = table.into_parts();
        let there = source.metadata.file_metadata().schema_descr();
        let all = columns(pipeline);
        let origins = all.iter().map(|column| {
            if column.follows_labels {
                return Ok(Origin::Labels);
            }
            let name = column.field.name();
            let copied = there.columns().iter().position(|c| c.name() == name);
            copied.map(Origin::Source).ok_or_else(|| Error::Integrity {
                path: path.clone().into(),
                message: format!("there is no column `{name}` to copy"),
            })
        });
        let mut blocks = Self {
            origins: origins.collect::<Result<_>>()?,
            writer,
            encoders,
            path,
            source,
            rows: BlockRows::of_labels(all),
            pending: 0,
            open: Vec::new(),
            group: 0,
            left: 0,
        };
        blocks.begin_group()?;
        Ok(blocks)
    }

    /// Adds the blocks of a page. If the source does not have these blocks,
    /// [`finish`](Self::finish) refuses the file.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn push(&mut self, view: &PageView<'_>) -> Result<()> {
        let mut in_text = view.text_blocks.iter().cloned();
        let mut at = 0;
        while at < view.labels.len() && self.left > 0 {
            let most = self.left.min(BATCH_ROWS - self.pending);
            let end = view.labels.len().min(at + most);
            self.rows.push(view, at..end, &mut in_text);
            self.pending += end - at;
            self.left -= end - at;
            at = end;
            if self.pending == BATCH_ROWS || self.left == 0 {
                let encoded = self.encode();
                encoded.map_err(|e| self.error(e))?;
            }
            if self.left == 0 {
                let written = self.end_group();
                written.map_err(|e| self.error(e))?;
                self.begin_group()?;
            }
        }
        Ok(())
    }

    /// Goes to the next group that has rows, if there is one.
    fn begin_group(&mut self) -> Result<()> {
        let groups = self.source.metadata.row_groups();
        while let Some(group) = groups.get(self.group) {
            self.left = usize::try_from(group.num_rows()).unwrap_or(0);
            if self.left > 0 {
                break;
            }
            self.group += 1;
        }
        if self.left == 0 {
            return Ok(());
        }
        let encoders = self.encoders.open(self.group);
        let encoders = encoders.map_err(|e| self.error(e))?;
        let new = encoders.into_iter().zip(&self.origins);
        let new = new.filter(|(_, origin)| matches!(origin, Origin::Labels));
        self.open = new.map(|(encoder, _)| encoder).collect();
        Ok(())
    }

    fn encode(&mut self) -> Result<(), ParquetError> {
        let rows = self.rows.finish();
        let schema = rows.schema_ref();
        let columns = schema.fields().iter().zip(rows.columns());
        for ((field, values), encoder) in columns.zip(&mut self.open) {
            self.encoders.write(encoder, field, values)?;
        }
        self.pending = 0;
        Ok(())
    }

    fn end_group(&mut self) -> Result<(), ParquetError> {
        let mut new = std::mem::take(&mut self.open).into_iter();
        let group = self.source.metadata.row_group(self.group);
        let indexes = self.source.metadata.page_index();
        let mut out = self.writer.next_row_group()?;
        for origin in &self.origins {
            match *origin {
                Origin::Labels => {
                    if let Some(encoder) = new.next() {
                        self.encoders.close(encoder, &mut out)?;
                    }
                }
                Origin::Source(at) => {
                    let column = group.column(at);
                    let copied = ColumnCloseResult {
                        bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
                        rows_written: u64::try_from(group.num_rows()).unwrap_or(0),
                        metadata: column.clone(),
                        bloom_filter: None,
                        column_index: indexes
                            .and_then(|i| i.column_index(self.group, at))
                            .cloned(),
                        offset_index: indexes
                            .and_then(|i| i.offset_index(self.group, at))
                            .cloned(),
                    };
                    out.append_column(&self.source.file, copied)?;
                }
            }
        }
        out.close()?;
        self.group += 1;
        Ok(())
    }

    /// Closes the file and compares its rows with those that were counted.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Integrity`] if they differ.
    pub fn finish(self, expected: u64) -> Result<(HashedFile, String, u64)> {
        let target = self.writer.inner().target().to_owned();
        let file = self.writer.into_inner();
        let file = file.map_err(|e| parquet_error(&target, e))?;
        Ok((checked(file, expected)?, self.path, expected))
    }

    fn error(&self, error: ParquetError) -> Error {
        parquet_error(self.writer.inner().target(), error)
    }
}
