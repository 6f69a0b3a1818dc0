//! `warcsieve verify-counts` as users call it.
use crate::common::{Laid, Layout, crawl, lay, warcsieve};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn write(file: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}

/// A crawl in the shape of ClueWeb09: a gzip stream a file, and record counts beside it. The counts
/// of en0054 name its files as those of en0053, as the real ones do.
fn clueweb09() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (crawl_folder, counts) = (
        folder.path().join("crawl"),
        folder.path().join("record_counts"),
    );
    for (d, directory) in ["en0052", "en0053", "en0054"].iter().enumerate() {
        let mut lines = String::new();
        for file in 0..2 {
            let records = 3 + 2 * d + file;
            let laid = lay(&crawl(1, records, 300, "WARC/0.18"), Layout::Single);
            let part = crawl_folder.join("ClueWeb09_English_1").join(directory);
            write(&part.join(format!("0{file}.warc.gz")), laid.bytes);
            let listed = if *directory == "en0054" {
                "en0053"
            } else {
                directory
            };
            lines += &format!("*./{listed}/0{file}.warc.gz {records}\n");
        }
        let name = format!("ClueWeb09_English_1/{directory}_counts.txt");
        write(&counts.join(name), lines);
    }
    (folder, crawl_folder, counts)
}

#[test]
fn record_counts_of_clueweb09_agree_and_the_slip_is_named() {
    let (_folder, crawl, counts) = clueweb09();
    let (code, text, log) = warcsieve(&["verify-counts", path(&crawl), "--against", path(&counts)]);
    assert_eq!(code, 0, "{text}{log}");
    assert!(
        text.starts_with("record counts: response records\n"),
        "{text}"
    );
    assert!(
        text.contains("note: ") && text.contains("`en0053`") && text.contains("`en0054`"),
        "{text}"
    );
}

#[test]
fn counts_are_read_off_the_manifest_of_clean() {
    let (folder, crawl, counts) = clueweb09();
    let out = folder.path().join("out");
    let (code, ..) = warcsieve(&["clean", path(&crawl), "--out", path(&out), "--quiet"]);
    assert_eq!(code, 0);
    fs::remove_dir_all(&crawl).unwrap();
    let arguments = [
        "verify-counts",
        path(&out),
        "--json",
        "--against",
        path(&counts),
    ];
    let (code, text, log) = warcsieve(&arguments);
    assert_eq!(code, 0, "{text}{log}");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["inputs_compared"], 6);
    assert_eq!(json["records_stated"], json["records_counted"]);

    let file = counts.join("ClueWeb09_English_1/en0052_counts.txt");
    let wrong = fs::read_to_string(&file)
        .unwrap()
        .replace("01.warc.gz 4", "01.warc.gz 7");
    fs::write(&file, wrong).unwrap();
    let (code, text, _) = warcsieve(&arguments);
    assert_eq!(code, 10, "{text}");
    let json: Value = serde_json::from_str(&text).unwrap();
    let differences = json["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1);
    assert_eq!(
        differences[0]["input"],
        "ClueWeb09_English_1/en0052/01.warc.gz"
    );
    assert_eq!(
        (&differences[0]["stated"], &differences[0]["counted"]),
        (&7.into(), &4.into())
    );
    let place = differences[0]["place"].as_str().unwrap();
    assert!(place.ends_with("en0052_counts.txt:2"), "{place}");
}

#[test]
fn what_is_missing_on_either_side_is_listed() {
    let (_folder, crawl, counts) = clueweb09();
    let part = crawl.join("ClueWeb09_English_1");
    fs::remove_file(part.join("en0052/01.warc.gz")).unwrap();
    fs::copy(
        part.join("en0052/00.warc.gz"),
        part.join("en0052/09.warc.gz"),
    )
    .unwrap();
    let arguments = ["verify-counts", path(&crawl), "--against", path(&counts)];
    let (code, text, _) = warcsieve(&arguments);
    assert_eq!(code, 10);
    assert!(
        text.contains("en0052/01.warc.gz: stated in ") && text.contains("no such input"),
        "{text}"
    );
    assert!(
        text.contains("en0052/09.warc.gz: nothing is stated of it"),
        "{text}"
    );
    fs::remove_file(part.join("en0052/09.warc.gz")).unwrap();
    assert_eq!(warcsieve(&arguments).0, 10);
    let (code, text, _) = warcsieve(&[&arguments[..], &["--partial"]].concat());
    assert_eq!(code, 0, "{text}");
}

