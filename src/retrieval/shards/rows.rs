//! The rows of one Parquet file, in order.

use crate::error::{Error, Result};
use crate::panics;
use crate::sink::OutputFile;
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int32Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::Schema;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::ParquetMetaData;
use std::fmt::Display;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Bytes that a batch of rows takes where rows are of one size.
const BATCH_BYTES: u64 = 1 << 20;

/// A file's rows, of which a batch stands in memory.
pub(super) struct Rows {
    path: PathBuf,
    reader: ParquetRecordBatchReader,
    batch: RecordBatch,
    /// The row in the batch that is read next.
    next: usize,
    /// Rows of batches before.
    before: u64,
    /// Rows of the file.
    rows: u64,
}

/// A file that has the bytes and rows that its manifest row says.
pub(super) struct Checked {
    path: PathBuf,
    rows: u64,
    builder: ParquetRecordBatchReaderBuilder<File>,
}

impl Checked {
    /// Opens an output below `folder` and holds it against its manifest row.
    ///
    /// # Errors
    /// [`Error::Integrity`] where the file is gone, or has other bytes or rows than were written;
    /// [`Error::Io`].
    pub fn open(folder: &Path, file: &OutputFile) -> Result<Self> {
        let path = folder.join(&file.path);
        let bytes = match fs::metadata(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::Integrity {
                    message: "is gone; run `clean` again".to_owned(),
                    path,
                });
            }
            found => found.map_err(|e| Error::io(&path, e))?.len(),
        };
        if bytes != file.bytes {
            let what = format!("has {bytes} bytes, but {} were written", file.bytes);
            return Err(again(&path, &what));
        }
        let opened = File::open(&path).map_err(|e| Error::io(&path, e))?;
        let builder = decoded(&path, || ParquetRecordBatchReaderBuilder::try_new(opened))?;
        let rows = builder.metadata().file_metadata().num_rows();
        if u64::try_from(rows) != Ok(file.rows) {
            let what = format!("has {rows} rows, but {} were written", file.rows);
            return Err(again(&path, &what));
        }
        let rows = file.rows;
        Ok(Self {
            path,
            rows,
            builder,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a column of this name.
    pub fn has(&self, column: &str) -> bool {
        self.builder.schema().field_with_name(column).is_ok()
    }

    /// What the footer says under a key.
    pub fn footer(&self, key: &str) -> Option<&str> {
        let pairs = self.builder.metadata().file_metadata().key_value_metadata();
        let pair = pairs?.iter().find(|pair| pair.key == key)?;
        pair.value.as_deref()
    }

    /// Reads the columns of `wanted`, at most `most` rows at a time.
    ///
    /// # Errors
    /// [`Error::Integrity`] where one is not there or of another type.
    pub fn read(self, wanted: &Schema, most: usize) -> Result<Rows> {
        let Self {
            path,
            rows,
            builder,
        } = self;
        for field in wanted.fields() {
            let (name, kind) = (field.name(), field.data_type());
            let found = builder.schema().field_with_name(name).ok();
            if found.map(|f| f.data_type()) != Some(kind) {
                return Err(again(
                    &path,
                    &format!("has no column `{name}` of type {kind}"),
                ));
            }
        }
        let names = wanted.fields().iter().map(|f| f.name().as_str());
        let mask = ProjectionMask::columns(builder.parquet_schema(), names);
        let size = batch_rows(builder.metadata(), most);
        let builder = builder.with_projection(mask).with_batch_size(size);
        Ok(Rows {
            reader: decoded(&path, || builder.build())?,
            batch: RecordBatch::new_empty(Schema::empty().into()),
            next: 0,
            before: 0,
            rows,
            path,
        })
    }
}

impl Rows {
    /// Goes on to the next row; `false` at the end.
    ///
    /// # Errors
    /// [`Error::Integrity`] where it cannot be decoded.
    pub fn advance(&mut self) -> Result<bool> {
        self.next += 1;
        while self.next > self.batch.num_rows() {
            self.before += self.batch.num_rows() as u64;
            let Some(batch) = decoded(&self.path, || self.reader.next().transpose())? else {
                self.batch = self.batch.slice(0, 0);
                self.next = 0;
                if self.before != self.rows {
                    let what = format!("ends behind row {} of {}", self.before, self.rows);
                    return Err(again(&self.path, &what));
                }
                return Ok(false);
            };
            self.batch = batch;
            self.next = 1;
        }
        Ok(true)
    }

    fn row(&self) -> usize {
        self.next - 1
    }

    fn column(&self, name: &str) -> Option<&dyn Array> {
        let column = self.batch.column_by_name(name);
        let column = column.expect("columns are checked when a file is opened");
        (!column.is_null(self.row())).then_some(&**column)
    }

    /// A string of the row; `None` where it is null.
    pub fn text(&self, name: &str) -> Option<&str> {
        let column = self.column(name)?;
        Some(column.as_string::<i32>().value(self.row()))
    }

    /// A number of the row; `None` where it is null.
    pub fn number<T: ArrowPrimitiveType>(&self, name: &str) -> Option<T::Native> {
        let column = self.column(name)?;
        Some(column.as_primitive::<T>().value(self.row()))
    }

    /// A count of the row; `None` where it is null or negative.
    pub fn count(&self, name: &str) -> Option<u32> {
        u32::try_from(self.number::<Int32Type>(name)?).ok()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An error about the row, counted from 1; at the end about the one that would follow.
    pub fn broken(&self, what: &str) -> Error {
        let row = self.before + self.next.max(1) as u64;
        again(&self.path, &format!("row {row}: {what}"))
    }
}

/// What the Parquet library makes of a file. On some that are damaged it panics.
fn decoded<T, E: Display>(path: &Path, work: impl FnOnce() -> Result<T, E>) -> Result<T> {
    let what = match panics::catch(work) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(error)) => format!("cannot be decoded ({error})"),
        Err(_) => "cannot be decoded".to_owned(),
    };
    Err(again(path, &what))
}

/// An error about something that the pipeline of a shard did not write.
pub(super) fn lacking(path: &Path, what: &str, key: &str) -> Error {
    Error::Usage(format!(
        "{}: {what}; set {key} in the pipeline file and run `clean` again with another --out",
        path.display()
    ))
}

/// An error about a file that `clean` has to write again.
fn again(path: &Path, what: &str) -> Error {
    Error::Integrity {
        path: path.to_owned(),
        message: format!("{what}; remove the file and run `clean` again"),
    }
}

/// Rows of a batch of about [`BATCH_BYTES`], by the row group whose rows are largest.
fn batch_rows(metadata: &ParquetMetaData, most: usize) -> usize {
    let sizes = metadata.row_groups().iter().map(|group| {
        let bytes = u64::try_from(group.total_byte_size()).unwrap_or(0);
        bytes / u64::try_from(group.num_rows()).unwrap_or(0).max(1)
    });
    let largest = sizes.max().unwrap_or(0).max(1);
    usize::try_from(BATCH_BYTES / largest).map_or(most, |rows| rows.clamp(1, most))
}
