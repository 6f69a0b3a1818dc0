//! Hostile pages among good ones, through the whole program: the good ones are
//! unharmed, and memory stays within the stated bound.
use crate::common::warcsieve;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use warcsieve_warc::ledger::ReadLedger;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn record(id: &str, http: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\n{http}\r\n\r\n");
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: {id}\r\nWARC-Record-ID: <urn:test:{id:.20}>\r\n\
         WARC-Target-URI: http://hostile.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        http.len() + body.len()
    )
    .into_bytes();
    record.extend_from_slice(http.as_bytes());
    record.extend_from_slice(body);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

const HTML: &str = "Content-Type: text/html";

fn page(id: &str, body: &str) -> Vec<Vec<u8>> {
    vec![record(id, HTML, body.as_bytes())]
}

/// Cleans the records between two good ones. Returns the manifest row and the
/// peak memory in MiB.
fn clean(records: &[Vec<u8>], threads: &str) -> (serde_json::Value, u64) {
    let folder = tempfile::tempdir().unwrap();
    clean_in(folder.path(), records, &["--threads", threads])
}

/// The same with other options, in a folder.
fn clean_in(folder: &Path, records: &[Vec<u8>], options: &[&str]) -> (serde_json::Value, u64) {
    let input = folder.join("in.warc.gz");
    let good = page("good", "<p>Nothing is wrong with this page.").remove(0);
    let mut file = fs::File::create(&input).unwrap();
    file.write_all(&gzip(&good)).unwrap();
    for record in records {
        let mut member = GzEncoder::new(&file, Compression::fast());
        member.write_all(record).unwrap();
        member.finish().unwrap();
    }
    file.write_all(&gzip(&good)).unwrap();
    let out = folder.join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_warcsieve"))
        .args(["clean", "--quiet"])
        .args(options)
        .arg("--out")
        .args([&out, &input])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    let code = loop {
        peak = peak.max(high_water(child.id()));
        match child.try_wait().unwrap() {
            Some(status) => break status.code(),
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    assert!(matches!(code, Some(0 | 10)), "{code:?}");
    assert!(out.join("_SUCCESS").exists());
    let row = fs::read(out.join("_manifest/in.warc.gz.json")).unwrap();
    (serde_json::from_slice(&row).unwrap(), peak)
}

/// The kernel's own high-water mark of a process's resident memory, in MiB; 0 while the
/// process is still a copy of this one and not the program yet.
fn high_water(pid: u32) -> u64 {
    let status = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status"));
    status
        .ok()
        .filter(|s| s.starts_with("Name:\twarcsieve\n"))
        .and_then(|s| {
            let line = s.lines().find(|l| l.starts_with("VmHWM"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        })
        .map_or(0, |kb| kb / 1024)
}

/// Texts that make filters keep as much as any page known.
#[test]
fn filters_stay_within_the_memory_that_plan_prints() {
    let json = ["--log-format", "json"];
    let (_, listed, _) = warcsieve(&[&["signals", "--list"], &json[..]].concat());
    let names = listed.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["name"].as_str().unwrap().to_owned()
    });
    let signals = &format!("signals = {:?}\n", names.collect::<Vec<_>>());
    let grams = "signals = ['gopher-repetition@datatrove']\n";
    let mask = "[[filter]]\npersonal = 'mask'\n";
    let lines = "[[filter]]\nlines = 'c4-any-end'\n[[filter]]\nlines = 'refinedweb'\n";
    let step = "[[step]]\nmethod = 'keep-all'\n";
    for (what, filters, start, unit) in [
        ("addresses", mask, "", "a@b.c,"),
        ("short lines", signals, "<pre>", "a b\n"),
        ("a word a byte", grams, "", ":)"),
        ("citations", lines, "<pre>", "a b c[1].\n"),
    ] {
        let records = &page(
            "x",
            &(start.to_owned() + &unit.repeat(((16 << 20) - 400) / unit.len())),
        );
        let folder = tempfile::tempdir().unwrap();
        let pipeline = folder.path().join("p.toml");
        fs::write(&pipeline, format!("{filters}{step}")).unwrap();
        let pipeline = pipeline.to_str().unwrap();
        let options = ["--pipeline", pipeline, "--threads", "1"];
        let (row, peak) = clean_in(folder.path(), records, &options);
        assert_eq!(row["pages"]["documents"], 3, "{what}: {row}");
        // The bound is the same for any input.
        let input = ["plan", "testdata/crawl/en0000/00.warc.gz"];
        let plan = [&input[..], &options[..], &["--json", "--quiet"]].concat();
        let (code, planned, log) = warcsieve(&plan);
        assert_eq!(code, 0, "{log}");
        let planned: serde_json::Value =
            serde_json::from_str(planned.lines().last().unwrap()).unwrap();
        let bound = planned["memory_bound"].as_u64().unwrap() >> 20;
        assert!(peak <= bound, "{what}: {peak} MiB, {bound} are said");
        assert!(peak * 4 > bound, "{what}: {peak} MiB, {bound} say little");
    }
}

#[test]
fn hostile_pages_harm_nobody_and_stay_within_memory() {
    let nested_gzip = gzip(&gzip(&vec![b'a'; 15_000_000]));
    let long_id = "i".repeat(5000);
    let cases: Vec<(&str, Vec<Vec<u8>>)> = vec![
        (
            "a million nested div",
            page("x", &"<div>".repeat(1_000_000)),
        ),
        (
            "200 MB of text",
            page("x", &"lorem ipsum ".repeat(17_000_000)),
        ),
        (
            "a body that grows a thousandfold",
            vec![record(
                "x",
                "Content-Type: text/html\r\nContent-Encoding: gzip",
                &gzip(&vec![b' '; 100_000_000]),
            )],
        ),
        (
            "a data: URL of 20 MB",
            page(
                "x",
                &format!(
                    "<img src=\"data:image/png;base64,{}\">",
                    "A".repeat(20_000_000)
                ),
            ),
        ),
        (
            "an attribute of 50 MB",
            page("x", &format!("<p title=\"{}\">", "a".repeat(50_000_000))),
        ),
        ("five million links", page("x", &"<a>".repeat(5_000_000))),
        (
            "many blocks under a long id",
            page(&long_id, &"<p>a".repeat(900_000)),
        ),
        (
            "millions of paragraphs",
            vec![record(
                "x",
                "Content-Type: text/plain",
                "a\n\n".repeat(5_500_000).as_bytes(),
            )],
        ),
        (
            "many small bodies that grow",
            (0..40)
                .map(|i| {
                    let http = "Content-Type: text/html\r\nContent-Encoding: gzip, gzip";
                    record(&format!("x{i}"), http, &nested_gzip)
                })
                .collect(),
        ),
        (
            "thousands of tiny pages",
            (0..20_000)
                .map(|i| page(&format!("x{i}"), "<p>tiny").remove(0))
                .collect(),
        ),
    ];
    // 96 MB, and 4 × max_page_bytes for the one thread; and what the default keeps of a page of
    // 900,000 elements and blocks, 500 bytes for both.
    const BOUND: u64 = 96 + 64;
    const MANY: u64 = (900_000 * 500) >> 20;
    for (what, records) in &cases {
        let (row, peak) = clean(records, "1");
        let pages = row["pages"]["pages"].as_u64().unwrap();
        let documents = row["pages"]["documents"].as_u64().unwrap();
        println!(
            "{what}: {peak} MiB, {documents} of {pages} pages, skips {}",
            row["pages"]["skips"]
        );
        assert_eq!(pages, records.len() as u64 + 2, "{what}");
        assert!(documents >= 2, "{what}: the good pages are documents");
        let read: ReadLedger = serde_json::from_value(row["read"].clone()).unwrap();
        assert_eq!(read.imbalances(), [""; 0], "{what}");
        let allowed = BOUND
            + if what.starts_with("many blocks") {
                MANY
            } else {
                0
            };
        assert!(peak <= allowed, "{what}: {peak} MiB, allowed {allowed}");
    }
}

#[test]
fn lists_have_the_beginning_of_long_ids() {
    let folder = tempfile::tempdir().unwrap();
    let [crawl, out] = ["a.warc.gz", "out"].map(|name| folder.path().join(name));
    let long = "x".repeat(200_000);
    let mut bytes = Vec::new();
    for n in 0..20 {
        let (length, kind) = if n % 2 == 0 {
            (9, "image/png")
        } else {
            (5, "text/html")
        };
        bytes.extend(gzip(
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <{n}{long}>\r\nContent-Type: {kind}\r\n\
                 Content-Length: {length}\r\n\r\nnine char\r\n\r\n"
            )
            .as_bytes(),
        ));
    }
    fs::write(&crawl, bytes).unwrap();
    let arguments = [
        "clean",
        crawl.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    let (code, _, log) = crate::common::warcsieve(&arguments);
    assert_eq!(code, 10, "{log}");
    let row = fs::read(out.join("_manifest/a.warc.gz.json")).unwrap();
    let row: serde_json::Value = serde_json::from_slice(&row).unwrap();
    let (faults, skipped) = (&row["read"]["faults"], &row["pages"]["skipped"]);
    for (listed, count) in [(faults, 10), (skipped, 10)] {
        let listed = listed.as_array().unwrap();
        assert_eq!(listed.len(), count, "{listed:.200?}");
        for entry in listed {
            let id = entry["record_id"].as_str().unwrap();
            assert!(id.len() < 1100 && id.ends_with('…'), "{id:.80}");
        }
    }
}
