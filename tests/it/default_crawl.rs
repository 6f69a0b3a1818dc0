//! Texts that pages of a site share: two passes over a crawl.

use crate::common::warcsieve;
use std::fs;
use std::path::Path;

const ABOUT: &str = "This site has told its readers what happens in the harbours of the north since it was \
    founded by three fishermen, and everyone who works on it lives there and goes out with the boats.";

/// Pages of a site that all end with the same paragraph, in two files.
fn crawl(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for file in 0..2 {
        let page = |n: usize| {
            let body = format!(
                "<title>Boat {file} {n}</title><h1>Boat {file} {n}</h1><p>The boat number {n} of file {file} left the harbour \
                 early, and its crew of {n} did not know that herring had been seen further out than in any year before. \
                 <p>They came back with {file} barrels and {n} stories, which they told to everyone who stood at the pier \
                 when the evening came. <p>{ABOUT}"
            );
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {file}-{n}\r\nWARC-Target-URI: http://a.example/{file}/{n}\r\n\
                 Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
                body.len()
            )
        };
        let all: String = (0..4).map(page).collect();
        fs::write(folder.join(format!("{file}.warc")), all).unwrap();
    }
}

/// The text of a folder of exported texts.
fn texts(at: &dyn Fn(&str) -> String, out: &str) -> String {
    let to = format!("{out}-trec");
    let (code, _, log) = warcsieve(&[
        "export",
        &at(out),
        "--to",
        "trec",
        "--compress",
        "none",
        "--out",
        &at(&to),
        "-q",
    ]);
    assert_eq!(code, 0, "{log}");
    let files = ["0.warc.trec", "1.warc.trec"];
    files
        .map(|file| fs::read_to_string(format!("{}/{file}", at(&to))).unwrap())
        .concat()
}

#[test]
fn what_a_site_repeats_goes_in_the_second_pass() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    crawl(Path::new(&at("crawl")));
    let clean = |out: &str, more: &[&str]| {
        let crawl = at("crawl");
        let out = at(out);
        let arguments = [&["clean", &crawl, "--out", &out, "-q"], more].concat();
        warcsieve(&arguments)
    };
    assert_eq!(clean("alone", &[]).0, 0);
    assert_eq!(texts(&at, "alone").matches(ABOUT).count(), 8);

    let two = ["--pipeline", "default-crawl"];
    let (code, _, log) = clean("corpus", &[&two[..], &["--threads", "2"]].concat());
    assert_eq!(code, 0, "{log}");
    let text = texts(&at, "corpus");
    assert_eq!(text.matches(ABOUT).count(), 0);
    assert_eq!(text.matches("They came back with").count(), 8);
    let table = fs::read(at("corpus.freq")).unwrap();

    // The table is an input: with it each share of the crawl gives the same bytes.
    let share = |part: &str| clean("shares", &[&two[..], &["--shard", part]].concat());
    for part in [&["--shard", "1/2"][..], &["--no-seal"]] {
        let (code, _, log) = clean("shares", &[&two[..], part].concat());
        assert_eq!(code, 2, "{log}");
        assert!(
            log.contains("freq --pipeline default-crawl --by-host --min-pages 3"),
            "{log}"
        );
    }
    fs::write(at("shares.freq"), &table).unwrap();
    assert_eq!([share("1/2").0, share("2/2").0], [0, 0]);
    for file in [
        "documents/0.warc.parquet",
        "blocks/1.warc.parquet",
        "_recipe.json",
    ] {
        let of = |out: &str| fs::read(format!("{}/{file}", at(out))).unwrap();
        assert!(of("corpus") == of("shares"), "{file}");
    }

    // Another table is another recipe.
    let (code, _, log) = warcsieve(&[
        "freq",
        &at("crawl/0.warc"),
        "--by-host",
        "--min-pages",
        "3",
        "--out",
        &at("corpus.freq"),
        "-q",
    ]);
    assert_eq!(code, 0, "{log}");
    let (code, _, log) = clean("corpus", &two);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("was made with another recipe"), "{log}");
    let (code, _, log) = clean("corpus", &[&two[..], &["--redo"]].concat());
    assert_eq!(code, 0, "{log}");
    assert!(
        fs::read(at("corpus.freq")).unwrap() != table,
        "a table that is there stays"
    );
    fs::remove_file(at("corpus.freq")).unwrap();
    let (code, _, log) = clean("corpus", &[&two[..], &["--redo"]].concat());
    assert_eq!(code, 0, "{log}");
    assert!(fs::read(at("corpus.freq")).unwrap() == table);
    fs::copy(at("crawl/0.warc"), at("crawl/2.warc")).unwrap();
    let (code, _, log) = clean("corpus", &two);
    assert_eq!(code, 0, "{log}");
    assert!(
        log.contains("the texts of 1 input were not counted"),
        "{log}"
    );
    fs::remove_file(at("crawl/2.warc")).unwrap();

    // Blocks that are there are labelled again by the same table.
    let pipeline = format!(
        "[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\nfrequencies = '{}'\n",
        at("corpus.freq")
    );
    fs::write(at("again.toml"), pipeline).unwrap();
    let (code, _, log) = warcsieve(&[
        "relabel",
        &at("alone"),
        "--pipeline",
        &at("again.toml"),
        "--out",
        &at("again"),
        "-q",
    ]);
    assert_eq!(code, 0, "{log}");
    assert_eq!(texts(&at, "again").matches(ABOUT).count(), 0);
    let (code, _, log) = warcsieve(&[
        "relabel",
        &at("alone"),
        "--pipeline",
        "default-crawl",
        "--out",
        &at("never"),
        "-q",
    ]);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("a step uses a table of the crawl"), "{log}");
}