/// A file in the shape of ClueWeb22, and its offset file.
fn clueweb22(end_line: bool) -> (TempDir, PathBuf, Laid) {
    let folder = tempfile::tempdir().unwrap();
    let laid = lay(&crawl(2, 9, 800, "WARC/1.0"), Layout::Members);
    let at = folder.path().join("html/en/en00/en0000");
    write(&at.join("en0000-00.warc.gz"), &laid.bytes);
    let mut lines: Vec<_> = laid.spans[1..].iter().map(|s| s.start).collect();
    lines.extend(end_line.then_some(laid.bytes.len()));
    let text: String = lines.iter().map(|n| format!("{n:010}\n")).collect();
    let offsets = at.join("en0000-00.warc.offset");
    write(&offsets, text);
    (folder, offsets, laid)
}

#[test]
fn offsets_of_clueweb22_are_held_against_the_file() {
    for end_line in [true, false] {
        let (folder, offsets, laid) = clueweb22(end_line);
        let crawl = folder.path().join("html");
        let arguments = ["verify-counts", path(&crawl), "--against", path(&crawl)];
        let (code, text, log) = warcsieve(&arguments);
        assert_eq!(code, 0, "{text}{log}");
        assert_eq!(
            text.contains("the last line is the end of the last record"),
            end_line,
            "{text}"
        );
        let text = fs::read_to_string(&offsets).unwrap();
        let third = format!("{:010}", laid.spans[3].start);
        let moved = format!("{:010}", laid.spans[3].start + 1);
        fs::write(&offsets, text.replace(&third, &moved)).unwrap();
        let (code, text, _) = warcsieve(&arguments);
        assert_eq!(code, 10);
        let what = format!(
            "1 stated place holds no record, the first at {}",
            laid.spans[3].start + 1
        );
        assert!(text.contains(&what), "{text}");
        fs::write(&offsets, "0000000001\nx\n").unwrap();
        let (code, _, log) = warcsieve(&arguments);
        assert_eq!(code, 2);
        assert!(log.contains("en0000-00.warc.offset:2: expected"), "{log}");
    }
}

#[test]
fn indexes_agree_with_their_crawl() {
    let (folder, _, laid) = clueweb22(true);
    let crawl = folder.path().join("html");
    let (index, out) = (folder.path().join("index"), folder.path().join("out"));
    assert_eq!(
        warcsieve(&["cdx", path(&crawl), "--out", path(&index)]).0,
        0
    );
    assert_eq!(
        warcsieve(&["clean", path(&crawl), "--out", path(&out), "--quiet"]).0,
        0
    );
    for corpus in [&crawl, &out] {
        let (code, text, log) =
            warcsieve(&["verify-counts", path(corpus), "--against", path(&index)]);
        assert_eq!(code, 0, "{text}{log}");
        assert!(text.starts_with("index: response records\n"), "{text}");
    }
    let documents = out.join("documents");
    let arguments = ["verify-counts", path(&crawl), "--against", path(&documents)];
    let (code, _, log) = warcsieve(&arguments);
    assert_eq!(code, 2, "documents leave out skipped pages");
    assert!(log.contains("table of documents"), "{log}");
    let file = index.join("en/en00/en0000/en0000-00.warc.gz.cdxj");
    let length = laid.spans[4].len();
    let text = fs::read_to_string(&file).unwrap();
    let wrong = text.replace(
        &format!(
            "\"length\": \"{length}\", \"offset\": \"{}\"",
            laid.spans[4].start
        ),
        &format!(
            "\"length\": \"{}\", \"offset\": \"{}\"",
            length - 1,
            laid.spans[4].start
        ),
    );
    assert_ne!(wrong, text);
    fs::write(&file, wrong).unwrap();
    let (code, text, _) = warcsieve(&["verify-counts", path(&crawl), "--against", path(&index)]);
    assert_eq!(code, 10);
    assert!(text.contains("1 stated place holds no record"), "{text}");
}

