//! The output must be that of `ArrowWriter`, however often writing is interrupted.

use super::*;
use arrow_array::{
    ArrayRef, BooleanArray, Float32Array, Int8Array, Int32Array, Int64Array, ListArray,
    StringArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::fs;

const ROW_GROUP_BYTES: usize = 4000;

fn schema() -> SchemaRef {
    let item = Arc::new(Field::new("item", DataType::Utf8, false));
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("text", DataType::Utf8, true),
        Field::new("words", DataType::UInt64, false),
        Field::new("score", DataType::Float32, true),
        Field::new("status", DataType::Int32, true),
        Field::new("offset", DataType::Int64, false),
        Field::new("level", DataType::Int8, false),
        Field::new("content", DataType::Boolean, false),
        Field::new(
            "date",
            DataType::Timestamp(TimeUnit::Microsecond, None),
            true,
        ),
        Field::new("warnings", DataType::List(item), false),
    ]))
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_column_dictionary_enabled("text".into(), false)
        .set_column_statistics_enabled("text".into(), EnabledStatistics::None)
        .set_column_dictionary_enabled("offset".into(), false)
        .set_column_encoding("offset".into(), Encoding::DELTA_BINARY_PACKED)
        .set_column_compression("offset".into(), Compression::UNCOMPRESSED)
        .set_data_page_size_limit(1000)
        .set_write_batch_size(8)
        .set_max_row_group_row_count(None)
        .build()
}

fn format() -> Format {
    Format {
        schema: schema(),
        properties: properties(),
        row_group_bytes: ROW_GROUP_BYTES,
        name: "t.parquet".to_owned(),
    }
}

/// Rows of write `number`; some writes have none.
fn rows_of(number: u64) -> RecordBatch {
    let numbers = number * 100..number * 100 + number * 7 % 40;
    let text = |n: u64| {
        (!n.is_multiple_of(5)).then(|| format!("{:x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    };
    let mut warnings =
        arrow_array::builder::ListBuilder::new(arrow_array::builder::StringBuilder::new())
            .with_field(Field::new("item", DataType::Utf8, false));
    for n in numbers.clone() {
        warnings.append_value((0..n % 3).map(|w| Some(format!("warning {w}"))));
    }
    let warnings: ListArray = warnings.finish();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(
            numbers.clone().map(|n| format!("id {n}")),
        )),
        Arc::new(StringArray::from_iter(numbers.clone().map(text))),
        Arc::new(UInt64Array::from_iter_values(
            numbers.clone().map(|n| n % 17),
        )),
        Arc::new(Float32Array::from_iter(
            numbers
                .clone()
                .map(|n| (!n.is_multiple_of(2)).then_some(n as f32)),
        )),
        Arc::new(Int32Array::from_iter(
            numbers
                .clone()
                .map(|n| (!n.is_multiple_of(4)).then_some(n as i32 - 300)),
        )),
        Arc::new(Int64Array::from_iter_values(
            numbers.clone().map(|n| n as i64 * n as i64 - 900),
        )),
        Arc::new(Int8Array::from_iter_values(
            numbers.clone().map(|n| (n % 7) as i8),
        )),
        Arc::new(BooleanArray::from_iter(
            numbers.clone().map(|n| Some(!n.is_multiple_of(3))),
        )),
        Arc::new(TimestampMicrosecondArray::from_iter(
            numbers
                .clone()
                .map(|n| (!n.is_multiple_of(5)).then_some(n as i64 * 1_000_003)),
        )),
        Arc::new(warnings),
    ];
    RecordBatch::try_new(schema(), columns).unwrap()
}

const WRITES: u64 = 60;

fn by_arrow_writer() -> Vec<u8> {
    let options = ArrowWriterOptions::new()
        .with_properties(properties())
        .with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), schema(), options).unwrap();
    for number in 1..=WRITES {
        writer.write(&rows_of(number)).unwrap();
        if writer.in_progress_size() >= ROW_GROUP_BYTES {
            writer.flush().unwrap();
        }
    }
    writer.into_inner().unwrap()
}

fn expected_rows() -> u64 {
    (1..=WRITES)
        .map(|number| rows_of(number).num_rows() as u64)
        .sum()
}

fn write(table: &mut TableWriter, numbers: std::ops::RangeInclusive<u64>) {
    for number in numbers {
        table.write(&rows_of(number)).unwrap();
    }
}

fn resume(folder: &Path, until: u64) -> Result<TableWriter> {
    let kept = Kept::read(folder, "t").unwrap();
    assert!(kept.writes >= until, "{} of {until}", kept.writes);
    TableWriter::resume(
        &folder.join("out/t.parquet"),
        format(),
        folder,
        ("t", kept),
        until,
    )
}

fn finish(table: TableWriter, folder: &Path) -> Vec<u8> {
    let (file, _, _) = table.finish(expected_rows()).unwrap();
    file.commit().unwrap();
    fs::read(folder.join("out/t.parquet")).unwrap()
}

