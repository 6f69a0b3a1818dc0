//! A wrong length further on than is held costs no other record, whichever command reads the file.
use crate::common::warcsieve;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn record(kind: &str, id: &str, stated: usize, body: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{id}>\r\nWARC-Target-URI: http://{id}/\r\n\
         WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: text/html\r\nContent-Length: {stated}\r\n\
         \r\n{body}\r\n\r\n"
    )
}

/// A record whose length is that of the 60 after it, between which there are pages at both ends.
fn write(file: &Path) {
    let page = |id: &str| record("resource", id, 13, "<p>some words");
    let long = "x".repeat(1 << 20);
    let mut text = record("metadata", "liar", 50 << 20, "short") + &page("first");
    for i in 0..60 {
        text += &record("metadata", &i.to_string(), long.len(), &long);
    }
    fs::write(file, text + &page("last")).unwrap();
}

#[test]
fn every_command_reads_again_what_a_wrong_length_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("a.warc");
    write(Path::new(&file));
    let run = |arguments: &[&str]| {
        let (code, out, log) = warcsieve(arguments);
        assert!(matches!(code, 0 | 10), "{arguments:?} {code} {log}");
        out
    };
    let json = |text: String| serde_json::from_str::<Value>(text.trim()).unwrap();

    let checked = run(&["check", &file, "--json"]);
    let found = json(checked.lines().next().unwrap().to_owned());
    let sums = json(checked.lines().last().unwrap().to_owned());
    assert_eq!(
        (&sums["command"], &sums["exit_code"]),
        (&"check".into(), &10.into())
    );
    assert_eq!(
        (&sums["inputs"], &sums["inputs_sound"]),
        (&1.into(), &0.into())
    );
    assert_eq!((&sums["records"], &sums["faults"]), (&63.into(), &1.into()));
    assert_eq!(found["read"]["records"], 63, "{found}");
    assert_eq!(found["read"]["fault_count"], 1, "{found}");
    assert_eq!(found["read"]["garbage_bytes"], 0, "{found}");

    run(&[
        "cdx",
        &file,
        "--out",
        &path("cdx"),
        "--records",
        "all",
        "--quiet",
    ]);
    let index = path("cdx/a.warc.cdxj");
    // The end of the long record was not known when it was given out.
    assert_eq!(fs::read_to_string(&index).unwrap().lines().count(), 62);
    let counts = [
        "verify-counts",
        &file,
        "--against",
        &index,
        "--count",
        "all",
    ];
    let counted = json(run(&[&counts[..], &["--json", "--quiet"]].concat()));
    assert_eq!(counted["records_counted"], 63, "{counted}");
    assert_eq!(counted["records_stated"], 62, "{counted}");

    let pages = [
        "freq",
        &file,
        "--out",
        &path("a.freq"),
        "--log-format",
        "json",
    ];
    assert_eq!(json(run(&pages))["pages"], 2);
    assert!(run(&["inspect", &file, "--url", "http://first/"]).contains("some words"));
    let gold = path("gold.jsonl");
    fs::write(&gold, "{\"id\":\"first\",\"gold\":\"some words\"}\n").unwrap();
    let measured = json(run(&["eval", &file, "--gold", &gold, "--json"]));
    assert_eq!(measured["missing"], serde_json::json!([]), "{measured}");
}
