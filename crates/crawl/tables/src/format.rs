//! How the tables of a run are written as Parquet.

use super::documents::nested;
use super::tables::{NAMES, path_of};
use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::file::metadata::{FileMetaData, KeyValue};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use ::parquet::schema::types::ColumnPath;
use arrow_schema::{DataType, SchemaRef};
use serde_json::{Map, Value};
use warcsieve_extract::{Pipeline, Settings};

/// The beginning of `created_by` in the Parquet tables that this program writes.
pub const WRITER: &str = "warcsieve version ";

/// Encoded bytes at which a row group is closed.
const ROW_GROUP_BYTES: usize = 16 << 20;

/// Columns, besides the numbers of `documents`, for which the files store minimum and maximum.
/// Readers use them to skip row groups and pages. No query asks for a range of the other columns.
const STATISTICS_COLUMNS: &[&str] = &["id", "url", "language"];

/// Text columns whose values rarely repeat: no dictionary.
const FREE_TEXT: &[&str] = &[
    "text",
    "title",
    "url",
    "warc_record_id",
    "headline",
    "description",
    "canonical",
    "image",
    "preformatted",
    "attributes",
];

/// Number columns that are small after delta encoding. Compression would cost more than the 2 %
/// that it saves.
const DENSE: &[&str] = &["source_start", "source_end", "text_start", "text_end"];

/// What made the rows. It is stored in the files' footers.
#[derive(Clone, Debug)]
pub struct RunIdentity {
    /// Tool version.
    pub version: &'static str,
    /// sha256 of the pipeline file.
    pub pipeline: String,
    /// sha256 of the model, where the pipeline has one.
    pub model: Option<String>,
    /// The pipeline's settings as JSON, its segmentation among them.
    pub settings: String,
}

impl RunIdentity {
    /// Key of the settings in a file's footer.
    pub const SETTINGS: &str = "warcsieve.settings";

    /// The identity of a pipeline.
    pub fn of(pipeline: &Pipeline, version: &'static str) -> Self {
        Self {
            version,
            pipeline: pipeline.hash.clone(),
            model: pipeline.model_hash.clone(),
            settings: serde_json::to_string(&pipeline.effective_settings())
                .expect("settings are plain data"),
        }
    }
}

/// How a table is written.
pub(super) struct Format {
    pub(super) schema: SchemaRef,
    pub(super) properties: WriterProperties,
    /// Encoded bytes at which a row group is closed. A writer holds as much in memory.
    pub(super) row_group_bytes: usize,
    /// Name below the output folder.
    pub(super) name: String,
}

impl Format {
    /// How a table of an input is written.
    pub(super) fn new(
        table: &str,
        input: &str,
        schema: SchemaRef,
        settings: &Settings,
        run: &RunIdentity,
    ) -> Self {
        Self {
            properties: properties(
                table,
                &schema,
                settings.zstd,
                WriterProperties::builder()
                    .set_created_by(format!("{WRITER}{}", run.version))
                    .set_key_value_metadata(Some(footer(settings, run))),
            ),
            schema,
            row_group_bytes: ROW_GROUP_BYTES,
            name: path_of(table, input),
        }
    }

    /// How a file of this table was written that has this footer and these columns. Its settings are in the footer.
    pub(super) fn again(
        table: &str,
        input: &str,
        schema: SchemaRef,
        written: &FileMetaData,
    ) -> Result<Self, String> {
        let pairs = written.key_value_metadata().cloned().unwrap_or_default();
        let settings = pairs.iter().find(|pair| pair.key == RunIdentity::SETTINGS);
        let settings = settings.and_then(|pair| pair.value.as_deref());
        let settings: Option<Map<String, Value>> =
            settings.and_then(|json| serde_json::from_str(json).ok());
        let settings = settings.ok_or("its footer does not say the settings")?;
        let level = settings.get("zstd").and_then(Value::as_i64);
        let level = level.and_then(|level| i32::try_from(level).ok());
        Ok(Self {
            properties: properties(
                table,
                &schema,
                level.ok_or("its footer does not say how it is compressed")?,
                WriterProperties::builder()
                    .set_created_by(written.created_by().unwrap_or_default().to_owned())
                    .set_key_value_metadata(Some(pairs)),
            ),
            schema,
            row_group_bytes: ROW_GROUP_BYTES,
            name: path_of(table, input),
        })
    }
}

/// What the footer of a file says.
fn footer(settings: &Settings, run: &RunIdentity) -> Vec<KeyValue> {
    let pair = |key: &str, value: String| KeyValue::new(format!("warcsieve.{key}"), value);
    let mut footer = vec![
        pair("version", run.version.to_owned()),
        pair("pipeline_sha256", run.pipeline.clone()),
        pair("output", settings.output.as_str().to_owned()),
        KeyValue::new(RunIdentity::SETTINGS.to_owned(), run.settings.clone()),
    ];
    footer.extend(run.model.clone().map(|m| pair("model_sha256", m)));
    footer
}

fn properties(
    table: &str,
    schema: &SchemaRef,
    zstd: i32,
    builder: WriterPropertiesBuilder,
) -> WriterProperties {
    let level = ZstdLevel::try_new(zstd).unwrap_or_default();
    let mut properties = builder
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(None);
    for path in nested() {
        properties = properties
            .set_column_statistics_enabled(ColumnPath::new(path), EnabledStatistics::None);
    }
    for field in schema.fields() {
        let column = || ColumnPath::from(field.name().as_str());
        let is_number = field.data_type().is_numeric() || field.data_type().is_temporal();
        let is_limited = STATISTICS_COLUMNS.contains(&field.name().as_str())
            || is_number && table == NAMES.documents;
        if !is_limited {
            properties =
                properties.set_column_statistics_enabled(column(), EnabledStatistics::None);
        }
        properties = match field.data_type() {
            DataType::Utf8 if FREE_TEXT.contains(&field.name().as_str()) => {
                properties.set_column_dictionary_enabled(column(), false)
            }
            DataType::Utf8 | DataType::Dictionary(..) | DataType::List(_) | DataType::Struct(_) => {
                properties
            }
            DataType::Binary if field.name() == "boxes" => {
                properties.set_column_dictionary_enabled(column(), false)
            }
            // Pictures are compressed already.
            DataType::Binary => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_compression(column(), Compression::UNCOMPRESSED),
            _ if DENSE.contains(&field.name().as_str()) => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED)
                .set_column_compression(column(), Compression::UNCOMPRESSED),
            DataType::Float32 | DataType::Float64 | DataType::Boolean => {
                properties.set_column_dictionary_enabled(column(), false)
            }
            _ => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED),
        };
    }
    properties.build()
}
