//! A run that a signal stops: what is done is kept, nothing else is left, and it goes on.
use crate::common::synthetic::{self, Layout};
use crate::common::warcsieve;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Starts a command.
fn start(arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("warcsieve"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &pid]).status();
    assert!(sent.unwrap().success());
}

/// The exit code, and what was logged.
fn end(mut child: Child) -> (Option<i32>, Vec<String>) {
    let log = BufReader::new(child.stderr.take().unwrap());
    let lines = log.lines().map(Result::unwrap).collect();
    (child.wait().unwrap().code(), lines)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Makes a folder of inputs, the first of them small and the second large.
fn inputs(folder: &Path) -> PathBuf {
    let inputs = folder.join("in");
    fs::create_dir(&inputs).unwrap();
    fs::copy("testdata/crawl/en0000/00.warc.gz", inputs.join("a.warc.gz")).unwrap();
    let large = File::create(inputs.join("b.warc.gz")).unwrap();
    synthetic::write(large, 40_000_000, Layout::Members).unwrap();
    inputs
}

/// Stops a command that writes folders after its first input, and lets another one go on.
fn stop_and_go_on(folder: &Path, command: &[&str]) {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let out = folder.join(name);
        let mut child = start(&[command, &["--out", out.to_str().unwrap()]].concat());
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("input done") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0);
        }
        signal(&child, name);
        let rest: Vec<String> = log.lines().map(Result::unwrap).collect();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{rest:?}");
        assert_eq!(
            rest.last().unwrap(),
            "warcsieve: stopped; inputs done and kept: 1; run the same command to go on"
        );
        let left: Vec<_> = (files(&out).iter())
            .map(|f| f.strip_prefix(&out).unwrap().display().to_string())
            .collect();
        let (lists, left) = left.split_at(1);
        assert!(lists[0].starts_with("_inputs/"), "{lists:?}");
        assert_eq!(
            left,
            [
                "_manifest/a.warc.gz.json",
                "_recipe.json",
                "blocks/a.warc.gz.parquet",
                "documents/a.warc.gz.parquet"
            ]
        );
    }
    let out = folder.join("INT");
    let (code, table, _) = warcsieve(&[command, &["--out", out.to_str().unwrap()]].concat());
    assert_eq!(code, 0);
    assert!(table.contains("inputs done before"), "{table}");
    assert!(out.join("_SUCCESS").is_file());
}

#[test]
fn a_stopped_run_keeps_what_is_done_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(folder.path());
    stop_and_go_on(folder.path(), &["clean", "-v", inputs.to_str().unwrap()]);
}

#[test]
fn so_does_one_that_labels_again() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, from) = (inputs(folder.path()), folder.path().join("from"));
    let [inputs, from] = [&inputs, &from].map(|path| path.to_str().unwrap());
    let cleaned = warcsieve(&[
        "clean",
        "-q",
        "--pipeline",
        "min-words",
        inputs,
        "--out",
        from,
    ]);
    assert_eq!(cleaned.0, 0, "{}", cleaned.2);
    let relabel = [
        "relabel",
        "-v",
        from,
        "--pipeline",
        "numwords",
        "--threads",
        "1",
    ];
    stop_and_go_on(folder.path(), &relabel);
}

#[test]
fn what_keeps_nothing_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("a.warc.gz");
    synthetic::write(File::create(&input).unwrap(), 100_000_000, Layout::Members).unwrap();
    let out = folder.path().join("table");
    let child = start(&[
        "freq",
        input.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    std::thread::sleep(std::time::Duration::from_millis(200));
    signal(&child, "INT");
    let (code, log) = end(child);
    assert_eq!(code, Some(130), "{log:?}");
    assert_eq!(
        log.last().unwrap(),
        "warcsieve: stopped; nothing was written"
    );
    assert_eq!(files(folder.path()), [input]);
}

#[test]
fn a_second_signal_ends_a_run_that_cannot_stop() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // It waits for standard input.
    let mut child = start(&[
        "clean",
        "-",
        "--name",
        "a.warc",
        "--out",
        out.to_str().unwrap(),
    ]);
    let mut log = BufReader::new(child.stderr.take().unwrap());
    // More than a pipe holds, so it is reading once all is written. Soon it has read all, and waits for more.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&[b'x'; 1 << 18]).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    signal(&child, "TERM");
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("stopping; a second signal"), "{line}");
    signal(&child, "TERM");
    line.clear();
    log.read_line(&mut line).unwrap();
    assert_eq!(line, "warcsieve: stopped at once\n");
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn a_stream_without_end_or_records_is_stopped_by_the_first_signal() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    for command in [
        &["clean", "-", "--name", "a.warc", "--out", &out][..],
        &["check", "-"],
        &["extract", "-"],
    ] {
        let mut child = start(command);
        let mut stdin = child.stdin.take().unwrap();
        let endless =
            std::thread::spawn(move || while stdin.write_all(&[b'x'; 1 << 18]).is_ok() {});
        std::thread::sleep(std::time::Duration::from_millis(500));
        signal(&child, "TERM");
        let (code, log) = end(child);
        endless.join().unwrap();
        assert_eq!(code, Some(143), "{command:?}: {log:?}");
    }
    assert!(!Path::new(&out).join("_SUCCESS").exists());
}
