//! Rows as Parquet files, one of documents and one of blocks.

use super::{OutputFile, RowCounts, Rows, Sink, blocks, documents};
use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_writer::ArrowWriterOptions;
use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{KeyValue, ParquetMetaDataReader};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::schema::types::ColumnPath;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use std::path::Path;
use warcsieve_base::{Error, Result};
use warcsieve_clean::Settings;
use warcsieve_store::Folder;
use warcsieve_store::HashedFile;

/// Encoded bytes after which a row group is closed. Also what a writer holds in memory.
const ROW_GROUP_BYTES: usize = 16 << 20;

/// Text columns whose values rarely repeat: no dictionary, and no statistics, which would copy page
/// texts into the footer.
const FREE_TEXT: &[&str] = &["text", "title", "url", "warc_record_id"];

/// Number columns that delta encoding already makes small: compressing them once more costs more
/// than the 2 % it saves.
const DENSE: &[&str] = &["source_start", "source_end", "text_start", "text_end"];

/// What made the rows, for the files' footers.
#[derive(Clone, Debug)]
pub struct RunIdentity {
    /// Tool version.
    pub version: &'static str,
    /// sha256 of the pipeline file.
    pub pipeline: String,
    /// sha256 of the model, where the pipeline has one.
    pub model: Option<String>,
}

/// Writes `documents/NAME.parquet` and `blocks/NAME.parquet`.
///
/// Row groups close at about 16 MB encoded, so that is what a file holds in
/// memory; both files appear when the sink is finished.
pub struct ParquetSink {
    documents: Table,
    blocks: Option<Table>,
}

struct Table {
    writer: ArrowWriter<HashedFile>,
    path: String,
}

impl ParquetSink {
    /// Starts the files of the input `name` below the folder `out`.
    ///
    /// # Errors
    /// [`Error::Io`] if they cannot be made.
    pub fn create(
        out: &Folder,
        name: &str,
        settings: &Settings,
        run: &RunIdentity,
    ) -> Result<Self> {
        let table = |folder: &str, schema| {
            Table::create(
                out,
                format!("{folder}/{name}.parquet"),
                schema,
                settings,
                run,
            )
        };
        Ok(Self {
            documents: table("documents", documents::SCHEMA.clone())?,
            blocks: match settings.blocks {
                true => Some(table("blocks", blocks::schema(settings))?),
                false => None,
            },
        })
    }
}

impl Sink for ParquetSink {
    fn write(&mut self, rows: &Rows) -> Result<()> {
        self.documents.write(&rows.documents)?;
        match (&mut self.blocks, &rows.blocks) {
            (Some(table), Some(rows)) => table.write(rows),
            _ => Ok(()),
        }
    }

    fn finish(self: Box<Self>, expected: RowCounts) -> Result<Vec<OutputFile>> {
        let mut files = vec![self.documents.finish(expected.documents)?];
        if let Some(table) = self.blocks {
            files.push(table.finish(expected.blocks)?);
        }
        files
            .into_iter()
            .map(|(file, path, rows)| {
                let (bytes, sha256) = file.commit()?;
                Ok(OutputFile {
                    path,
                    bytes,
                    rows,
                    sha256,
                })
            })
            .collect()
    }
}

impl Table {
    fn create(
        out: &Folder,
        path: String,
        schema: SchemaRef,
        settings: &Settings,
        run: &RunIdentity,
    ) -> Result<Self> {
        let file = out.create(&path)?;
        let target = file.target().to_owned();
        let options = ArrowWriterOptions::new()
            .with_properties(properties(&schema, settings, run))
            // Plain Parquet types are sufficient; readers need no Arrow schema.
            .with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(file, schema, options)
            .map_err(|e| parquet_error(&target, e))?;
        Ok(Self { writer, path })
    }

    fn write(&mut self, rows: &RecordBatch) -> Result<()> {
        let result = self.writer.write(rows).and_then(|()| {
            if self.writer.in_progress_size() >= ROW_GROUP_BYTES {
                self.writer.flush()
            } else {
                Ok(())
            }
        });
        result.map_err(|e| parquet_error(self.writer.inner().target(), e))
    }

    /// Closes the file and compares the number of rows in its footer on disk with the expected one.
    fn finish(self, expected: u64) -> Result<(HashedFile, String, u64)> {
        let target = self.writer.inner().target().to_owned();
        let mut file = self
            .writer
            .into_inner()
            .map_err(|e| parquet_error(&target, e))?;
        let written = file.sync()?;
        let footer = ParquetMetaDataReader::new()
            .parse_and_finish(written)
            .map_err(|e| parquet_error(&target, e))?;
        let rows = u64::try_from(footer.file_metadata().num_rows()).unwrap_or(0);
        if rows != expected {
            return Err(Error::Integrity {
                path: target,
                message: format!("{expected} rows were counted but the finished file holds {rows}"),
            });
        }
        Ok((file, self.path, rows))
    }
}

fn properties(schema: &SchemaRef, settings: &Settings, run: &RunIdentity) -> WriterProperties {
    let level = ZstdLevel::try_new(settings.zstd).unwrap_or_default();
    let pair = |key: &str, value: String| KeyValue::new(format!("warcsieve.{key}"), value);
    let mut footer = vec![
        pair("version", run.version.to_owned()),
        pair("pipeline_sha256", run.pipeline.clone()),
        pair("output", settings.output.as_str().to_owned()),
    ];
    footer.extend(run.model.clone().map(|m| pair("model_sha256", m)));
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("warcsieve version {}", run.version))
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(footer))
        .set_max_row_group_row_count(None);
    for field in schema.fields() {
        let column = || ColumnPath::from(field.name().as_str());
        properties = match field.data_type() {
            DataType::Utf8 if FREE_TEXT.contains(&field.name().as_str()) => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_statistics_enabled(column(), EnabledStatistics::None),
            // Statistics let readers skip pages by their least and greatest value; no query uses
            // those of a path or a reason.
            DataType::Utf8 if field.name() != "id" => {
                properties.set_column_statistics_enabled(column(), EnabledStatistics::None)
            }
            DataType::Utf8 => properties,
            _ if DENSE.contains(&field.name().as_str()) => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED)
                .set_column_compression(column(), Compression::UNCOMPRESSED),
            DataType::Float32 => properties.set_column_dictionary_enabled(column(), false),
            _ => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED),
        };
    }
    properties.build()
}

fn parquet_error(path: &Path, error: ParquetError) -> Error {
    let source = match error {
        ParquetError::External(e) => match e.downcast::<std::io::Error>() {
            Ok(io) => *io,
            Err(e) => std::io::Error::other(e),
        },
        e => std::io::Error::other(e),
    };
    Error::io(path, source)
}
