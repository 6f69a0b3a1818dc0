//! Reads Parquet files of any origin.
//!
//! A few damaged bytes can make the Parquet library loop for hours, allocate terabytes, or panic.
//! So the claims of the footer and of the page headers are compared with the file's bytes before
//! the library reads them, and panics of the library become errors.

mod footer;
mod pages;
mod shape;
mod source;
#[cfg(test)]
mod tests;
mod thrift;

use arrow_array::{RecordBatch, RecordBatchReader as _};
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
    RowSelector,
};
use parquet::file::metadata::ParquetMetaData;
use std::fs::File;
use std::ops::Range;

pub use source::{Failure, Source, Unreadable, damaged_output};

/// Most bytes that the values of a batch may take when they come from dictionaries, where every row
/// may have the same large value.
const BATCH_BYTES: u64 = 256 << 20;

/// Refuses a file whose footer the Parquet library must not read.
///
/// # Errors
/// What is wrong, in words, or that the file cannot be read.
pub fn check_footer(file: &File) -> Result<(), Unreadable> {
    footer::check(file)
}

/// Number of rows in a batch of about this many bytes, for the row group with the largest rows.
pub fn batch_rows(metadata: &ParquetMetaData, bytes: u64, most: usize) -> usize {
    let sizes = metadata.row_groups().iter().map(|group| {
        let bytes = u64::try_from(group.total_byte_size()).unwrap_or(0);
        bytes / u64::try_from(group.num_rows()).unwrap_or(0).max(1)
    });
    let largest = sizes.max().unwrap_or(0).max(1);
    usize::try_from(bytes / largest).map_or(most, |rows| rows.clamp(1, most))
}

/// A Parquet file whose footer was checked.
pub struct TableFile {
    file: File,
    size: u64,
    failure: Failure,
    builder: ParquetRecordBatchReaderBuilder<Source>,
}

/// The rows of a Parquet file.
pub struct Batches(ParquetRecordBatchReader, Failure);

impl TableFile {
    /// Checks a file's footer.
    ///
    /// # Errors
    /// Why it cannot be decoded, in words.
    pub fn open(file: File, options: ArrowReaderOptions) -> Result<Self, Unreadable> {
        footer::check(&file)?;
        let size = file.metadata()?.len();
        let source = Source::new(file.try_clone()?);
        let failure = source.failure();
        let builder = failure
            .decoded(|| ParquetRecordBatchReaderBuilder::try_new_with_options(source, options))?;
        footer::check_rows(builder.metadata(), size)?;
        Ok(Self {
            file,
            size,
            failure,
            builder,
        })
    }

    /// Its columns.
    pub fn schema(&self) -> &Schema {
        self.builder.schema()
    }

    /// Its footer.
    pub fn metadata(&self) -> &ParquetMetaData {
        self.builder.metadata()
    }

    /// Checks the pages of some columns, which must not hold lists, and then reads these columns,
    /// at most `most_rows` rows at a time.
    ///
    /// Memory: a page of each column, of at most 1 GiB, and a batch.
    ///
    /// # Errors
    /// Why they cannot be decoded, in words.
    pub fn read(self, columns: &[&str], most_rows: usize) -> Result<Batches, Unreadable> {
        let mask = ProjectionMask::columns(self.builder.parquet_schema(), columns.iter().copied());
        let mut largest = 1;
        for group in self.metadata().row_groups() {
            for (leaf, column) in group.columns().iter().enumerate() {
                if mask.leaf_included(leaf) {
                    let dictionary = pages::check(&self.file, self.size, group, column)?;
                    largest = largest.max(dictionary);
                }
            }
        }
        let rows = usize::try_from(BATCH_BYTES / largest).unwrap_or(usize::MAX);
        let builder = self.builder.with_projection(mask);
        let builder = builder.with_batch_size(rows.clamp(1, most_rows));
        self.failure.batches(builder)
    }

    /// Reads all columns, including lists, of a file that this program wrote. The pages are not
    /// checked.
    ///
    /// # Errors
    /// Why they cannot be decoded, in words.
    pub fn read_own(self, most_rows: usize) -> Result<Batches, Unreadable> {
        let builder = self.builder.with_batch_size(most_rows);
        self.failure.batches(builder)
    }
}

impl TableFile {
    /// As [`read`](Self::read), but only the rows with these numbers, counted from 0. Reads and
    /// checks only the row groups that hold them.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and an error if there are fewer rows.
    pub fn read_rows(self, columns: &[&str], rows: Range<u64>) -> Result<Batches, Unreadable> {
        let mask = ProjectionMask::columns(self.builder.parquet_schema(), columns.iter().copied());
        let (mut groups, mut begins, mut before) = (Vec::new(), 0, 0);
        for (number, group) in self.metadata().row_groups().iter().enumerate() {
            let end = before + u64::try_from(group.num_rows()).unwrap_or(0);
            if end > rows.start && before < rows.end {
                if groups.is_empty() {
                    begins = before;
                }
                groups.push(number);
                for (leaf, column) in group.columns().iter().enumerate() {
                    if mask.leaf_included(leaf) {
                        pages::check(&self.file, self.size, group, column)?;
                    }
                }
            }
            before = end;
        }
        if rows.end > before {
            return Err(format!("has no rows {} to {}", rows.start, rows.end).into());
        }
        let number = |n: u64| usize::try_from(n).map_err(|e| e.to_string());
        let selection = RowSelection::from(vec![
            RowSelector::skip(number(rows.start - begins)?),
            RowSelector::select(number(rows.end - rows.start)?),
        ]);
        let builder = self.builder.with_projection(mask).with_row_groups(groups);
        let builder = builder.with_row_selection(selection).with_batch_size(1024);
        self.failure.batches(builder)
    }
}

impl Failure {
    fn batches(
        &self,
        builder: ParquetRecordBatchReaderBuilder<Source>,
    ) -> Result<Batches, Unreadable> {
        let batches = self.decoded(|| builder.build())?;
        Ok(Batches(batches, self.clone()))
    }
}

impl Batches {
    /// The columns.
    pub fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    /// The next rows; `None` at the end.
    ///
    /// # Errors
    /// Why they cannot be decoded, in words.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, Unreadable> {
        self.1.decoded(|| self.0.next().transpose())
    }
}
