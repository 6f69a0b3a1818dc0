//! Columns of published corpora, in both formats.

use super::readers::{content, files, lines};
use super::*;
use crate::shards::fixture::{pages, shard_of};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use std::fs::{self, File};

fn columns(preset: &str) -> Columns {
    let preset = Preset::find(preset).unwrap();
    let crawl = (preset.name != "nemo").then(|| "crawl-1".to_owned());
    Columns::new(preset, crawl, None).unwrap()
}

fn run_columns(
    shards: &[Shard],
    format: Format,
    columns: &Columns,
    out: &Path,
) -> Result<ExportSummary> {
    let settings = ExportSettings { format, ..SETTINGS };
    let omit = Omit::default();
    let progress = Progress::default();
    export(
        shards,
        settings,
        Some(columns),
        &omit,
        out,
        false,
        &progress,
    )
}

/// The rows of a Parquet file as JSON objects, and the types of its columns.
fn table(path: &Path) -> (Vec<Value>, String) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let fields = reader.schema().fields().clone();
    assert!(fields.iter().all(|field| field.is_nullable()));
    let types = fields
        .iter()
        .map(|f| format!("{} {}", f.name(), f.data_type()));
    let types: Vec<_> = types.collect();
    let batches = reader.build().unwrap().map(|batch| batch.unwrap());
    let rows = batches.flat_map(|batch| {
        let row = |i| {
            Value::Object(
                batch
                    .schema()
                    .fields()
                    .iter()
                    .zip(batch.columns())
                    .map(|(field, column)| (field.name().clone(), cell(&**column, i)))
                    .collect(),
            )
        };
        (0..batch.num_rows()).map(row).collect::<Vec<_>>()
    });
    (rows.collect(), types.join(", "))
}

fn cell(column: &dyn Array, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type().to_string().as_str() {
        "Utf8" => json!(column.as_string::<i32>().value(row)),
        "Int64" => json!(column.as_primitive::<Int64Type>().value(row)),
        "Float64" => json!(column.as_primitive::<Float64Type>().value(row)),
        _ => {
            let list = column.as_list::<i32>().value(row);
            (0..list.len()).map(|i| cell(&*list, i)).collect()
        }
    }
}

#[test]
fn both_formats_hold_the_same_rows_in_the_order_of_documents() {
    let (folder, shards) = crawl();
    for (name, types) in [
        (
            "fineweb",
            "text Utf8, id Utf8, dump Utf8, url Utf8, date Utf8, file_path Utf8, language Utf8, \
             language_score Float64, token_count Int64",
        ),
        (
            "hplt",
            "f Utf8, o Int64, s Int64, u Utf8, c Utf8, ts Utf8, crawl_id Utf8, lang List(Utf8), \
             prob List(Float64), text Utf8, id Utf8",
        ),
        (
            "nemo",
            "url Utf8, warc_id Utf8, source_id Utf8, language Utf8, text Utf8, file_name Utf8",
        ),
    ] {
        let columns = columns(name);
        let [parquet, jsonl] = ["parquet", "jsonl"].map(|n| folder.path().join(name).join(n));
        let summary = run_columns(&shards, Format::Parquet, &columns, &parquet).unwrap();
        run_columns(&shards, Format::Jsonl, &columns, &jsonl).unwrap();
        let files = files(&jsonl);
        let mut seen = 0;
        for shard in &shards {
            let (rows, found) = table(&parquet.join(format!("{}.parquet", shard.name)));
            assert_eq!(found, types);
            let text = content(&files, &format!("{}.jsonl", shard.name));
            assert_eq!(rows, lines(text));
            let names = types.split(", ").map(|t| t.split(' ').next().unwrap());
            let begins = |line: &str| {
                let places = names
                    .clone()
                    .map(|n| line.find(&format!("\"{n}\":")).unwrap());
                places.is_sorted()
            };
            assert!(text.lines().all(begins), "columns are in their order");
            let pages = pages(shard, Parts::default()).unwrap();
            assert_eq!(rows.len(), pages.len());
            for (row, page) in rows.iter().zip(&pages) {
                assert_eq!(row["text"], page.text);
            }
            seen += rows.len() as u64;
        }
        assert_eq!((summary.pages, summary.left_out), (seen, 0));
    }
}

