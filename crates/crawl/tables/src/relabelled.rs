//! The tables of an input that is labelled again: new columns beside copied ones.

use super::documents::{self, ContentColumns};
use super::encoders::{Encoder, Encoders};
use super::format::{Format, RunIdentity};
use super::labels::LabelColumns;
use super::output_file::{OutputFile, commit};
use super::tables::{NAMES, RowCounts, path_of};
use super::writer::{TableWriter, checked, parquet_error};
use super::{RowBuilder, blocks};
use ::parquet::column::writer::ColumnCloseResult;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::writer::SerializedFileWriter;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::{Label, Names};
use warcsieve_common::{Error, Result};
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_store::{Folder, HashedFile};

/// Writes both tables of an input from those that another pipeline made of it.
///
/// The columns of `blocks` that do not depend on labels are copied as they are encoded, so its row
/// groups are those of the source.
pub struct RelabelledSink {
    documents: Documents,
    blocks: Blocks,
}

/// A file of `blocks` to copy from.
pub struct BlocksSource {
    /// The file, open for reading.
    pub file: File,
    /// With its page indexes.
    pub metadata: Arc<ParquetMetaData>,
}

impl RelabelledSink {
    /// Starts the files of the input `name` below the folder `out`. The source has all columns of
    /// `blocks` that the pipeline writes.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Integrity`] if a column is missing.
    pub fn create(
        out: &Folder,
        name: &str,
        pipeline: &Pipeline,
        run: &RunIdentity,
        names: &Arc<Names>,
        source: BlocksSource,
    ) -> Result<Self> {
        let table = |folder: &str, schema: &SchemaRef| {
            let settings = &pipeline.settings;
            TableWriter::create(
                out,
                Format::new(folder, name, schema.clone(), settings, run),
            )
        };
        let schema = blocks::schema(&pipeline.settings);
        Ok(Self {
            documents: Documents {
                table: table(NAMES.documents, &documents::schema(pipeline))?,
                schema: documents::schema(pipeline),
                content: ContentColumns::new(&pipeline.method),
                bytes: 0,
                pages: 0,
            },
            blocks: Blocks::new(
                table(NAMES.blocks, &schema)?,
                path_of(NAMES.blocks, name),
                schema,
                LabelColumns::new(names.clone()),
                source,
            )?,
        })
    }

    /// Adds a page, labelled again: the next row of `documents`, which is row `at` of `batch`, and its blocks.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn push(&mut self, batch: &RecordBatch, at: usize, view: &PageView<'_>) -> Result<()> {
        let mut places = view.text_blocks.iter();
        for label in view.labels {
            let place = label.content.then(|| places.next()).flatten();
            self.blocks.push(label, place.cloned())?;
        }
        self.documents.push(batch, at, view)
    }

    /// Completes both files and makes them visible.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] if a finished file does not hold the `expected`
    /// number of rows; nothing is visible then.
    pub fn finish(self, expected: RowCounts) -> Result<Vec<OutputFile>> {
        commit(vec![
            self.documents.table.finish(expected.documents)?,
            self.blocks.finish(expected.blocks)?,
        ])
    }
}

/// `documents`: rows of the source with other content.
struct Documents {
    table: TableWriter,
    schema: SchemaRef,
    content: ContentColumns,
    /// Bytes of the texts collected.
    bytes: usize,
    /// Pages collected.
    pages: usize,
}

impl Documents {
    fn push(&mut self, batch: &RecordBatch, at: usize, view: &PageView<'_>) -> Result<()> {
        self.content.push(view);
        self.pages += 1;
        self.bytes += view.text.len();
        if self.bytes < RowBuilder::LIMIT && at + 1 < batch.num_rows() {
            return Ok(());
        }
        let kept = batch.slice(at + 1 - self.pages, self.pages);
        let new = ContentColumns::NAMES.iter().zip(self.content.finish());
        let new: Vec<(&str, ArrayRef)> = new.map(|(name, column)| (*name, column)).collect();
        let column = |name: &str| {
            let new = new.iter().find(|(n, _)| *n == name);
            new.map(|(_, column)| column)
                .or_else(|| kept.column_by_name(name))
                .cloned()
                .expect("a batch has the columns that do not depend on labels")
        };
        let schema = self.schema.clone();
        let columns = schema.fields().iter().map(|f| column(f.name())).collect();
        let rows = RecordBatch::try_new(schema, columns)
            .expect("the columns have the order and types of the schema");
        (self.bytes, self.pages) = (0, 0);
        self.table.write(&rows)
    }
}

/// Where a column of `blocks` comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// The column of the source with this index.
    Source(usize),
    /// The column of [`LabelColumns`] with this index.
    Labels(usize),
}

