//! `reader = "warc"`: crawls read by the strict reader of the crate `warc`.

use crate::common::{Layout, crawl, lay, warcsieve};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The rows of a file, printed, without what the file says of its pipeline.
fn rows(folder: &str, table: &str, input: &str) -> String {
    let file = fs::File::open(format!("{folder}/{table}/{input}.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let batches = reader.build().unwrap();
    let columns = batches.flat_map(|batch| batch.unwrap().columns().to_vec());
    columns.map(|column| format!("{column:?}\n")).collect()
}

fn manifest(folder: &str, input: &str) -> Value {
    let text = fs::read_to_string(format!("{folder}/_manifest/{input}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn clean(input: &Path, reader: &str, out: &Path) -> (i32, String) {
    let (input, out) = (input.display().to_string(), out.display().to_string());
    let reader = format!("reader={reader}");
    let (code, _, log) = warcsieve(&["clean", &input, "--set", &reader, "--out", &out]);
    (code, log)
}

#[test]
fn a_sound_crawl_has_the_same_rows_by_both_readers() {
    let folder = tempfile::tempdir().unwrap();
    let drafts = crawl(7, 60, 3000, "WARC/1.0");
    for (layout, name) in [(Layout::Plain, "a.warc"), (Layout::Members, "a.warc.gz")] {
        let input = folder.path().join(name);
        fs::write(&input, lay(&drafts, layout).bytes).unwrap();
        let [ours, theirs] = ["builtin", "warc"].map(|reader| {
            let out = folder.path().join(format!("{name}-{reader}"));
            assert_eq!(clean(&input, reader, &out).0, 0);
            out.display().to_string()
        });
        for table in ["documents", "blocks"] {
            let rows = [&ours, &theirs].map(|folder| rows(folder, table, name));
            assert!(rows[0].len() > 1000);
            assert_eq!(rows[0], rows[1], "{table} of {name}");
        }
        let read = [&ours, &theirs].map(|folder| manifest(folder, name)["read"].clone());
        assert_eq!(read[0], read[1], "{name}");
    }
}

#[test]
fn what_it_does_not_read_is_in_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let mut drafts = crawl(8, 20, 500, "WARC/1.0");
    drafts[5].length = Some(3);
    let laid = lay(&drafts, Layout::Plain);
    let (input, out) = (folder.path().join("a.warc"), folder.path().join("out"));
    fs::write(&input, &laid.bytes).unwrap();
    let (code, log) = clean(&input, "warc", &out);
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("the strict reader ends here"), "{log}");
    let read = &manifest(&out.display().to_string(), "a.warc")["read"];
    assert_eq!(read["records"], 5, "{read}");
    assert_eq!(read["faults"][0]["kind"], "wrong_length");
    let sum = |name: &str| read[name].as_u64().unwrap();
    assert_eq!(
        sum("record_bytes") + sum("garbage_bytes"),
        laid.bytes.len() as u64
    );
    assert_eq!(read["faults"][0]["length"], read["garbage_bytes"]);
}

#[test]
fn selected_records_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (crawls, index, out) = (at("crawl"), at("index"), at("out"));
    fs::create_dir(&crawls).unwrap();
    let drafts = crawl(9, 5, 500, "WARC/1.0");
    let bytes = lay(&drafts, Layout::Members).bytes;
    fs::write(at("crawl/a.warc.gz"), bytes).unwrap();
    let (code, _, log) = warcsieve(&["cdx", &crawls, "--out", &index]);
    assert_eq!(code, 0, "{log}");
    let strict = ["--select", &index, "--set", "reader=warc"];
    let (code, _, log) = warcsieve(&[&["clean", &crawls, "--out", &out][..], &strict].concat());
    assert_ne!(code, 0);
    assert!(log.contains("reader = \"builtin\""), "{log}");
}