#[test]
fn rows_have_the_values_of_each_corpus() {
    let (folder, shards) = crawl();
    let shard = shards
        .iter()
        .find(|s| s.name == "en0000/00.warc.gz")
        .unwrap();
    let page = &pages(shard, Parts::default()).unwrap()[0];
    let score: f64 = page.language_score.unwrap().to_string().parse().unwrap();
    let uuid = page
        .warc_record_id
        .trim_matches(['<', '>'])
        .trim_start_matches("urn:uuid:");
    let date = warcsieve_page::rfc3339(page.date.unwrap());
    for (name, expected) in [
        (
            "fineweb",
            json!({
                "text": page.text, "id": page.warc_record_id, "dump": "crawl-1", "url": page.url,
                "date": date, "file_path": "en0000/00.warc.gz", "language": "en",
                "language_score": score, "token_count": null,
            }),
        ),
        (
            "hplt",
            json!({
                "f": "en0000/00.warc.gz", "o": page.warc_record_offset,
                "s": page.warc_record_length, "u": page.url, "c": "text/html", "ts": date,
                "crawl_id": "crawl-1", "lang": ["eng_Latn"], "prob": [score], "text": page.text,
                "id": page.id,
            }),
        ),
        (
            "nemo",
            json!({
                "url": page.url, "warc_id": uuid, "source_id": "00.warc.gz", "language": "en",
                "text": page.text, "file_name": "00.warc.gz",
            }),
        ),
    ] {
        let out = folder.path().join(name);
        run_columns(&shards, Format::Jsonl, &columns(name), &out).unwrap();
        let files = files(&out);
        assert_eq!(
            lines(content(&files, "en0000/00.warc.gz.jsonl"))[0],
            expected
        );
    }
}

#[test]
fn a_page_of_which_nothing_is_known_has_nulls_and_empty_lists() {
    let folder = tempdir().unwrap();
    let shard = shard_of(&["<p>12"], folder.path(), "");
    let out = folder.path().join("hplt");
    let shards = std::slice::from_ref(&shard);
    run_columns(shards, Format::Jsonl, &columns("hplt"), &out).unwrap();
    let files = files(&out);
    let row = &lines(content(&files, "00.warc.jsonl"))[0];
    let [lang, prob, ts, u] = ["lang", "prob", "ts", "u"].map(|name| &row[name]);
    assert_eq!([lang, prob], [&json!([]), &json!([])]);
    assert_eq!([ts, u], [&Value::Null, &Value::Null]);
}

#[test]
fn tables_do_not_depend_on_threads_and_long_ones_have_row_groups() {
    let folder = tempdir().unwrap();
    let page = format!("<p>{}", "word ".repeat(1 << 20));
    let pages: Vec<&str> = [&*page; 7].into();
    let shard = shard_of(&pages, folder.path(), "");
    let bytes = |threads: usize| {
        let out = folder.path().join(threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let shards = std::slice::from_ref(&shard);
        let run = || run_columns(shards, Format::Parquet, &columns("fineweb"), &out);
        pool.build().unwrap().install(run).unwrap();
        let path = out.join("00.warc.parquet");
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
        let groups: Vec<_> = reader
            .metadata()
            .row_groups()
            .iter()
            .map(|g| g.num_rows())
            .collect();
        assert_eq!(groups, [4, 3]);
        fs::read(path).unwrap()
    };
    assert_eq!(bytes(1), bytes(3));
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_is() {
    let (folder, shards) = crawl();
    let out = folder.path().join("out");
    let fineweb = Preset::find("fineweb").unwrap();
    let no_crawl = Columns::new(fineweb, None, None).unwrap();
    for (format, columns, what) in [
        (Format::Parquet, Some(&no_crawl), "--crawl"),
        (Format::Parquet, None, "--columns"),
        (Format::Trec, Some(&columns("nemo")), "jsonl and parquet"),
    ] {
        let settings = ExportSettings { format, ..SETTINGS };
        let omit = Omit::default();
        let progress = Progress::default();
        let refused = export(&shards, settings, columns, &omit, &out, false, &progress);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(what), "{refused}");
        assert!(!out.exists());
    }
    let nemo = Preset::find("nemo").unwrap();
    let file = Path::new("tokenizer.json");
    for (crawl, tokenizer, what) in [
        (Some("a".to_owned()), None, "--crawl"),
        (None, Some(file), "--tokenizer"),
    ] {
        let refused = Columns::new(nemo, crawl, tokenizer)
            .unwrap_err()
            .to_string();
        assert!(refused.contains(what), "{refused}");
    }
    run_columns(&shards, Format::Jsonl, &columns("hplt"), &out).unwrap();
    let refused = run_columns(&shards, Format::Jsonl, &columns("nemo"), &out);
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("other columns"), "{refused}");
}
