//! Style sheets and pictures that are records of the same input, put into the pages that engines lay
//! out.

use crate::common::{assert_same, contents, warcsieve};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::Path;

fn response(url: &str, media_type: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n");
    let length = http.len() + body.len();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http\r\nContent-Length: {length}\r\n\r\n{http}"
    );
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// A picture of 64 by 8 points.
fn gif() -> Vec<u8> {
    let mut gif = b"GIF89a\x40\0\x08\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
    gif.extend(b",\0\0\0\0\x40\0\x08\0\0\x02\x02\x44\x01\0;");
    gif
}

/// A crawl in which pages stand before, between and after their styles.
fn crawl() -> Vec<u8> {
    let page = "<link rel=stylesheet href=../s.css><link rel=stylesheet href=/none.css>\
                <div style='display:flex'><img src=i.gif><p>Some text.</p></div>";
    let page = |n: u32| {
        response(
            &format!("http://a.example/d/{n}"),
            "text/html",
            page.as_bytes(),
        )
    };
    let sheet = b"@import 't.css'; p{width:400px}";
    let mut crawl: Vec<u8> = (0..10).flat_map(page).collect();
    crawl.extend(response(
        "http://a.example/s.css",
        "text/css; charset=utf-8",
        sheet,
    ));
    crawl.extend(page(10));
    crawl.extend(response(
        "https://a.example/t.css",
        "text/css",
        b"body{margin:0}",
    ));
    crawl.extend(response("http://a.example/d/i.gif", "image/gif", &gif()));
    crawl.extend((11..20).flat_map(page));
    crawl
}

/// By page the style sheets that were missing, and x and width of its block.
fn shown(folder: &Path, engine: &str) -> Option<Vec<(i32, f32, f32)>> {
    fs::write(folder.join("in.warc"), crawl()).unwrap();
    let pipeline = format!("layout = '{engine}'\n[[step]]\nmethod = 'cehtd'\n");
    fs::write(folder.join("p.toml"), pipeline).unwrap();
    for threads in ["1", "4"] {
        let paths = ["in.warc", "p.toml", threads].map(|name| folder.join(name));
        let [input, pipeline, out] = paths.each_ref().map(|path| path.to_str().unwrap());
        let arguments = ["clean", input, "--quiet", "--threads", threads];
        let more = ["--pipeline", pipeline, "--out", out];
        let (code, _, err) = warcsieve(&[&arguments[..], &more].concat());
        if err.contains("no Chromium") {
            return None;
        }
        assert_eq!(code, 0, "{err}");
    }
    let tables = |out: &str| {
        let mut files = contents(&folder.join(out));
        files.retain(|name, _| name.ends_with(".parquet"));
        files
    };
    assert_same(&tables("1"), &tables("4"), "four threads");
    let rows = |table: &str| {
        let file = File::open(folder.join("1").join(table).join("in.warc.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        reader.build().unwrap().next().unwrap().unwrap()
    };
    let (documents, blocks) = (rows("documents"), rows("blocks"));
    let missing = documents.column_by_name("css_missing").unwrap();
    let missing = missing.as_primitive::<Int32Type>().values().to_vec();
    let number = |name: &str| {
        let column = blocks.column_by_name(name).unwrap();
        column.as_primitive::<Float32Type>().values().to_vec()
    };
    let places = number("x").into_iter().zip(number("width"));
    let all: Vec<_> = missing.into_iter().zip(places).collect();
    assert_eq!(all.len(), 20);
    Some(
        all.into_iter()
            .map(|(n, (x, width))| (n, x, width))
            .collect(),
    )
}

#[cfg(feature = "layout")]
#[test]
fn blitz_lays_pages_out_with_the_styles_that_came_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let pages = shown(folder.path(), "blitz").unwrap();
    assert!(
        pages.iter().all(|page| *page == (1, 0.0, 400.0)),
        "{pages:?}"
    );
}

#[cfg(all(feature = "browser", unix))]
#[test]
fn a_browser_shows_pictures_too() {
    let folder = tempfile::tempdir().unwrap();
    let Some(pages) = shown(folder.path(), "chromium") else {
        return;
    };
    // The text stands beside the picture.
    assert!(
        pages
            .iter()
            .all(|(missing, x, _)| (*missing, *x) == (1, 64.0)),
        "{pages:?}"
    );
}
