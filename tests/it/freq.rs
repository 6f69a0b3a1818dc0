//! `warcsieve freq` as users call it.
use crate::common::warcsieve;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use warcsieve_extract::Engine;
use warcsieve_extract::Pipeline;
use warcsieve_features::Frequencies;
use warcsieve_warc::{Limits, Record, Source, WarcReader};

const CRAWL: &str = "testdata/crawl";

/// Exit code, what was printed, what was logged.
fn freq(inputs: &[&str], out: &Path, more: &[&str]) -> (i32, String, String) {
    let out = ["--out", out.to_str().unwrap()];
    warcsieve(&[&["freq"], inputs, &out, more].concat())
}

/// A number of the table that is printed.
fn printed(table: &str, row: &str) -> u64 {
    let line = table.lines().find(|l| l.trim_start().starts_with(row));
    let value = line.unwrap_or_else(|| panic!("no {row} in {table}"));
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

#[test]
fn threads_order_and_memory_do_not_show_in_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // The crawl has faults, so the code is 10; the table stands all the same.
    let (code, table, log) = freq(&[CRAWL], &at("1"), &["--threads", "1", "--min-pages", "1"]);
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("damaged/02.warc.gz: offset "), "{log}");
    assert_eq!(printed(&table, "memory was full"), 0);
    let expected = fs::read(at("1")).unwrap();

    let files = [
        "testdata/crawl/zst",
        "testdata/crawl/old",
        "testdata/crawl/en0000/00.warc.gz",
        "testdata/crawl/damaged/02.warc.gz",
        "testdata/crawl/en0000/01.warc.gz",
    ];
    let reversed: Vec<_> = files.iter().rev().copied().collect();
    for (name, inputs, more) in [
        ("2", &[CRAWL][..], &["--threads", "2"][..]),
        ("9", &[CRAWL], &["--threads", "9"]),
        ("files", &files, &["--threads", "2"]),
        ("reversed", &reversed, &["--threads", "1"]),
        ("small", &[CRAWL], &["--threads", "2", "--memory", "4K"]),
    ] {
        let more = [more, &["--min-pages", "1"]].concat();
        let (_, table, log) = freq(inputs, &at(name), &more);
        assert!(
            fs::read(at(name)).unwrap() == expected,
            "{name}: {table}{log}"
        );
        assert_eq!(
            printed(&table, "memory was full") > 1,
            name == "small",
            "{table}"
        );
    }
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["1", "2", "9", "files", "reversed", "small"]);
}

#[test]
fn the_table_tells_on_how_many_pages_a_text_stands() {
    let folder = tempfile::tempdir().unwrap();
    let warc = folder.path().join("a.warc");
    let pages = [
        "<p>Home<p>Home<p>one",
        "<p>Home <a href=x>page</a><p>two",
        "<div>Home</div>three",
        "<p>Home<p>four",
    ];
    let records: String = pages
        .iter()
        .map(|page| {
            let len = page.len();
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\n\
                 Content-Length: {len}\r\n\r\n{page}\r\n\r\n"
            )
        })
        .collect();
    fs::write(&warc, records).unwrap();
    let out = folder.path().join("tables/a.freq");
    let (code, table, log) = freq(&[warc.to_str().unwrap()], &out, &[]);
    assert_eq!(code, 0, "{log}");
    for (row, n) in [
        ("pages counted", 4),
        ("blocks", 9),
        ("different texts", 6),
        ("in the table", 1),
        ("bytes written", 76),
    ] {
        assert_eq!(printed(&table, row), n, "{table}");
    }
    let frequencies = Frequencies::open(&out).unwrap();
    assert_eq!(frequencies.get("Home"), 0.75);
    assert_eq!(frequencies.get("one"), 0.0);

    // In segmentation `leaves` the link is a block of its own.
    let pipeline = folder.path().join("p.toml");
    let text = "segmentation = 'leaves'\n[[step]]\nmethod = 'keep-all'\n";
    fs::write(&pipeline, text).unwrap();
    let leaves = [
        "--pipeline",
        pipeline.to_str().unwrap(),
        "--log-format",
        "json",
    ];
    let (code, json, _) = freq(&[warc.to_str().unwrap()], &out, &leaves);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, &json["blocks"], &json["texts"]),
        (0, &10.into(), &6.into())
    );
    assert_eq!(Frequencies::open(&out).unwrap().get("Home"), 1.0);
}

