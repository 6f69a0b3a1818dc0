//! Same input and pipeline, same bytes: any number of threads and shards, and
//! after a crash at any moment.
#![cfg(feature = "cli")]

#[path = "common/synthetic.rs"]
mod synthetic;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Three inputs of different size and layout.
fn crawl(folder: &Path) {
    for (name, bytes, layout) in [
        ("a.warc.gz", 300_000, synthetic::Layout::Members),
        ("b.warc.gz", 900_000, synthetic::Layout::Stream),
        ("c.warc.gz", 1_500_000, synthetic::Layout::Members),
    ] {
        synthetic::write(File::create(folder.join(name)).unwrap(), bytes, layout).unwrap();
    }
}

fn clean(input: &Path, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warcsieve"));
    command
        .args(["clean", "--quiet", "--out"])
        .arg(out)
        .arg(input)
        .args(more)
        .stdout(Stdio::null());
    command
}

/// Every file below a folder with its bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn assert_same(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert_eq!(
        a.keys().collect::<Vec<_>>(),
        b.keys().collect::<Vec<_>>(),
        "{what}"
    );
    for (name, bytes) in a {
        assert!(bytes == &b[name], "{what}: {name} differs");
    }
}

#[test]
fn threads_and_shards_do_not_show_in_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    crawl(&input);
    let run = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        assert!(clean(&input, &out, more).status().unwrap().success());
        contents(&out)
    };
    let one = run("1", &["--threads", "1"]);
    assert_eq!(
        one.len(),
        11,
        "two tables and a row an input, the recipe and the seal"
    );
    assert_same(&one, &run("2", &["--threads", "2"]), "2 threads");
    assert_same(&one, &run("7", &["--threads", "7"]), "7 threads");
    for part in ["1/3", "2/3"] {
        run("shards", &["--shard", part, "--threads", "1"]);
    }
    assert_same(&one, &run("shards", &["--shard", "3/3"]), "3 shards");
}

/// Pages whose rows are handed on in pieces, and bodies that fill the budget, so that
/// threads wait for their turn and the reader is parked.
#[test]
fn pages_of_very_many_rows_come_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("rows.warc.gz");
    let mut file = File::create(&input).unwrap();
    for i in 0..8 {
        let page = if i % 2 == 0 {
            "<p>a".repeat(100_000)
        } else {
            format!("<p>{}", "word ".repeat(1_500_000))
        };
        let record = format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: rows-{i}\r\nContent-Type: text/html\r\n\
             Content-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        );
        let mut member = GzEncoder::new(&mut file, Compression::fast());
        member.write_all(record.as_bytes()).unwrap();
        member.finish().unwrap();
    }
    let run = |threads: &str| {
        let out = folder.path().join(threads);
        let status = clean(
            &input,
            &out,
            &["--pipeline", "keep-all", "--threads", threads],
        )
        .status();
        assert!(status.unwrap().success());
        contents(&out)
    };
    let one = run("1");
    for threads in ["2", "5"] {
        assert_same(&one, &run(threads), threads);
    }
}

/// The short form of `make kill`.
#[test]
fn a_killed_run_is_completed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    crawl(&input);
    let whole = folder.path().join("whole");
    let start = Instant::now();
    assert!(clean(&input, &whole, &[]).status().unwrap().success());
    let took = start.elapsed();
    let whole = contents(&whole);
    const TIMES: u32 = 8;
    for n in 0..TIMES {
        let out = folder.path().join(format!("killed{n}"));
        let mut child = clean(&input, &out, &["--threads", "2"]).spawn().unwrap();
        std::thread::sleep(
            took * (2 * n + 1) / (2 * TIMES) + Duration::from_micros(137 * u64::from(n)),
        );
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            clean(&input, &out, &["--threads", "2"])
                .status()
                .unwrap()
                .success()
        );
        assert_same(&whole, &contents(&out), &format!("kill {n}"));
    }
}