#[test]
fn the_bytes_are_those_of_the_arrow_writer() {
    let folder = tempfile::tempdir().unwrap();
    let out = Folder::Local(folder.path().to_owned());
    let mut table = TableWriter::create(&out, format()).unwrap();
    write(&mut table, 1..=WRITES);
    let (file, _, _) = table.finish(expected_rows()).unwrap();
    file.commit().unwrap();
    let written = fs::read(folder.path().join("t.parquet")).unwrap();
    assert!(written == by_arrow_writer());
    let metadata = ParquetMetaDataReader::new();
    let metadata = metadata
        .parse_and_finish(&bytes::Bytes::from(written))
        .unwrap();
    assert!(
        metadata.num_row_groups() > 5,
        "{}",
        metadata.num_row_groups()
    );
}

#[test]
fn the_bytes_are_the_same_wherever_it_is_interrupted() {
    let whole = by_arrow_writer();
    for at in 0..=WRITES {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut table = resume(folder, 0).unwrap();
        write(&mut table, 1..=at);
        let confirmed = table.checkpoint().unwrap();
        assert_eq!(confirmed, at);
        // Writes that were not confirmed may or may not be in the files.
        write(&mut table, at + 1..=(at + at % 4).min(WRITES));
        drop(table);
        // A second interruption, a little later.
        let mut table = resume(folder, at).unwrap();
        let second = (at + 3).min(WRITES);
        write(&mut table, at + 1..=second);
        table.checkpoint().unwrap();
        drop(table);
        let mut table = resume(folder, second).unwrap();
        write(&mut table, second + 1..=WRITES);
        assert!(
            finish(table, folder) == whole,
            "interrupted after write {at}"
        );
    }
}

/// The steps of closing a row group: written, noted, its rows removed.
#[test]
fn a_kill_while_a_row_group_closes_loses_nothing() {
    let whole = by_arrow_writer();
    let folder = tempfile::tempdir().unwrap();
    let mut closings = 0;
    let mut before: Option<(Vec<u8>, Vec<u8>)> = None;
    for at in 1..=WRITES {
        let run = folder.path().join(at.to_string());
        fs::create_dir(&run).unwrap();
        let mut table = resume(&run, 0).unwrap();
        write(&mut table, 1..=at);
        table.checkpoint().unwrap();
        drop(table);
        let read = |ending: &str| fs::read(run.join(format!("t.{ending}"))).unwrap();
        let (groups, rows) = (read("groups"), read("rows"));
        if let Some((groups_before, _)) = &before
            && groups.len() > groups_before.len()
            && rows.is_empty()
        {
            closings += 1;
            // Killed before the rows were removed. The journal has those of all writes since the
            // row group before.
            let mut journal = Kept::read(&run, "t").unwrap().resume(at).unwrap();
            let without = folder.path().join(format!("{at} without"));
            fs::create_dir(&without).unwrap();
            fs::write(without.join("t.groups"), groups_before).unwrap();
            let first = Kept::read(&without, "t").unwrap().writes + 1;
            for number in first..=at {
                journal.note_rows(number, &rows_of(number)).unwrap();
            }
            journal.flush().unwrap();
            let both = fs::read(run.join("t.rows")).unwrap();
            let mut table = resume(&run, at).unwrap();
            write(&mut table, at + 1..=WRITES);
            assert!(
                finish(table, &run) == whole,
                "rows of write {at} are in both"
            );
            // Killed before the row group was noted.
            let second_folder = folder.path().join(format!("{at} again"));
            fs::create_dir(&second_folder).unwrap();
            let mut table = resume(&second_folder, 0).unwrap();
            write(&mut table, 1..=at);
            drop(table);
            fs::write(second_folder.join("t.groups"), groups_before).unwrap();
            fs::write(second_folder.join("t.rows"), &both).unwrap();
            let mut table = resume(&second_folder, at).unwrap();
            write(&mut table, at + 1..=WRITES);
            assert!(
                finish(table, &second_folder) == whole,
                "row group of write {at} is not noted"
            );
        }
        before = Some((groups, rows));
    }
    assert!(closings > 5, "{closings}");
}

#[test]
fn a_file_that_is_not_as_it_was_left_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut table = resume(folder, 0).unwrap();
    write(&mut table, 1..=WRITES);
    table.checkpoint().unwrap();
    drop(table);
    let file = folder.join("t.parquet");
    let mut bytes = fs::read(&file).unwrap();
    bytes[100] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let refused = resume(folder, WRITES).err().unwrap().to_string();
    assert!(
        refused.contains("are not those that were written"),
        "{refused}"
    );
    fs::write(&file, &bytes[..50]).unwrap();
    assert!(resume(folder, WRITES).is_err());
}

#[test]
fn a_wrong_number_of_rows_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = resume(folder.path(), 0).unwrap();
    write(&mut table, 1..=3);
    assert!(table.finish(1).is_err());
}
