//! `prove` finds blocks again in the crawl, and says where it does not.

use crate::common::warcsieve;
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;

fn run(arguments: &[&str]) -> (i32, Value, String) {
    let (code, out, log) = warcsieve(arguments);
    let json = out
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok());
    (code, json.unwrap_or_default(), log)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn every_block_of_a_crawl_with_damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let clean = [
        "clean",
        "testdata/crawl",
        "--out",
        text(&out),
        "-q",
        "--pipeline",
        "keep-all",
    ];
    assert_eq!(warcsieve(&clean).0, 10);
    let prove = [
        "prove",
        text(&out),
        "100000",
        "--inputs",
        "testdata/crawl",
        "--json",
    ];
    let (code, all, log) = run(&prove);
    assert_eq!((code, &*log), (0, ""));
    assert!(all["blocks"].as_u64() > Some(1000), "{all}");
    assert_eq!(all["found"], all["blocks"], "{all}");
    assert!(all["verbatim"].as_u64() > Some(500), "{all}");
    let (code, some, _) = run(&[
        "prove",
        text(&out),
        "7",
        "--seed",
        "3",
        "--inputs",
        "testdata/crawl",
        "--json",
    ]);
    assert!(
        code == 0 && some["blocks"] == 7 && some["found"] == 7,
        "{some}"
    );
    let (code, _, log) = run(&[
        "prove",
        text(&out),
        "100000",
        "--inputs",
        "testdata/crawl/damaged",
    ]);
    assert!(
        code == 2 && log.contains("is not among the inputs"),
        "{code}: {log}"
    );
}

#[test]
fn a_crawl_with_other_bytes_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("a.warc"), folder.path().join("out"));
    let record = |page: usize, text: &str| {
        let body = format!("<p>The first of page {page}.<p>Mail a@b.example &amp; {text}.");
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:{page}>\r\nContent-Type: text/html\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let crawl = |text: &str| format!("{}{}", record(1, "sheep"), record(2, text));
    fs::write(&path, crawl("goats")).unwrap();
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let pipeline = folder.path().join("p.toml");
    let mask = "[[filter]]\npersonal = 'mask'\n[[step]]\nmethod = 'keep-all'\n";
    for (steps, masked) in [("[[step]]\nmethod = 'keep-all'\n", 0_u64), (mask, 2)] {
        fs::write(&path, crawl("goats")).unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(time)
            .unwrap();
        fs::write(&pipeline, steps).unwrap();
        let clean = [
            "clean",
            text(&path),
            "--out",
            text(&out),
            "-q",
            "--redo",
            "--pipeline",
            text(&pipeline),
        ];
        assert_eq!(warcsieve(&clean).0, 0);
        let prove = ["prove", text(&out), "10", "--inputs", text(&path), "--json"];
        let (code, proved, log) = run(&prove);
        assert_eq!(code, 0, "{log}");
        assert!(proved["found"] == 4 && proved["verbatim"] == 2, "{proved}");
        assert_eq!(proved["masked"], masked);
        // A changed file is refused by its time, and without that by its bytes.
        fs::write(
            &path,
            crawl("geese").replace("first of page 2", "first on page 2"),
        )
        .unwrap();
        let other = time + std::time::Duration::from_secs(60);
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(other)
            .unwrap();
        let (code, _, log) = run(&prove);
        assert!(
            code == 2 && log.contains("it changed after it was cleaned"),
            "{code}: {log}"
        );
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(time)
            .unwrap();
        let (code, proved, log) = run(&prove);
        assert_eq!(code, 1, "{log}");
        assert_eq!(proved["not_found"], 2 - masked / 2, "{log}");
        assert!(
            log.contains("page urn:uuid:2, block 0: its text is"),
            "{log}"
        );
    }
}
