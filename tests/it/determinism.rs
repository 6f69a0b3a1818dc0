//! Same input and pipeline, same bytes: any number of threads and shards, and
//! after a crash at any moment.
use crate::common::{assert_same, contents};
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
        (
            "a.warc.gz",
            300_000,
            crate::common::synthetic::Layout::Members,
        ),
        (
            "b.warc.gz",
            900_000,
            crate::common::synthetic::Layout::Stream,
        ),
        (
            "c.warc.gz",
            1_500_000,
            crate::common::synthetic::Layout::Members,
        ),
    ] {
        crate::common::synthetic::write(File::create(folder.join(name)).unwrap(), bytes, layout)
            .unwrap();
    }
}

/// A gzip member of one record.
fn member(id: usize, kind: &str, body: &[u8], level: u32) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {id}\r\nContent-Type: {kind}\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    let mut gz = GzEncoder::new(Vec::new(), Compression::new(level));
    gz.write_all(&[head.as_bytes(), body, b"\r\n\r\n"].concat())
        .unwrap();
    gz.finish().unwrap()
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
        12,
        "two tables and a row an input, the list, the recipe and the seal"
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
        let member = member(i, "text/html", page.as_bytes(), 1);
        file.write_all(&member).unwrap();
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

/// A file of many splits: stored members that hold members with records, also over the borders of
/// splits, so that guesses of where a split begins are wrong; damage; and pages whose rows cannot
/// wait.
#[test]
fn splits_do_not_show_in_the_output() {
    const MB: usize = 1 << 20;
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("splits.warc.gz");
    let mut noise = crate::common::Random(7);
    let mut page = |bytes: usize| {
        let mut html = String::from("<h1>A page</h1>");
        while html.len() < bytes {
            html += &format!(
                "<p>{:016x} {:016x} and a few words more",
                noise.next(),
                noise.next()
            );
        }
        html
    };
    let mut file = member(0, "text/html", b"<p>first", 6);
    let mut id = 3;
    let mut pages = |file: &mut Vec<u8>, to: usize, id: &mut usize| {
        while file.len() < to {
            file.extend(member(*id, "text/html", page(150_000).as_bytes(), 1));
            *id += 1;
        }
    };
    pages(&mut file, 3 * MB, &mut id);
    let mut inner = Vec::new();
    pages(&mut inner, 6 * MB, &mut id);
    file.extend(member(1, "application/gzip", &inner, 0));
    pages(&mut file, 13 * MB, &mut id);
    let rows = "<p>a".repeat(300_000);
    file.extend(member(2, "text/html", rows.as_bytes(), 6));
    pages(&mut file, 17 * MB, &mut id);
    // Damage on both sides of a border.
    for at in [4 * 4 * MB - 300, 4 * 4 * MB + 5000, file.len() - 10] {
        file[at] ^= 0x55;
    }
    fs::write(&input, &file).unwrap();

    let run = |out: &str, threads: &str| {
        let out = folder.path().join(out);
        let more = ["--pipeline", "keep-all", "--threads", threads];
        let status = clean(&input, &out, &more).status().unwrap();
        assert_eq!(status.code(), Some(10), "all done, with damage");
        contents(&out)
    };
    let one = run("1", "1");
    for threads in ["2", "3", "7"] {
        assert_same(&one, &run(threads, threads), threads);
    }
    let out = folder.path().join("pipe");
    let more = ["--pipeline", "keep-all", "--name", "splits.warc.gz"];
    let mut piped = clean(Path::new("-"), &out, &more);
    let status = piped.stdin(File::open(&input).unwrap()).status();
    assert_eq!(status.unwrap().code(), Some(10));
    let piped = contents(&out);
    for (name, bytes) in &piped {
        if name.ends_with(".parquet") {
            assert!(*bytes == one[name], "{name} of a pipe differs");
        }
    }
    let ledgers = |run: &BTreeMap<String, Vec<u8>>| {
        let row: serde_json::Value =
            serde_json::from_slice(&run["_manifest/splits.warc.gz.json"]).unwrap();
        row["read"].clone()
    };
    assert_eq!(ledgers(&piped), ledgers(&one));
}

/// The short form of `cargo xtask kill`.
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
