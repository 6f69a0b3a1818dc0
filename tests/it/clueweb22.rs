//! The HTML and the texts of ClueWeb22 in their layout, from the disk to runs and exports.

use crate::common::warcsieve;
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Two pages a language, annotated as its HTML is: a warcinfo record without a length, a member a record, bodies without
/// the head of an answer although their type says so.
fn write(folder: &Path, language: &str, words: [&str; 2]) {
    let name = format!("{language}0000");
    let mut file =
        member("WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2022-01-01T00:00:00Z\r\n\r\n");
    for (at, word) in words.iter().enumerate() {
        let id = format!("clueweb22-{name}-00-0000{at}");
        let filler =
            "is told here at length, since a page of some words is a page that methods keep";
        let html = format!(
            "<html data-dcnode-id=0><head data-dcnode-id=1><title data-dcnode-id=2>{word}</title></head>\
             <body data-dcnode-id=3><p data-dcnode-id=4><span instrument_node data-dcnode-id=5>What {word} is, {filler}.\
             </span></p><p data-dcnode-id=6>And {word} again: {filler}, and once more.</p></body></html>"
        );
        file.extend(member(&format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{language}.example/{at}\r\n\
             ClueWeb22-ID: {id}\r\nLanguage: {language}\r\nVDOM-Heading: h\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
            html.len()
        )));
    }
    let folder = folder.join(format!("html/{language}/{language}00/{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}-00.warc.gz")), &file).unwrap();
    fs::write(
        folder.join(format!("{name}-00.warc.offset")),
        "0000000000\n",
    )
    .unwrap();
}

fn member(text: &str) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    member.write_all(text.as_bytes()).unwrap();
    member.finish().unwrap()
}

/// The same pages as texts that were extracted elsewhere, a member a line.
fn write_texts(folder: &Path, language: &str, words: [&str; 2]) {
    let name = format!("{language}0000");
    let line = |(at, word): (usize, &&str)| {
        let text = format!("What {word} is.\nAnd {word} again.");
        let line = serde_json::json!({
            "URL": format!("http://{language}.example/{at}\n"),
            "URL-hash": "0123456789ABCDEF",
            "Language": language,
            "ClueWeb22-ID": format!("clueweb22-{name}-00-0000{at}"),
            "Clean-Text": text,
        });
        member(&format!("{line}\n"))
    };
    let lines: Vec<_> = words.iter().enumerate().flat_map(line).collect();
    let folder = folder.join(format!("txt/{language}/{language}00/{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}-00.json.gz")), lines).unwrap();
    fs::write(folder.join(format!("{name}-00.offset")), "0000000000\n").unwrap();
}

#[test]
fn its_texts_are_searched_and_exported_by_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("ClueWeb22_A");
    write_texts(&tree, "en", ["herring", "gravlax"]);
    write_texts(&tree, "de", ["Schellfisch", "gravlax"]);
    let at = |name: &str| folder.path().join(name).display().to_string();
    let done = |arguments: &[&str]| {
        let (code, text, log) = warcsieve(arguments);
        assert_eq!(code, 0, "{arguments:?}: {log}");
        text
    };
    let txt = tree.join("txt").display().to_string();
    let (shards, trec) = (at("shards"), at("trec"));
    done(&[
        "clean",
        &txt,
        "--pipeline",
        "keep-all",
        "--out",
        &shards,
        "-q",
    ]);
    done(&["index", &shards, "--out", &at("idx"), "-q"]);
    fs::write(at("topics"), "1\tgravlax\n").unwrap();
    let run = done(&["search", &at("idx"), "--topics", &at("topics")]);
    for id in ["clueweb22-de0000-00-00001", "clueweb22-en0000-00-00001"] {
        assert!(run.contains(id), "{run}");
    }
    done(&[
        "export",
        &shards,
        "--to",
        "trec",
        "--compress",
        "none",
        "--out",
        &trec,
        "-q",
    ]);
    let file = "trec/de/de00/de0000/de0000-00.json.gz.trec";
    let exported = fs::read_to_string(folder.path().join(file)).unwrap();
    assert!(
        exported.contains("<DOCNO>clueweb22-de0000-00-00000</DOCNO>"),
        "{exported}"
    );
    assert!(
        exported.contains("What Schellfisch is.\n\nAnd Schellfisch again."),
        "{exported}"
    );
}

#[test]
fn json_lines_beside_pages_are_read_only_if_they_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let crawl = folder.path().join("crawl");
    fs::create_dir(&crawl).unwrap();
    fs::write(crawl.join("a.html"), "<!doctype html><p>One page is here.").unwrap();
    let gold = "{\"id\":\"one\",\"text\":\"Gold of it.\"}\nrubbish\n";
    fs::write(crawl.join("gold.jsonl"), gold).unwrap();
    let clean = |input: &str, out: &str| {
        warcsieve(&[
            "clean",
            input,
            "--pipeline",
            "keep-all",
            "--out",
            &at(out),
            "-q",
        ])
    };
    assert_eq!(clean(&at("crawl"), "pages").0, 0);
    assert!(
        !folder
            .path()
            .join("pages/documents/gold.jsonl.parquet")
            .exists()
    );
    let (code, _, log) = clean(&at("crawl/gold.jsonl"), "texts");
    assert_eq!(code, 10, "a line is damaged: {log}");
    assert!(
        folder
            .path()
            .join("texts/documents/gold.jsonl.parquet")
            .is_file()
    );
    assert!(log.contains("line 2: no JSON object"), "{log}");
}

#[test]
fn a_tree_of_languages_is_searched_and_exported_by_its_ids() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("ClueWeb22_A");
    write(&tree, "en", ["herring", "gravlax"]);
    write(&tree, "de", ["Schellfisch", "gravlax"]);
    let at = |name: &str| folder.path().join(name).display().to_string();
    let done = |arguments: &[&str]| {
        let (code, text, log) = warcsieve(arguments);
        assert!([0, 10].contains(&code), "{arguments:?}: {log}");
        text
    };
    let html = tree.join("html").display().to_string();
    done(&[
        "clean",
        &html,
        "--pipeline",
        "retrieval",
        "--out",
        &at("shards"),
        "-q",
    ]);
    let names = ["de/de00/de0000/de0000-00", "en/en00/en0000/en0000-00"];
    for name in names {
        let documents = format!("shards/documents/{name}.warc.gz.parquet");
        assert!(folder.path().join(&documents).is_file(), "{documents}");
    }
    done(&["index", &at("shards"), "--out", &at("idx"), "-q"]);
    fs::write(at("topics"), "1\tgravlax\n2\tSchellfisch\n").unwrap();
    let run = done(&["search", &at("idx"), "--topics", &at("topics")]);
    let docnos: Vec<_> = run
        .lines()
        .map(|line| line.split(' ').nth(2).unwrap())
        .collect();
    let [first, second] = ["clueweb22-en0000-00-00001", "clueweb22-de0000-00-00001"];
    assert_eq!(docnos, [first, second, "clueweb22-de0000-00-00000"]);
    done(&[
        "export",
        &at("shards"),
        "--to",
        "trec",
        "--compress",
        "none",
        "--out",
        &at("trec"),
        "-q",
    ]);
    let exported = fs::read_to_string(
        folder
            .path()
            .join(format!("trec/{}.warc.gz.trec", names[1])),
    )
    .unwrap();
    assert_eq!(
        exported.matches("<DOCNO>clueweb22-en0000-00-0000").count(),
        2,
        "{exported}"
    );
    assert!(exported.contains("What herring is") && !exported.contains("data-dcnode-id"));
}