#[test]
fn a_record_that_is_lost_is_missed_though_the_warcinfo_would_make_up_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let laid = lay(&crawl(3, 4, 300, "WARC/0.18"), Layout::Single);
    write(&folder.path().join("c/en0/00.warc.gz"), laid.bytes);
    let counts = folder.path().join("en0_counts.txt");
    write(&counts, "*./en0/00.warc.gz 5\n");
    let crawl = folder.path().join("c");
    let arguments = ["verify-counts", path(&crawl), "--against", path(&counts)];
    let (code, text, _) = warcsieve(&arguments);
    assert_eq!(code, 10, "{text}");
    assert!(text.contains("4 counted: 1 fewer"), "{text}");
    let chosen = [&arguments[..], &["--count", "warcinfo,response"]].concat();
    let (code, text, log) = warcsieve(&chosen);
    assert_eq!(code, 0, "{text}{log}");
    assert!(text.contains("warcinfo and response records"), "{text}");
}

#[test]
fn exit_codes_are_those_of_the_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let counts = folder.path().join("en0_counts.txt");
    write(&counts, "*./en0/00.warc.gz 5\n");
    let gone = folder.path().join("en0/00.warc.gz");
    let arguments = ["verify-counts", path(&gone), "--against", path(&counts)];
    write(&gone, "no crawl at all, but some text");
    let (code, text, log) = warcsieve(&arguments);
    assert_eq!(code, 42, "{text}{log}");

    let (_crawls, crawl, counts) = clueweb09();
    let out = folder.path().join("out");
    warcsieve(&["clean", path(&crawl), "--out", path(&out), "--quiet"]);
    let arguments = ["verify-counts", path(&out), "--against", path(&counts)];
    for option in [["--base", "x"], ["--root", "x"], ["--threads", "2"]] {
        let (code, _, log) = warcsieve(&[&arguments[..], &option].concat());
        assert_eq!(code, 2);
        assert!(log.contains(option[0]), "{log}");
    }
}

#[test]
fn an_empty_index_says_that_nothing_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let laid = lay(&crawl(3, 1, 300, "WARC/1.0"), Layout::Members);
    let head = laid.bytes[..laid.spans[0].end].to_vec();
    write(&folder.path().join("c/00.warc.gz"), head);
    let (crawl, index) = (folder.path().join("c"), folder.path().join("index"));
    let (code, _, log) = warcsieve(&["cdx", path(&crawl), "--out", path(&index)]);
    assert_eq!(code, 0, "{log}");
    let arguments = ["verify-counts", path(&crawl), "--against", path(&index)];
    let (code, text, log) = warcsieve(&arguments);
    assert_eq!(code, 0, "{text}{log}");
    write(&crawl.join("01.warc.gz"), laid.bytes);
    let (code, text, _) = warcsieve(&arguments);
    assert_eq!(code, 10);
    assert!(text.contains("01.warc.gz: nothing is stated"), "{text}");
}

#[test]
fn files_that_state_nothing_are_refused() {
    let crawl = "testdata/crawl/en0000";
    let (code, _, log) = warcsieve(&["verify-counts", crawl, "--against", "Cargo.toml"]);
    assert_eq!(code, 2);
    assert!(log.contains("states no counts"), "{log}");
    let (code, _, log) = warcsieve(&["verify-counts", crawl, "--against", "src"]);
    assert_eq!(code, 2);
    assert!(log.contains("no file below src"), "{log}");
}