/// `blocks`, one row group at a time.
struct Blocks {
    writer: SerializedFileWriter<HashedFile>,
    factory: Encoders,
    path: String,
    schema: SchemaRef,
    source: BlocksSource,
    origins: Vec<Origin>,
    labels: LabelColumns,
    /// Rows in `labels`.
    pending: usize,
    /// Writers of the current group's new columns, in the order of [`LabelColumns::NAMES`].
    columns: Vec<Encoder>,
    /// Number of the current row group in the source.
    group: usize,
    /// Rows of the group that are to come.
    left: u64,
}

/// Rows of labels that are encoded together.
const TOGETHER: usize = 8192;

impl Blocks {
    fn new(
        table: TableWriter,
        path: String,
        schema: SchemaRef,
        labels: LabelColumns,
        source: BlocksSource,
    ) -> Result<Self> {
        let (writer, factory) = table.into_parts();
        let there = source.metadata.file_metadata().schema_descr();
        let origin = |name: &str| {
            let label = LabelColumns::NAMES.iter().position(|n| *n == name);
            let copied = || there.columns().iter().position(|c| c.name() == name);
            label
                .map(Origin::Labels)
                .or_else(|| copied().map(Origin::Source))
        };
        let origins = schema.fields().iter().map(|field| {
            origin(field.name()).ok_or_else(|| Error::Integrity {
                path: path.clone().into(),
                message: format!("there is no column `{}` to copy", field.name()),
            })
        });
        let mut blocks = Self {
            origins: origins.collect::<Result<_>>()?,
            writer,
            factory,
            path,
            schema,
            source,
            labels,
            pending: 0,
            columns: Vec::new(),
            group: 0,
            left: 0,
        };
        blocks.begin_group()?;
        Ok(blocks)
    }

    fn push(&mut self, label: &Label, in_text: Option<Range<u32>>) -> Result<()> {
        self.labels.push(label, in_text);
        self.pending += 1;
        self.left = self.left.saturating_sub(1);
        if self.pending == TOGETHER || self.left == 0 {
            let encoded = self.encode();
            encoded.map_err(|e| self.error(e))?;
        }
        if self.left == 0 {
            let written = self.end_group();
            written.map_err(|e| self.error(e))?;
            self.begin_group()?;
        }
        Ok(())
    }

    /// Goes to the next group that has rows, if there is one.
    fn begin_group(&mut self) -> Result<()> {
        let groups = self.source.metadata.row_groups();
        while let Some(group) = groups.get(self.group) {
            self.left = u64::try_from(group.num_rows()).unwrap_or(0);
            if self.left > 0 {
                break;
            }
            self.group += 1;
        }
        if self.left == 0 {
            return Ok(());
        }
        let writers = self.factory.open(self.group);
        let writers = writers.map_err(|e| self.error(e))?;
        let mut new: Vec<_> = writers
            .into_iter()
            .zip(&self.origins)
            .filter_map(|(writer, origin)| match origin {
                Origin::Labels(at) => Some((*at, writer)),
                Origin::Source(_) => None,
            })
            .collect();
        new.sort_by_key(|(at, _)| *at);
        self.columns = new.into_iter().map(|(_, writer)| writer).collect();
        Ok(())
    }

    fn encode(&mut self) -> Result<(), ParquetError> {
        let names = LabelColumns::NAMES.iter().zip(self.labels.finish());
        for ((name, values), writer) in names.zip(&mut self.columns) {
            let field = self.schema.field_with_name(name)?;
            self.factory.write(writer, field, &values)?;
        }
        self.pending = 0;
        Ok(())
    }

    fn end_group(&mut self) -> Result<(), ParquetError> {
        let new = std::mem::take(&mut self.columns).into_iter();
        let mut new: Vec<_> = new.map(Some).collect();
        let group = self.source.metadata.row_group(self.group);
        let indexes = self.source.metadata.page_index();
        let mut out = self.writer.next_row_group()?;
        for origin in &self.origins {
            match *origin {
                Origin::Labels(at) => {
                    if let Some(column) = new[at].take() {
                        self.factory.close(column, &mut out)?;
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

    fn finish(self, expected: u64) -> Result<(HashedFile, String, u64)> {
        let target = self.writer.inner().target().to_owned();
        let file = self.writer.into_inner();
        let file = file.map_err(|e| parquet_error(&target, e))?;
        Ok((checked(file, expected)?, self.path, expected))
    }

    fn error(&self, error: ParquetError) -> Error {
        parquet_error(self.writer.inner().target(), error)
    }
}