#[test]
fn every_text_of_a_crawl_has_the_share_that_a_plain_count_gives() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.freq");
    let input = "testdata/crawl/en0000/00.warc.gz";
    assert_eq!(freq(&[input], &out, &["--quiet"]).1, "");
    let frequencies = Frequencies::open(&out).unwrap();

    let pipeline = Arc::new(Pipeline::built_in(&warcsieve_papers::METHODS, "default").unwrap());
    let mut engine = Engine::new(&pipeline);
    let file = fs::File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(input)).unwrap();
    let mut source = WarcReader::new(input, Box::new(file), Limits::default());
    let mut record = Record::default();
    let mut pages = BTreeMap::<String, BTreeSet<u64>>::new();
    let mut n = 0;
    while source.read_record(&mut record).unwrap() {
        if engine.selects(&record)
            && let Ok(page) = engine.record(input, &record)
        {
            n += 1;
            for block in &page.doc.blocks {
                let text = page.doc.block_text(block).to_owned();
                pages.entry(text).or_default().insert(n);
            }
        }
    }
    assert!(n > 5 && pages.values().any(|p| p.len() > 1));
    assert_eq!(frequencies.pages(), n);
    for (text, on) in pages {
        let expected = if on.len() < 2 {
            0.0
        } else {
            on.len() as f32 / n as f32
        };
        assert_eq!(frequencies.get(&text), expected, "{text}");
    }
}

#[test]
fn a_table_that_would_lack_an_input_is_written_only_if_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.freq");
    let good = "testdata/crawl/en0000/00.warc.gz";
    let both = [good, "testdata/crawl/no-such.warc.gz"];
    let (code, table, log) = freq(&both, &out, &[]);
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("no-such.warc.gz"), "{log}");
    assert!(
        log.contains("1 of 2 inputs failed, so no table was written"),
        "{log}"
    );
    assert_eq!(printed(&table, "inputs failed"), 1);
    assert!(!table.contains("written"), "{table}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    // A table that was there stays.
    assert_eq!(freq(&[good], &out, &[]).0, 0);
    let table = fs::read(&out).unwrap();
    assert_eq!(freq(&both, &out, &["--min-pages", "1"]).0, 10);
    assert!(fs::read(&out).unwrap() == table);
    let (code, _, log) = freq(&both, &out, &["--min-pages", "1", "--allow-failed"]);
    assert_eq!(code, 10, "{log}");
    assert!(!log.contains("no table"), "{log}");
    assert!(fs::read(&out).unwrap().len() > table.len());

    let text = folder.path().join("notes.warc.gz");
    fs::write(&text, "this is neither WARC nor ARC\n").unwrap();
    let none = folder.path().join("b.freq");
    let (code, _, log) = freq(&[text.to_str().unwrap()], &none, &[]);
    assert_eq!(code, 42, "{log}");
    assert!(log.contains("no table was written"), "{log}");
    assert!(!none.exists());
}

#[test]
fn wrong_usage_is_one_clear_line_and_2() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.freq");
    let input = "testdata/crawl/en0000/00.warc.gz";
    for (more, expected) in [
        (&["--memory", "1K"][..], "at least 4K"),
        (&["--memory", "much"], "256M"),
        (&["--min-pages", "0"], "--min-pages"),
        (&["--pipeline", "nope"], "no built-in pipeline"),
        (&["--memory", "9999999999G"], "memory"),
    ] {
        let (code, stdout, log) = freq(&[input], &out, more);
        assert_eq!(code, 2, "{more:?}: {log}");
        assert!(log.contains(expected), "{more:?}: {log}");
        assert_eq!((log.lines().count(), stdout.as_str()), (1, ""), "{log}");
        assert!(!out.exists());
    }
    let (code, _, log) = freq(&[input], folder.path(), &[]);
    assert_eq!(code, 2);
    assert!(log.contains("is a folder"), "{log}");
    let (code, _, log) = freq(&["testdata/crawl/*.nothing"], &out, &[]);
    assert_eq!(code, 2);
    assert!(log.contains("no file matches"), "{log}");
}

#[test]
fn an_input_that_fails_while_it_is_read_is_named_and_the_others_count() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    let good = "testdata/crawl/en0000/00.warc.gz";
    // A folder opens like a file; only reading it fails.
    fs::write(&list, format!("testdata/crawl\n{good}\n")).unwrap();
    let list = format!("@{}", list.display());
    let [alone, listed] = ["alone", "listed"].map(|name| folder.path().join(name));
    let (_, expected, _) = freq(&[good], &alone, &[]);
    let (code, table, log) = freq(&[&list], &listed, &["--allow-failed"]);
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("testdata/crawl: "), "{log}");
    assert_eq!(printed(&table, "inputs failed"), 1);
    for row in ["pages counted", "blocks"] {
        assert_eq!(printed(&table, row), printed(&expected, row), "{table}");
    }
    assert_eq!(fs::read(listed).unwrap(), fs::read(alone).unwrap());
}