#[test]
fn a_crawl_that_cannot_be_read_twice_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("corpus").display().to_string();
    let stdin = [
        "clean",
        "-",
        "--name",
        "a.warc",
        "--pipeline",
        "default-crawl",
        "--out",
        &out,
    ];
    let (code, _, log) = warcsieve(&stdin);
    assert_eq!(code, 2, "{log}");
    assert!(
        log.contains("cannot be read twice") && log.contains("freq"),
        "{log}"
    );
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("none.warc"), "PK\x03\x04x").unwrap();
    let (code, _, log) = warcsieve(&[
        "clean",
        &at("none.warc"),
        "--pipeline",
        "default-crawl",
        "--out",
        &out,
    ]);
    assert_eq!(code, 2, "{log}");
    assert!(
        log.contains("none.warc") && log.contains("--allow-failed"),
        "{log}"
    );
    fs::write(at("empty.warc"), "").unwrap();
    let (code, _, log) = warcsieve(&[
        "clean",
        &at("empty.warc"),
        "--pipeline",
        "default-crawl",
        "--out",
        &out,
    ]);
    assert_eq!(code, 42, "{log}");
    assert!(!Path::new(&at("corpus.freq")).exists());
}

#[test]
fn the_first_pass_counts_what_the_pipeline_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    crawl(Path::new(&at("crawl")));
    let clean = |params: &str, out: &str| {
        let text =
            format!("[[step]]\nmethod = 'keep-all'\n[[step]]\nmethod = 'repeated'\n{params}");
        fs::write(at("p.toml"), text).unwrap();
        warcsieve(&[
            "clean",
            &at("crawl"),
            "--pipeline",
            &at("p.toml"),
            "--out",
            &at(out),
            "-q",
        ])
    };
    assert_eq!(clean("host_pages = 9\n", "nine").0, 0);
    assert_eq!(texts(&at, "nine").matches(ABOUT).count(), 8);
    fs::copy(at("nine.freq"), at("three.freq")).unwrap();
    let (code, _, log) = clean("", "three");
    assert_eq!(code, 2, "{log}");
    assert!(
        log.contains("three.freq") && log.contains("--min-pages 3"),
        "{log}"
    );
    assert_eq!(clean("host_pages = 0\npages = 8\n", "all").0, 0);
    assert_eq!(texts(&at, "all").matches(ABOUT).count(), 0);
}
