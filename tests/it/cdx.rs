//! `warcsieve cdx` as users call it, and its indexes read back.
use crate::common::{Layout, crawl, lay, warcsieve};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use warcsieve_engine::cdx::Selection;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

#[test]
fn indexes_stand_under_the_names_of_their_inputs_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("crawl");
    let mut spans = Vec::new();
    for (i, name) in ["a/00.warc.gz", "a/01.warc", "b/00.warc.zst"]
        .iter()
        .enumerate()
    {
        let layout = [Layout::Members, Layout::Plain, Layout::Frames][i];
        let laid = lay(&crawl(i as u64, 12, 2000, "WARC/1.0"), layout);
        write(&at, name, &laid.bytes);
        spans.push(laid.spans[1..].to_vec());
    }
    let mut texts = BTreeSet::new();
    for threads in ["1", "4"] {
        let out = folder.path().join(threads);
        let (code, table, log) =
            warcsieve(&["cdx", path(&at), "--out", path(&out), "--threads", threads]);
        assert_eq!(code, 0, "{table}{log}");
        assert!(table.contains("records indexed"), "{table}");
        let names = ["a/00.warc.gz", "a/01.warc", "b/00.warc.zst"];
        let text = names.map(|n| fs::read_to_string(out.join(format!("{n}.cdxj"))).unwrap());
        texts.insert(text.concat());
        let selection = Selection::read(&[out]).unwrap();
        for ((name, ranges), (want, spans)) in selection.files().zip(names.iter().zip(&spans)) {
            assert_eq!(name, *want);
            let spans = spans.iter().map(|s| s.start as u64..s.end as u64);
            assert!(ranges.spans.iter().cloned().eq(spans), "{name}");
        }
        assert_eq!(selection.size().0, 36);
    }
    assert_eq!(texts.len(), 1, "the same bytes with any number of threads");
    let text = texts.first().unwrap();
    let line = text.lines().next().unwrap();
    let start = "com,example)/1 20240229120000 {\"url\": \"http://example.com/1\", ";
    assert!(line.starts_with(start), "{line}");
    assert!(line.contains("\"status\": \"200\"") && line.contains("\"digest\": \"sha1:"));
    assert!(line.ends_with("\"filename\": \"a/00.warc.gz\"}"), "{line}");
}

#[test]
fn shares_of_the_inputs_are_indexed_on_their_own() {
    let out = tempfile::tempdir().unwrap();
    for share in ["1/2", "2/2"] {
        let arguments = [
            "cdx",
            "testdata/crawl",
            "--shard",
            share,
            "--out",
            path(out.path()),
        ];
        let (code, _, log) = warcsieve(&arguments);
        assert!(code == 0 || code == 10, "{log}");
    }
    for name in [
        "damaged/02.warc.gz",
        "en0000/00.warc.gz",
        "old/crawl.arc.gz",
    ] {
        assert!(out.path().join(format!("{name}.cdxj")).is_file(), "{name}");
    }
}

#[test]
fn a_single_stream_is_counted_and_gets_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let laid = lay(&crawl(1, 5, 500, "WARC/0.18"), Layout::Single);
    write(folder.path(), "c/00.warc.gz", &laid.bytes);
    let out = folder.path().join("out");
    let input = folder.path().join("c");
    let (code, table, log) = warcsieve(&["cdx", path(&input), "--out", path(&out)]);
    assert_eq!(code, 10, "{table}{log}");
    assert!(
        log.contains("00.warc.gz: 5 records") && log.contains("recompress"),
        "{log}"
    );
    assert!(!out.join("00.warc.gz.cdxj").exists());
}

#[test]
fn damage_is_told_and_the_rest_is_indexed() {
    let out = tempfile::tempdir().unwrap();
    let (code, json, log) = warcsieve(&[
        "cdx",
        "testdata/crawl/damaged/02.warc.gz",
        "--out",
        path(out.path()),
        "--log-format",
        "json",
    ]);
    assert_eq!(code, 10, "{json}{log}");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["records_indexed"], &json["faults"]),
        (&6.into(), &1.into())
    );
    assert!(log.contains("02.warc.gz: offset "), "{log}");
}

#[test]
fn other_types_are_indexed_on_demand() {
    let out = tempfile::tempdir().unwrap();
    let input = "testdata/crawl/en0000/00.warc.gz";
    let lines = |records: &str| {
        let (code, _, log) = warcsieve(&[
            "cdx",
            input,
            "--out",
            path(out.path()),
            "--records",
            records,
        ]);
        assert_eq!(code, 0, "{log}");
        let text = fs::read_to_string(out.path().join("00.warc.gz.cdxj")).unwrap();
        text.lines().count()
    };
    assert!(lines("all") > lines("response"));
    let (code, _, log) = warcsieve(&[
        "cdx",
        input,
        "--out",
        path(out.path()),
        "--records",
        "pages",
    ]);
    assert_eq!(code, 2);
    assert!(log.contains("revisit"), "{log}");
}

#[test]
fn what_cannot_be_indexed_is_said() {
    let out = tempfile::tempdir().unwrap();
    let (code, _, log) = warcsieve(&["cdx", "-", "--out", path(out.path())]);
    assert_eq!(code, 2);
    assert!(log.contains("standard input"), "{log}");
    let (code, _, log) = warcsieve(&["cdx", "Cargo.toml", "--out", path(out.path())]);
    assert_eq!(code, 42, "{log}");
    let both = ["cdx", "testdata/crawl/en0000/00.warc.gz", "gone.warc.gz"];
    let (code, table, log) = warcsieve(&[&both[..], &["--out", path(out.path())]].concat());
    assert_eq!(code, 10, "{log}");
    assert!(
        log.contains("gone.warc.gz") && table.contains("inputs failed"),
        "{table}{log}"
    );
}

#[test]
fn the_index_of_one_input_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (
        "testdata/crawl/en0000/00.warc.gz",
        folder.path().to_str().unwrap(),
    );
    let (code, _, log) = warcsieve(&["cdx", input, "--out", out]);
    assert_eq!(code, 0, "{log}");
    let written = fs::read_to_string(folder.path().join("00.warc.gz.cdxj")).unwrap();
    let (code, printed, log) = warcsieve(&["cdx", input, "--out", "-"]);
    assert_eq!((code, printed), (0, written), "{log}");
    let (code, printed, log) = warcsieve(&["cdx", "testdata/crawl", "--out", "-"]);
    assert_eq!((code, &*printed), (2, ""), "{log}");
    assert!(log.contains("prints the index of one"), "{log}");
}
