//! One table as a Parquet file.

#[cfg(test)]
mod tests;

use super::encoders::{Encoder, Encoders};
use super::format::Format;
use super::journal::{Journal, Kept, Prefix, WrittenGroup};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowSchemaConverter;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescPtr;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Folder, HashedFile};

/// A table that is being written.
///
/// Row groups are written column by column, not by `ArrowWriter`, which cannot continue a file. A
/// resumed table takes over the row groups of an earlier process unchanged.
pub(super) struct TableWriter {
    writer: SerializedFileWriter<HashedFile>,
    columns: Encoders,
    schema: SchemaRef,
    descriptor: SchemaDescPtr,
    /// The columns of the open row group; none before its first row.
    open: Vec<Encoder>,
    row_group_bytes: usize,
    /// Calls of [`TableWriter::write`], including those before a resumption.
    writes: u64,
    /// Writes whose rows were already in the file when it was resumed.
    resumed: u64,
    journal: Option<Journal>,
    /// Name below the output folder.
    name: String,
}

impl TableWriter {
    /// Starts a file in the folder `out`.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn create(out: &Folder, format: Format) -> Result<Self> {
        let file = out.create(&format.name)?;
        Self::new(file, format)
    }

    /// Continues a table after its write `until`, or starts it if that is 0. The data for this is
    /// in files of `folder` whose names begin with `short`.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] if the files are not what the journal says.
    pub(super) fn resume(
        target: &Path,
        format: Format,
        folder: &Path,
        (short, kept): (&str, Kept),
        until: u64,
    ) -> Result<Self> {
        let begun = folder.join(format!("{short}.parquet"));
        let prefix = kept.prefix();
        let file = HashedFile::resume(target, &begun, prefix.bytes)?;
        let mut table = Self::new(file, format)?;
        let (earlier, path) = (open(&begun)?, begun.clone());
        for group in &kept.groups {
            table
                .append(&earlier, group)
                .map_err(|e| parquet_error(&path, e))?;
        }
        table.writer.flush().map_err(|e| Error::io(&path, e))?;
        if !kept.groups.is_empty() && table.prefix(prefix.writes) != prefix {
            return Err(Error::Integrity {
                path: begun,
                message: format!(
                    "its first {} bytes are not those that were written",
                    prefix.bytes
                ),
            });
        }
        (table.writes, table.resumed) = (until, prefix.writes);
        let rows = kept.rows_until(until)?;
        table.journal = Some(kept.resume(until)?);
        // The journal must exist before this loop: the earlier process may have ended when a row
        // group was about to close. Then it closes after the last of these rows.
        for rows in rows {
            table.encode(&rows?)?;
        }
        Ok(table)
    }

    fn new(file: HashedFile, format: Format) -> Result<Self> {
        let target = file.target().to_owned();
        let error = |e| parquet_error(&target, e);
        // Plain Parquet types are sufficient; readers need no Arrow schema.
        let descriptor = ArrowSchemaConverter::new()
            .convert(&format.schema)
            .map_err(error)?;
        let properties = Arc::new(format.properties);
        let writer = SerializedFileWriter::new(file, descriptor.root_schema_ptr(), properties);
        let writer = writer.map_err(error)?;
        Ok(Self {
            columns: Encoders::new(&writer, &descriptor, format.schema.clone()),
            writer,
            schema: format.schema,
            descriptor: Arc::new(descriptor),
            open: Vec::new(),
            row_group_bytes: format.row_group_bytes,
            writes: 0,
            resumed: 0,
            journal: None,
            name: format.name,
        })
    }

    /// Takes over a row group of an earlier file unchanged.
    fn append(&mut self, earlier: &File, group: &WrittenGroup) -> ParquetResult<()> {
        let Some(metadata) = group.metadata.row_groups().first() else {
            return Ok(());
        };
        let pages = group.metadata.page_index_for_row_group(0);
        let mut appended = self.writer.next_row_group()?;
        for (number, column) in metadata.columns().iter().enumerate() {
            let close = ColumnCloseResult {
                bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
                rows_written: u64::try_from(metadata.num_rows()).unwrap_or(0),
                metadata: column.clone(),
                bloom_filter: None,
                column_index: pages.column_index(number).cloned(),
                offset_index: pages.offset_index(number).cloned(),
            };
            appended.append_column(earlier, close)?;
        }
        appended.close().map(drop)
    }

    /// Appends rows, unless they were already in the file when it was resumed.
    ///
    /// # Errors
    /// [`Error::Io`]. The table must not be used again then.
    pub(super) fn write(&mut self, rows: &RecordBatch) -> Result<()> {
        self.writes += 1;
        if self.writes <= self.resumed {
            return Ok(());
        }
        if let Some(journal) = &mut self.journal {
            journal.note_rows(self.writes, rows)?;
        }
        self.encode(rows)
    }

    /// Confirms all writes so far, so that a later process can continue after them. Returns their
    /// number.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn checkpoint(&mut self) -> Result<u64> {
        if let Some(journal) = &mut self.journal {
            journal.flush()?;
        }
        Ok(self.writes)
    }

    fn encode(&mut self, rows: &RecordBatch) -> Result<()> {
        if rows.num_rows() == 0 {
            return Ok(());
        }
        let encoded = self.encode_columns(rows);
        let bytes = encoded.map_err(|e| parquet_error(self.writer.inner().target(), e))?;
        match bytes >= self.row_group_bytes {
            true => self.close_row_group(),
            false => Ok(()),
        }
    }

    /// Appends rows to the open row group. Returns the approximate size that the group will have in
    /// bytes.
    fn encode_columns(&mut self, rows: &RecordBatch) -> ParquetResult<usize> {
        if self.open.is_empty() {
            let number = self.writer.flushed_row_groups().len();
            self.open = self.columns.open(number)?;
        }
        let fields = self.schema.fields().iter().zip(rows.columns());
        for (column, (field, values)) in self.open.iter_mut().zip(fields) {
            self.columns.write(column, field, values)?;
        }
        Ok(self.open.iter().map(Encoder::bytes).sum())
    }

    fn close_row_group(&mut self) -> Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        let target = self.writer.inner().target().to_owned();
        let mut close = || {
            let mut indexes = Vec::new();
            let mut group = self.writer.next_row_group()?;
            for column in self.open.drain(..) {
                indexes.extend(self.columns.close(column, &mut group)?);
            }
            let metadata = group.close()?;
            self.writer.flush()?;
            Ok((metadata, indexes))
        };
        let (group, indexes) = close().map_err(|e| parquet_error(&target, e))?;
        let file = self.prefix(self.writes);
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        let schema = self.descriptor.clone();
        let group = WrittenGroup::new(file, schema, group.as_ref().clone(), indexes);
        journal.note_group(&group)
    }

    /// The file at this moment, when its row groups hold the rows of this many writes.
    fn prefix(&self, writes: u64) -> Prefix {
        Prefix {
            writes,
            bytes: self.writer.bytes_written() as u64,
            sha256: self.writer.inner().hash(),
        }
    }

    /// The parts of the writer, for a caller that writes whole columns at a time.
    pub(super) fn into_parts(self) -> (SerializedFileWriter<HashedFile>, Encoders) {
        (self.writer, self.columns)
    }

    /// Closes the file and checks it as [`checked`] does.
    ///
    /// # Errors
    /// Those of [`checked`].
    pub(super) fn finish(mut self, expected: u64) -> Result<(HashedFile, String, u64)> {
        self.journal = None;
        self.close_row_group()?;
        let target = self.writer.inner().target().to_owned();
        let file = self.writer.into_inner();
        let file = file.map_err(|e| parquet_error(&target, e))?;
        Ok((checked(file, expected)?, self.name, expected))
    }
}

/// Writes a closed file to the disk, and compares the number of rows in its footer with the
/// expected one.
///
/// # Errors
/// [`Error::Integrity`] if they differ; [`Error::Io`].
pub(super) fn checked(mut file: HashedFile, expected: u64) -> Result<HashedFile> {
    let target = file.target().to_owned();
    let footer = ParquetMetaDataReader::new().parse_and_finish(file.sync()?);
    let footer = footer.map_err(|e| parquet_error(&target, e))?;
    let rows = u64::try_from(footer.file_metadata().num_rows()).unwrap_or(0);
    if rows != expected {
        return Err(Error::Integrity {
            path: target,
            message: format!("{expected} rows were counted but the finished file holds {rows}"),
        });
    }
    Ok(file)
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|e| Error::io(path, e))
}

pub(super) fn parquet_error(path: &Path, error: ParquetError) -> Error {
    let source = match error {
        ParquetError::External(e) => match e.downcast::<std::io::Error>() {
            Ok(io) => *io,
            Err(e) => std::io::Error::other(e),
        },
        e => std::io::Error::other(e),
    };
    Error::io(path, source)
}
