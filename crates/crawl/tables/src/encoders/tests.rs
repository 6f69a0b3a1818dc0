//! Readers must find the values that were written, page by page.

use super::*;
use arrow_array::builder::{Float32Builder, Int32Builder, StringDictionaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type, UInt32Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::Schema;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::ZstdLevel;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::statistics::Statistics;
use proptest::prelude::*;
use std::sync::Arc;

/// A row: a text, a text or null, a number, a number or null, a float or null.
type Row = (u16, Option<u16>, i32, Option<i32>, Option<f32>);

fn schema() -> SchemaRef {
    let texts = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
    Arc::new(Schema::new(vec![
        Field::new("id", texts.clone(), false),
        Field::new("class", texts, true),
        Field::new("block", DataType::Int32, false),
        Field::new("start", DataType::Int32, true),
        Field::new("score", DataType::Float32, true),
    ]))
}

fn text(n: u16) -> String {
    format!("{}-{n}", "é".repeat(usize::from(n % 50)))
}

fn batch(rows: &[Row]) -> RecordBatch {
    let mut id = StringDictionaryBuilder::<UInt32Type>::new();
    let mut class = StringDictionaryBuilder::<UInt32Type>::new();
    let (mut block, mut start) = (Int32Builder::new(), Int32Builder::new());
    let mut score = Float32Builder::new();
    for row in rows {
        id.append_value(text(row.0));
        class.append_option(row.1.map(text));
        block.append_value(row.2);
        start.append_option(row.3);
        score.append_option(row.4);
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(id.finish()),
        Arc::new(class.finish()),
        Arc::new(block.finish()),
        Arc::new(start.finish()),
        Arc::new(score.finish()),
    ];
    RecordBatch::try_new(schema(), columns).unwrap()
}

fn file(batches: &[Vec<Row>], page_rows: usize) -> Bytes {
    let descriptor = ArrowSchemaConverter::new().convert(&schema()).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_column_statistics_enabled("id".into(), EnabledStatistics::Page)
        .set_column_encoding("block".into(), Encoding::DELTA_BINARY_PACKED)
        .set_column_encoding("start".into(), Encoding::DELTA_BINARY_PACKED)
        .set_column_compression("start".into(), Compression::UNCOMPRESSED)
        .set_data_page_row_count_limit(page_rows)
        .build();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), descriptor.root_schema_ptr(), properties.into())
            .unwrap();
    let mut columns = Encoders::new(&writer, &descriptor, schema());
    for (group, rows) in batches.chunks(3).enumerate() {
        let mut open = columns.open(group).unwrap();
        assert!(open.iter().all(|c| !matches!(c, Encoder::Arrow(_))));
        for rows in rows {
            let rows = batch(rows);
            for ((column, field), values) in
                open.iter_mut().zip(schema().fields()).zip(rows.columns())
            {
                columns.write(column, field, values).unwrap();
            }
        }
        let mut group = writer.next_row_group().unwrap();
        for column in open {
            assert!(column.bytes() < 1 << 20);
            columns.close(column, &mut group).unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap().into()
}

fn read(file: &Bytes) -> (Vec<Row>, Arc<ParquetMetaData>) {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
    let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(file.clone(), options);
    let reader = reader.unwrap();
    let metadata = reader.metadata().clone();
    let number = |text: &str| text.rsplit('-').next().unwrap().parse().unwrap();
    let mut rows = Vec::new();
    for batch in reader.build().unwrap() {
        let batch = batch.unwrap();
        let (id, class) = (
            batch.column(0).as_string::<i32>(),
            batch.column(1).as_string::<i32>(),
        );
        let block = batch.column(2).as_primitive::<Int32Type>();
        let start = batch.column(3).as_primitive::<Int32Type>();
        let score = batch.column(4).as_primitive::<Float32Type>();
        for at in 0..batch.num_rows() {
            assert_eq!(id.value(at), text(number(id.value(at))));
            rows.push((
                number(id.value(at)),
                class.is_valid(at).then(|| number(class.value(at))),
                block.value(at),
                start.is_valid(at).then(|| start.value(at)),
                score.is_valid(at).then(|| score.value(at)),
            ));
        }
    }
    (rows, metadata)
}

fn any_row() -> impl Strategy<Value = Row> {
    let number = prop_oneof![any::<i32>(), 0..100i32];
    let score = (0..100u8).prop_map(|n| f32::from(n) / 8.0);
    (
        0..400u16,
        prop::option::of(0..3u16),
        number.clone(),
        prop::option::of(number),
        prop::option::of(score),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn readers_find_what_was_written(
        batches in prop::collection::vec(prop::collection::vec(any_row(), 0..80), 1..8),
        repeated in 1..60usize,
        page_rows in 1..200usize,
    ) {
        // Runs of equal rows, because the blocks of a page have one id.
        let batches: Vec<Vec<Row>> = batches
            .iter()
            .map(|rows| rows.iter().flat_map(|row| std::iter::repeat_n(*row, repeated)).collect())
            .filter(|rows: &Vec<Row>| !rows.is_empty())
            .collect();
        prop_assume!(!batches.is_empty());
        let (rows, metadata) = read(&file(&batches, page_rows));
        prop_assert_eq!(&rows, &batches.concat());
        for (number, batches) in batches.chunks(3).enumerate() {
            let group = batches.concat();
            let row_group = metadata.row_group(number);
            prop_assert_eq!(row_group.num_rows() as usize, group.len());
            let Some(Statistics::ByteArray(limits)) = row_group.column(0).statistics() else {
                panic!("no statistics of the ids");
            };
            let greatest = group.iter().map(|row| text(row.0)).max().unwrap();
            let least = group.iter().map(|row| text(row.0)).min().unwrap();
            prop_assert_eq!(limits.max_bytes_opt(), Some(greatest.as_bytes()));
            prop_assert!(least.as_bytes().starts_with(limits.min_bytes_opt().unwrap()));
            prop_assert!(row_group.column(1).statistics().is_none());
            let indexes = metadata.page_index_for_row_group(number);
            for column in 0..5 {
                let pages = indexes.offset_index(column).unwrap().page_locations();
                prop_assert_eq!(pages.len(), group.len().div_ceil(page_rows));
            }
        }
    }
}

#[test]
fn columns_of_one_text_and_of_no_value_can_be_read() {
    let rows: Vec<Row> = (0..1000).map(|_| (7, None, 0, None, None)).collect();
    let file = file(std::slice::from_ref(&rows), 300);
    assert_eq!(read(&file).0, rows);
    assert!(file.len() < 3000, "{}", file.len());
}
