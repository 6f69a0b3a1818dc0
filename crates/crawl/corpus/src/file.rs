//! A Parquet file of one table that appears whole or not at all.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_store::HashedFile;
use warcsieve_tables::OutputFile;
use warcsieve_tables::WRITER;

/// Rows per row group.
const GROUP_ROWS: usize = 1 << 17;

/// A file that is being written.
pub struct TableWriter {
    path: PathBuf,
    writer: ArrowWriter<HashedFile>,
    /// Number of rows written.
    pub(super) rows: u64,
}

impl TableWriter {
    /// Creates a temporary file, which gets its name at the end.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(path: &Path, schema: SchemaRef) -> Result<Self> {
        let properties = WriterProperties::builder()
            .set_created_by(format!("{WRITER}{}", warcsieve_run::VERSION))
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .build();
        let file = HashedFile::create(path)?;
        let writer = ArrowWriter::try_new(file, schema, Some(properties));
        Ok(Self {
            writer: writer.map_err(|e| failed(path, e))?,
            path: path.to_owned(),
            rows: 0,
        })
    }

    /// Appends rows.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, rows: &RecordBatch) -> Result<()> {
        self.rows += rows.num_rows() as u64;
        let written = self.writer.write(rows);
        written.map_err(|e| failed(&self.path, e))
    }

    /// Ends the row group. It is in memory until then.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn end_group(&mut self) -> Result<()> {
        self.writer.flush().map_err(|e| failed(&self.path, e))
    }

    /// Completes the file and gives it its name. Returns the number of rows.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(self) -> Result<u64> {
        self.complete(String::new()).map(|file| file.rows)
    }

    /// Completes the file. Returns what was written, with this name.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn complete(self, name: String) -> Result<OutputFile> {
        let mut file = self.writer.into_inner();
        file.as_mut().map(HashedFile::sync).ok().transpose()?;
        let (bytes, sha256) = file.map_err(|e| failed(&self.path, e))?.commit()?;
        Ok(OutputFile {
            path: name,
            bytes,
            rows: self.rows,
            sha256,
        })
    }
}

fn failed(path: &Path, error: ParquetError) -> Error {
    Error::io(path, std::io::Error::other(error))
}
