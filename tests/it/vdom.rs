//! `layout = "vdom"`: pages of ClueWeb22's shape, with boxes from a zip archive of messages.

use crate::common::warcsieve;
use crate::wacz::zip;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::Path;

const PIPELINE: &str = "layout = 'vdom'\nlayouts = 'ClueWeb22/vdom'\n[[step]]\nmethod = 'cehtd'\n";

fn record(id: &str, html: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/{id}\r\n\
         ClueWeb22-ID: {id}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
        html.len()
    )
}

/// A message with the texts of these nodes in a field that is as good as any.
fn message(nodes: &[&str]) -> Vec<u8> {
    let field = |number: u8, text: &str| {
        let mut field = vec![number << 3 | 2, text.len() as u8];
        field.extend(text.as_bytes());
        field
    };
    let nodes = nodes.iter().map(|node| field(7, node));
    let url = std::iter::once(field(1, "http://a.example/"));
    url.chain(nodes).flatten().collect()
}

/// A folder with a crawl of two pages, the second of which has no message, and a pipeline.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let html = "<html data-dcnode-id=0><body data-dcnode-id=1><div data-dcnode-id=2>\
                <span instrument_node data-dcnode-id=3>Main text of the page, as wide as it.</span>\
                </div><div data-dcnode-id=4><span instrument_node data-dcnode-id=5>Hidden.</span>\
                </div>";
    let [first, second] = ["clueweb22-en0000-00-00000", "clueweb22-en0000-00-00001"];
    let crawl = record(first, html) + &record(second, html);
    fs::write(folder.path().join("in.warc"), crawl).unwrap();
    fs::write(folder.path().join("p.toml"), PIPELINE).unwrap();
    let archives = folder.path().join("ClueWeb22/vdom/en/en00/en0000");
    fs::create_dir_all(&archives).unwrap();
    let nodes = [
        "id0px0py0pw1024ph700fs16op1",
        "id1px8py8pw1008ph684fs16op1",
        "id2px8py8pw1008ph20fs16op1",
        "id3px8py9pw640ph18fs16op1",
        "id4px8py28pw1008ph0fs16op1",
        "id5px8py28pw0ph0fs16op0",
    ];
    let files = [(&*format!("{first}.bin"), message(&nodes))];
    fs::write(archives.join("en0000-00.zip"), zip(&files)).unwrap();
    folder
}

fn clean(folder: &Path, pipeline: &str, out: &str) -> (i32, String) {
    let paths = ["in.warc", pipeline, out].map(|name| folder.join(name).display().to_string());
    let [input, pipeline, out] = paths.each_ref().map(String::as_str);
    let arguments = [
        "clean",
        input,
        "--quiet",
        "--pipeline",
        pipeline,
        "--out",
        out,
    ];
    let (code, _, err) = warcsieve(&arguments);
    (code, err)
}

fn rows(folder: &Path, table: &str) -> RecordBatch {
    let file = File::open(folder.join(table).join("in.warc.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    reader.build().unwrap().next().unwrap().unwrap()
}

#[test]
fn boxes_come_from_the_messages_and_need_no_engine() {
    let folder = folder();
    let folder = folder.path();
    let (code, err) = clean(folder, "p.toml", "out");
    assert_eq!(code, 0, "{err}");
    let documents = rows(&folder.join("out"), "documents");
    let text = |name: &str, at| {
        let column = documents.column_by_name(name).unwrap().as_string::<i32>();
        column.is_valid(at).then(|| column.value(at).to_owned())
    };
    assert_eq!(text("layout_status", 0).as_deref(), Some("done"));
    assert_eq!(text("layout_status", 1).as_deref(), Some("not_kept"));
    assert_eq!(text("render_engine", 0).as_deref(), Some("clueweb22 vdom"));
    let width = documents.column_by_name("viewport_width").unwrap();
    assert_eq!(width.as_primitive::<Int32Type>().value(0), 1024);
    let blocks = rows(&folder.join("out"), "blocks");
    let width = blocks.column_by_name("width").unwrap();
    let width = width.as_primitive::<Float32Type>();
    assert_eq!(width.value(0), 640.0);
    let visible = blocks.column_by_name("visible").unwrap().as_boolean();
    assert!(visible.value(0) && !visible.value(1) && visible.is_null(2));
}

#[test]
fn they_can_be_kept_as_those_of_an_engine() {
    let folder = folder();
    let folder = folder.path();
    fs::write(
        folder.join("keep.toml"),
        format!("boxes = true\n{PIPELINE}"),
    )
    .unwrap();
    let kept = PIPELINE.replace("'vdom'", "'kept'");
    fs::write(
        folder.join("kept.toml"),
        kept.replace("ClueWeb22/vdom", "first"),
    )
    .unwrap();
    for (pipeline, out) in [
        ("p.toml", "plain"),
        ("keep.toml", "first"),
        ("kept.toml", "second"),
    ] {
        let (code, err) = clean(folder, pipeline, out);
        assert_eq!(code, 0, "{err}");
    }
    assert_eq!(
        rows(&folder.join("plain"), "blocks"),
        rows(&folder.join("second"), "blocks")
    );
}

#[test]
fn a_folder_that_is_not_there_is_said_before_anything_is_read() {
    let folder = folder();
    fs::remove_dir_all(folder.path().join("ClueWeb22")).unwrap();
    let (code, err) = clean(folder.path(), "p.toml", "out");
    assert_eq!(code, 2);
    assert!(
        err.contains("no such folder") && err.contains("ClueWeb22"),
        "{err}"
    );
    assert!(!folder.path().join("out").exists());
}
