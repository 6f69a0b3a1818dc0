//! Reads the rows of one Parquet file in order.

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int32Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_tables::OutputFile;
use warcsieve_tables::read::{Batches, TableFile, batch_rows, damaged_output};

/// Target size of a batch in bytes, if all rows had the same size.
const BATCH_BYTES: u64 = 1 << 20;

/// The rows of a file, with one batch in memory.
pub struct Rows {
    path: PathBuf,
    batches: Batches,
    batch: RecordBatch,
    /// Index of the next row in the batch.
    next: usize,
    /// Number of rows in earlier batches.
    before: u64,
    /// Number of rows of the file.
    rows: u64,
}

/// A file whose size and number of rows match its manifest row.
pub struct Checked {
    path: PathBuf,
    rows: u64,
    table: TableFile,
}

impl Checked {
    /// Opens an output below `folder` and checks it against its manifest row.
    ///
    /// # Errors
    /// [`Error::Integrity`] if the file is missing, or its size or number of rows differs from the
    /// manifest row; [`Error::Io`].
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
            return Err(damaged_output(&path, &what));
        }
        let checked = Self::unlisted(&path)?;
        if checked.rows != file.rows {
            let what = format!("has {} rows, but {} were written", checked.rows, file.rows);
            return Err(damaged_output(&path, &what));
        }
        Ok(checked)
    }

    /// Opens a table that is in no manifest row, such as `clusters.parquet`.
    ///
    /// # Errors
    /// [`Error::Integrity`] if it is not a table; [`Error::Io`].
    pub fn unlisted(path: &Path) -> Result<Self> {
        let opened = File::open(path).map_err(|e| Error::io(path, e))?;
        let table = TableFile::open(opened, ArrowReaderOptions::new())
            .map_err(|why| why.in_output(path))?;
        let rows = table.metadata().file_metadata().num_rows();
        Ok(Self {
            path: path.to_owned(),
            rows: u64::try_from(rows).unwrap_or(0),
            table,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a column with this name.
    pub fn has(&self, column: &str) -> bool {
        self.table.schema().field_with_name(column).is_ok()
    }

    /// The type of the column with this name.
    pub fn kind(&self, column: &str) -> Option<&DataType> {
        let field = self.table.schema().field_with_name(column).ok()?;
        Some(field.data_type())
    }

    /// The value of a key in the footer.
    pub fn footer(&self, key: &str) -> Option<&str> {
        let pairs = self.table.metadata().file_metadata().key_value_metadata();
        let pair = pairs?.iter().find(|pair| pair.key == key)?;
        pair.value.as_deref()
    }

    /// Reads the columns of `schema`, at most `max_rows` rows at a time.
    ///
    /// # Errors
    /// [`Error::Integrity`] if a column is missing or has another type.
    pub fn read(self, schema: &Schema, max_rows: usize) -> Result<Rows> {
        let Self { path, rows, table } = self;
        for field in schema.fields() {
            let (name, kind) = (field.name(), field.data_type());
            let found = table.schema().field_with_name(name).ok();
            if found.map(|f| f.data_type()) != Some(kind) {
                return Err(damaged_output(
                    &path,
                    &format!("has no column `{name}` of type {kind}"),
                ));
            }
        }
        let names: Vec<_> = schema.fields().iter().map(|f| f.name().as_str()).collect();
        let most_rows = batch_rows(table.metadata(), BATCH_BYTES, max_rows);
        let batches = table.read(&names, most_rows);
        Ok(Rows {
            batches: batches.map_err(|why| why.in_output(&path))?,
            batch: RecordBatch::new_empty(Schema::empty().into()),
            next: 0,
            before: 0,
            rows,
            path,
        })
    }
}

impl Rows {
    /// Moves to the next row; `false` at the end.
    ///
    /// # Errors
    /// [`Error::Integrity`] if the row cannot be decoded.
    pub fn advance(&mut self) -> Result<bool> {
        self.next += 1;
        while self.next > self.batch.num_rows() {
            self.before += self.batch.num_rows() as u64;
            let batch = self.batches.next_batch();
            let Some(batch) = batch.map_err(|why| why.in_output(&self.path))? else {
                self.batch = self.batch.slice(0, 0);
                self.next = 0;
                if self.before != self.rows {
                    let what = format!("ends after row {} of {}", self.before, self.rows);
                    return Err(damaged_output(&self.path, &what));
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

    /// A string in the row; `None` if it is null.
    pub fn text(&self, name: &str) -> Option<&str> {
        let column = self.column(name)?;
        Some(column.as_string::<i32>().value(self.row()))
    }

    /// A number in the row; `None` if it is null.
    pub fn number<T: ArrowPrimitiveType>(&self, name: &str) -> Option<T::Native> {
        let column = self.column(name)?;
        Some(column.as_primitive::<T>().value(self.row()))
    }

    /// A count in the row; `None` if it is null or negative.
    pub fn count(&self, name: &str) -> Option<u32> {
        u32::try_from(self.number::<Int32Type>(name)?).ok()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An error about the current row, counted from 1. At the end, it is about the row after the
    /// last.
    pub fn broken(&self, what: &str) -> Error {
        let row = self.before + self.next.max(1) as u64;
        damaged_output(&self.path, &format!("row {row}: {what}"))
    }
}

/// An error about a part that the shard's pipeline did not write.
pub fn lacking(path: &Path, what: &str, key: &str) -> Error {
    Error::Invalid(format!(
        "{}: {what}; set {key} in the pipeline file and run `clean` again with another --out",
        path.display()
    ))
}
