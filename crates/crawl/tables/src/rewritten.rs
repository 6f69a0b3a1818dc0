//! A table that is written again, from its own file, with fewer rows.

use super::blocks::repeated_texts as of_blocks;
use super::format::Format;
use super::links::repeated_texts as of_links;
use super::output_file::{OutputFile, commit_one};
use super::read::{Batches, TableFile, batch_rows, damaged_output};
use super::tables::NAMES;
use super::writer::TableWriter;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::Folder;

/// Target size of a batch in bytes, if all rows had the same size.
const BATCH_BYTES: u64 = 4 << 20;

/// Most rows of a batch that is read.
const BATCH_ROWS: usize = 4096;

/// Most rows that are written at once, and bytes of their texts at which no further row is added.
const WRITE_LIMITS: (usize, usize) = (1024, 1 << 20);

/// Reads the rows of a finished file in order, and writes those that stay to a file of the same kind.
///
/// The bytes of the new file depend on the rows that stay and on the footer of the old file, and on
/// nothing else: where row groups and pages of Parquet end does not follow the old file.
///
/// Memory: a batch, the rows of a write, and an open row group.
pub struct RewrittenTable {
    batches: Batches,
    table: TableWriter,
    schema: SchemaRef,
    waiting: Waiting,
}

/// Rows that wait until there are enough for a write.
#[derive(Default)]
struct Waiting {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl RewrittenTable {
    /// For a table of an input, whose file is at `path`. The new file has the same name below `to`.
    ///
    /// # Errors
    /// [`Error::Integrity`] if this program did not write the file, or it cannot be decoded;
    /// [`Error::Io`].
    pub fn open(path: &Path, (table, input): (&str, &str), to: &Folder) -> Result<Self> {
        let read = |options| {
            let file = File::open(path).map_err(|e| Error::io(path, e))?;
            TableFile::open(file, options).map_err(|why| why.in_output(path))
        };
        let schema = with_dictionaries(table, read(ArrowReaderOptions::new())?.schema());
        let file = read(ArrowReaderOptions::new().with_schema(schema.clone()))?;
        let written = file.metadata().file_metadata();
        let format = Format::again(table, input, schema.clone(), written);
        let format = format.map_err(|what| damaged_output(path, &what))?;
        let rows = batch_rows(file.metadata(), BATCH_BYTES, BATCH_ROWS);
        let batches = file.read_own(rows);
        Ok(Self {
            batches: batches.map_err(|why| why.in_output(path))?,
            table: TableWriter::create(to, format)?,
            schema,
            waiting: Waiting::default(),
        })
    }

    /// The next rows of the old file; `None` at its end. `path` is used in messages.
    ///
    /// # Errors
    /// [`Error::Integrity`] if they cannot be decoded; [`Error::Io`].
    pub fn next_batch(&mut self, path: &Path) -> Result<Option<RecordBatch>> {
        let batch = self.batches.next_batch();
        batch.map_err(|why| why.in_output(path))
    }

    /// Appends rows that stay.
    ///
    /// # Errors
    /// [`Error::Io`]. It must not be used again then.
    pub fn keep(&mut self, rows: &RecordBatch) -> Result<()> {
        let sizes = sizes(rows);
        let mut begin = 0;
        for (at, size) in sizes.into_iter().enumerate() {
            self.waiting.rows += 1;
            self.waiting.bytes += size;
            if self.waiting.rows >= WRITE_LIMITS.0 || self.waiting.bytes >= WRITE_LIMITS.1 {
                self.waiting.batches.push(rows.slice(begin, at + 1 - begin));
                begin = at + 1;
                self.write()?;
            }
        }
        if begin < rows.num_rows() {
            let rest = rows.slice(begin, rows.num_rows() - begin);
            self.waiting.batches.push(rest);
        }
        Ok(())
    }

    fn write(&mut self) -> Result<()> {
        let Waiting { batches, .. } = std::mem::take(&mut self.waiting);
        let rows = concat_batches(&self.schema, &batches);
        self.table
            .write(&rows.expect("all batches have the columns"))
    }

    /// Completes the file and makes it visible.
    ///
    /// # Errors
    /// [`Error::Integrity`] if it does not have the `expected` number of rows; [`Error::Io`].
    pub fn finish(mut self, expected: u64) -> Result<OutputFile> {
        if self.waiting.rows > 0 {
            self.write()?;
        }
        commit_one(self.table.finish(expected)?)
    }
}

/// The columns of a file with the types that `clean` writes: a file does not say which texts were
/// written as dictionaries.
fn with_dictionaries(table: &str, read: &Schema) -> SchemaRef {
    let repeated = match table {
        _ if table == NAMES.blocks => of_blocks(),
        _ if table == NAMES.links => of_links(),
        _ => Vec::new(),
    };
    let fields = read.fields().iter().map(|field| {
        let texts = repeated.iter().find(|texts| texts.name() == field.name());
        match texts {
            Some(texts) if *field.data_type() == DataType::Utf8 => Arc::new(Field::new(
                field.name(),
                texts.data_type().clone(),
                field.is_nullable(),
            )),
            _ => field.clone(),
        }
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The bytes of the texts in each row that are not in a dictionary.
fn sizes(rows: &RecordBatch) -> Vec<usize> {
    let mut sizes = vec![0; rows.num_rows()];
    for column in rows.columns() {
        let offsets = match column.data_type() {
            DataType::Utf8 => column.as_string::<i32>().value_offsets(),
            DataType::Binary => column.as_binary::<i32>().value_offsets(),
            _ => continue,
        };
        for (size, ends) in sizes.iter_mut().zip(offsets.windows(2)) {
            *size += usize::try_from(ends[1] - ends[0]).unwrap_or(0);
        }
    }
    sizes
}
