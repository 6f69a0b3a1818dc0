//! Indexes in Parquet: the properties of lines also hold for rows.

use super::cdx;
use crate::Target;
use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::Compression;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use std::sync::Arc;

/// The target.
pub const TARGET: Target = Target {
    name: "parquet",
    check: cdx::check,
    seeds,
    max_len: 2048,
    fair: 10_000.0,
};

fn seeds() -> Vec<Vec<u8>> {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::ZSTD(Default::default()),
    ];
    codecs
        .into_iter()
        .flat_map(|codec| [table(codec, 2), table(codec, 60)])
        .collect()
}

/// An index with this many rows that is as small as possible.
fn table(codec: Compression, rows: i32) -> Vec<u8> {
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(
        (0..rows).map(|i| format!("x{}", i / 9)),
    ));
    let offsets: ArrayRef = Arc::new(Int64Array::from_iter_values(
        (0..rows).map(|i| i64::from(i) * 70),
    ));
    let lengths: ArrayRef = Arc::new(Int32Array::from_iter_values((0..rows).map(|i| 60 + i % 7)));
    let batch = RecordBatch::try_from_iter([
        ("warc_filename", names),
        ("warc_record_offset", offsets),
        ("warc_record_length", lengths),
    ]);
    let batch = batch.unwrap();
    let properties = WriterProperties::builder()
        .set_compression(codec)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_created_by("x".to_owned())
        .set_offset_index_disabled(true)
        .build();
    let options = ::parquet::arrow::arrow_writer::ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true);
    let mut writer =
        ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}
