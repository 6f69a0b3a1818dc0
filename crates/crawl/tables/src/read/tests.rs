use super::*;
use arrow_array::{ArrayRef, Int32Array, Int64Array, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use std::io::{Seek, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use warcsieve_fixture::Mutations;

const COLUMNS: &[&str] = &["name", "offset", "length"];
const ROWS: i64 = 40;

fn written(properties: WriterPropertiesBuilder) -> Vec<u8> {
    let names = (0..ROWS).map(|i| (i % 7 > 0).then(|| format!("crawl/{}.warc.gz", i % 3)));
    let columns: [(&str, ArrayRef); 3] = [
        ("name", Arc::new(StringArray::from_iter(names))),
        (
            "offset",
            Arc::new(Int64Array::from_iter_values((0..ROWS).map(|i| i * i))),
        ),
        (
            "length",
            Arc::new(Int32Array::from_iter_values(0..ROWS as i32)),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let properties = properties
        .set_data_page_row_count_limit(16)
        .set_write_batch_size(8);
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn plain() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_dictionary_enabled(false)
}

/// Files with each codec, encoding and version of pages that the library writes.
fn files() -> Vec<Vec<u8>> {
    let dictionaries = WriterProperties::builder;
    let second = WriterVersion::PARQUET_2_0;
    vec![
        written(plain()),
        written(
            plain()
                .set_encoding(Encoding::PLAIN)
                .set_writer_version(second),
        ),
        written(dictionaries()),
        written(dictionaries().set_writer_version(second)),
        written(dictionaries().set_compression(Compression::SNAPPY)),
        written(dictionaries().set_compression(Compression::ZSTD(Default::default()))),
        written(
            plain()
                .set_column_encoding("offset".into(), Encoding::DELTA_BINARY_PACKED)
                .set_column_encoding("length".into(), Encoding::DELTA_BINARY_PACKED)
                .set_compression(Compression::GZIP(Default::default())),
        ),
    ]
}

/// The number of rows.
fn read(bytes: &[u8]) -> Result<usize, String> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let mut batches = TableFile::open(file, options)?.read(COLUMNS, 16)?;
    let mut rows = 0;
    while let Some(batch) = batches.next_batch()? {
        assert!(batch.num_rows() <= 16);
        rows += batch.num_rows();
    }
    Ok(rows)
}

#[test]
fn sound_files_are_read() {
    for bytes in files() {
        assert_eq!(read(&bytes), Ok(ROWS as usize));
    }
}

#[test]
fn a_list_that_a_page_claims_is_not_counted_through() {
    let mut bytes = written(plain());
    let claim = [0xf9, 0xf7, 0xff, 0xff, 0xff, 0xff, 0x07];
    bytes[4..4 + claim.len()].copy_from_slice(&claim);
    let error = read(&bytes).unwrap_err();
    assert!(error.contains("page of `name` at byte 4"), "{error}");
}

#[test]
fn encodings_that_claim_memory_are_refused_with_a_remedy() {
    for encoding in [
        Encoding::DELTA_BYTE_ARRAY,
        Encoding::DELTA_LENGTH_BYTE_ARRAY,
    ] {
        let column = plain().set_column_encoding("name".into(), encoding);
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let error = read(&written(column.clone().set_writer_version(version))).unwrap_err();
            assert!(error.contains("write the file with PLAIN"), "{error}");
        }
    }
}

#[test]
fn a_footer_that_claims_too_much_is_refused() {
    let sound = written(plain());
    let size = sound.len();
    let with_length = |length: u32| {
        let mut bytes = sound.clone();
        bytes[size - 8..size - 4].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    for (bytes, what) in [
        (with_length(u32::MAX), "a footer of 4294967295 bytes"),
        (with_length(0), "cut short"),
        (with_length(size as u32), "a footer of"),
        (sound[..size - 1].to_vec(), "does not end as"),
        (b"PAR1".to_vec(), "too short"),
        (Vec::new(), "too short"),
    ] {
        let error = read(&bytes).unwrap_err();
        assert!(error.contains(what), "{error}");
    }
}

/// A file that is only a footer: a schema of nested groups.
#[test]
fn a_deep_schema_is_refused() {
    let depth = 9_000u32;
    // Version 2; the schema: a list of `depth` elements.
    let mut footer = vec![0x15, 4, 0x19, 0xfc];
    footer.extend([(depth & 0x7f | 0x80) as u8, (depth >> 7) as u8]);
    for _ in 0..depth {
        // Optional; its name; one child.
        footer.extend([0x35, 2, 0x18, 1, b'g', 0x15, 2, 0]);
    }
    // No rows, no row groups.
    footer.extend([0x16, 0, 0x19, 0x0c, 0]);
    let mut bytes = b"PAR1".to_vec();
    bytes.extend(&footer);
    bytes.extend((footer.len() as u32).to_le_bytes());
    bytes.extend(b"PAR1");
    let error = read(&bytes).unwrap_err();
    assert!(error.contains("nested too deep"), "{error}");
}

#[test]
fn damaged_files_are_read_in_bounded_time() {
    let mut mutations = Mutations::new(1);
    let (mut refused, mut slowest) = (0, Duration::ZERO);
    for sound in files() {
        for _ in 0..1_000 {
            let bytes = mutations.of(&sound);
            let begun = Instant::now();
            match read(&bytes) {
                Ok(rows) => assert!(rows <= bytes.len() << 10),
                Err(_) => refused += 1,
            }
            slowest = slowest.max(begun.elapsed());
        }
    }
    assert!(refused > 3_000, "{refused}");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

#[test]
#[cfg(unix)]
fn a_failure_of_the_system_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    std::fs::write(&path, "PAR1 and no footer PAR1").unwrap();
    let damaged = |why: Unreadable| matches!(why, Unreadable::Damaged(_));
    let open = || File::open(&path).unwrap();
    assert!(damaged(check_footer(&open()).unwrap_err()));
    assert!(damaged(
        TableFile::open(open(), ArrowReaderOptions::new())
            .err()
            .unwrap()
    ));
    // A file that is open for writing alone cannot be read.
    let blind = || File::options().write(true).open(&path).unwrap();
    assert!(!damaged(check_footer(&blind()).unwrap_err()));
    let source = Source::new(blind());
    let load = || ArrowReaderMetadata::load(&source, ArrowReaderOptions::new());
    let why = source.failure().decoded(load).unwrap_err();
    assert!(!damaged(why));
    let again = Source::new(open());
    let load = || ArrowReaderMetadata::load(&again, ArrowReaderOptions::new());
    assert!(damaged(again.failure().decoded(load).unwrap_err()));
}
