//! The Spark driver without Spark: the same tasks on threads. `cargo xtask spark-test` is the whole.
use crate::common::{assert_same, contents};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_warcsieve");

/// Whether Python can be started at all; anything else about it is a failure.
fn has_python() -> bool {
    let python = Command::new("python3").arg("--version").output();
    if python.is_err() {
        eprintln!("skipped: python3 is missing");
    }
    python.is_ok()
}

fn driver(arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["integrations/spark_clean.py", "clean", "--engine", "local"])
        .args(arguments);
    command
}

/// The exit code, the ledger and what was said.
fn run(arguments: &[&str]) -> (i32, serde_json::Value, String) {
    let output = driver(arguments).arg("--json").output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    let ledger = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().expect(&log), ledger, log)
}

/// A program that does `what` before it becomes the real one; `$input` is the input, `once NAME` is
/// true the first time.
fn wrapper(folder: &Path, what: &str) -> PathBuf {
    let path = folder.join("wrapper");
    let state = folder.display();
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in clean*' --shard '* | status*) exec {BINARY} \"$@\" ;; esac\n\
         input=$(cat /dev/stdin)\necho \"$input $$\" >>{state}/starts\n\
         once() {{ mkdir \"{state}/$1\" 2>/dev/null; }}\n{what}\nexec {BINARY} \"$@\"\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Input and process of each attempt that began.
fn starts(folder: &Path) -> Vec<(String, u32)> {
    let starts = fs::read_to_string(folder.join("starts")).unwrap_or_default();
    let lines = starts.lines().map(|l| l.rsplit_once(' ').unwrap());
    lines
        .map(|(path, pid)| (path.to_owned(), pid.parse().unwrap()))
        .collect()
}

fn is_alive(pid: u32) -> bool {
    let state = Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output()
        .unwrap();
    !state.stdout.is_empty() && !state.stdout.starts_with(b"Z")
}

fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The crawl in testdata, and a file that is no crawl, as a list.
fn list(folder: &Path) -> String {
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl");
    let other = folder.join("crawl/other/page.warc.gz");
    let mut lines = String::new();
    for file in [
        "damaged/02.warc.gz",
        "en0000/00.warc.gz",
        "en0000/01.warc.gz",
        "old/crawl.arc.gz",
        "zst/03.warc.zst",
    ] {
        let copy = folder.join("crawl").join(file);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(crawl.join(file), &copy).unwrap();
        lines += &format!("{}\n", copy.display());
    }
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::write(&other, "<html><body>404 Not Found</body></html>").unwrap();
    lines += &format!("{}\n", other.display());
    let list = folder.join("list");
    fs::write(&list, lines).unwrap();
    format!("@{}", list.display())
}

#[test]
fn tasks_write_what_one_run_writes_though_attempts_fail() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let inputs = list(folder.path());
    let (whole, out) = (folder.path().join("whole"), folder.path().join("out"));
    let single = crate::common::warcsieve(&["clean", &inputs, "--out", path(&whole), "--quiet"]);
    assert_eq!(single.0, 10);
    // One attempt is killed in the middle of its temporary file, one finds a disk that comes back.
    let faults = wrapper(
        folder.path(),
        "case $input in\n*/00.warc.gz) once half && ulimit -f 8 ;;\n\
         */crawl.arc.gz) once full && exit 75 ;;\nesac",
    );
    fs::create_dir_all(out.join("documents/en0000")).unwrap();
    let orphan = out.join("documents/en0000/.99.warc.gz.parquet.0123456789abcdef.tmp");
    fs::write(orphan, "of a writer that is gone").unwrap();
    let written = out.join("blocks/.98.warc.gz.parquet.0123456789abcdef.tmp");
    fs::create_dir_all(written.parent().unwrap()).unwrap();
    let writer = File::create(&written).unwrap();
    writer.lock().unwrap();

    let report = folder.path().join("report.jsonl");
    let mut arguments = vec![inputs.as_str(), "--out", path(&out), "--workers", "2"];
    arguments.extend(["--binary", path(&faults), "--report", path(&report)]);
    let (code, ledger, log) = thread::scope(|scope| {
        let first = scope.spawn(|| run(&arguments));
        wait_for("the seal", || {
            out.join("_SUCCESS").exists() || first.is_finished()
        });
        thread::sleep(Duration::from_millis(500));
        assert!(
            written.exists(),
            "what a live writer has locked is not taken away"
        );
        drop(writer);
        first.join().unwrap()
    });
    assert_eq!(code, 10, "{log}");
    assert_same(&contents(&whole), &contents(&out), &log);
    assert!(log.contains("killed by SIGXFSZ"), "{log}");
    assert!(log.contains("page.warc.gz: neither WARC nor ARC"), "{log}");
    assert!(log.contains("02.warc.gz: faults"), "{log}");
    assert_eq!(ledger["inputs"], 6);
    assert_eq!(ledger["balanced"], true);
    assert_eq!(
        ledger["unusable"],
        serde_json::json!(["other/page.warc.gz"])
    );
    let rows = fs::read_to_string(&report).unwrap();
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let attempts = |name: &str| {
        let row = rows.iter().find(|r| r["input"] == name).unwrap();
        (row["attempt"].as_u64().unwrap(), row["code"].as_i64())
    };
    assert_eq!(rows.len(), 6);
    assert_eq!(attempts("en0000/00.warc.gz"), (1, Some(0)));
    assert_eq!(attempts("old/crawl.arc.gz"), (1, Some(0)));
    assert_eq!(attempts("zst/03.warc.zst"), (0, Some(0)));
    assert_eq!(attempts("other/page.warc.gz"), (0, Some(42)));

    let begun = starts(folder.path());
    assert_eq!(begun.len(), 8);
    assert_eq!(run(&arguments).1, ledger);
    assert_eq!(starts(folder.path()), begun, "a second submit does no work");

    let changed = folder.path().join("crawl/zst/03.warc.zst");
    fs::copy(folder.path().join("crawl/en0000/01.warc.gz"), changed).unwrap();
    let (code, _, log) = run(&arguments);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("the input's size was"), "{log}");
    arguments.push("--redo");
    assert_eq!(run(&arguments).0, 10);
    assert_eq!(starts(folder.path()).len(), 8 + 2);
    assert!(out.join("_SUCCESS").exists());
}

#[test]
fn pages_that_are_not_processed_are_faults_as_for_clean() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let pipeline = folder.path().join("small.toml");
    fs::write(
        &pipeline,
        "max_page_bytes = 2000\n[[step]]\nmethod = 'numwords'\n",
    )
    .unwrap();
    let crawl = "testdata/crawl/en0000/00.warc.gz";
    let (whole, out) = (folder.path().join("whole"), folder.path().join("out"));
    let options = ["--pipeline", path(&pipeline), "--out"];
    let single = [&["clean", crawl, "--quiet"], &options[..], &[path(&whole)]].concat();
    assert_eq!(crate::common::warcsieve(&single).0, 10);
    let mut arguments = [&[crawl], &options[..], &[path(&out), "--binary", BINARY]].concat();
    let (code, ledger, log) = run(&arguments);
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("00.warc.gz: faults, or pages"), "{log}");
    assert!(ledger["skips"]["too_large"].as_u64().unwrap() > 0);
    assert_same(&contents(&whole), &contents(&out), &log);
    arguments.push("--faults-ok");
    assert_eq!(run(&arguments).0, 0);
}

#[test]
fn an_input_that_fails_for_good_is_named_and_the_others_are_done() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let inputs = list(folder.path());
    let out = folder.path().join("out");
    let hangs = wrapper(
        folder.path(),
        "case $input in */01.warc.gz) sleep 600 ;; esac",
    );
    let arguments = [&inputs, "--out", path(&out), "--binary"];
    let limits = ["--task-timeout", "1", "--attempts", "2"];
    let (code, ledger, log) = run(&[&arguments[..], &[path(&hangs)], &limits].concat());
    assert_eq!(code, 75, "{log}");
    assert!(
        log.contains("en0000/01.warc.gz: not done on ") && log.contains("killed after 1.0 s"),
        "{log}"
    );
    assert_eq!(ledger["inputs"], 5);
    assert!(!out.join("_SUCCESS").exists());
    let (code, _, log) = run(&[&arguments[..], &[path(&hangs)], &limits].concat());
    assert_eq!(code, 10, "the same again gains nothing: {log}");
    fs::remove_file(folder.path().join("crawl/en0000/01.warc.gz")).unwrap();
    let (code, _, log) = run(&[&arguments[..], &[BINARY]].concat());
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("en0000/01.warc.gz: cannot be read"), "{log}");
}

#[test]
fn wrong_usage_stops_at_once_and_children_die_with_the_driver() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let inputs = list(folder.path());
    let out = folder.path().join("out");
    let waits = wrapper(
        folder.path(),
        "case $input in */00.warc.gz) exec sleep 600 ;; */01.warc.gz) exec sleep 600 ;; esac",
    );
    let arguments = [&inputs, "--out", path(&out), "--workers", "6", "--binary"];
    let refuse = [&arguments[..], &[path(&waits), "--pipeline", "no-such"]].concat();
    let (code, _, log) = run(&refuse);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("no-such"), "{log}");

    for signal in ["TERM", "KILL"] {
        let _ = fs::remove_file(folder.path().join("starts"));
        let mut child = driver(&[&arguments[..], &[path(&waits)]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let waiting = || -> Vec<u32> {
            let starts = starts(folder.path()).into_iter();
            let both = starts.filter(|(path, _)| path.contains("en0000"));
            both.map(|(_, pid)| pid).collect()
        };
        wait_for("both begin", || waiting().len() == 2);
        let kill = ["-s", signal, &child.id().to_string()].map(str::to_owned);
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        let status = child.wait().unwrap();
        if signal == "TERM" {
            assert_eq!(status.code(), Some(75));
        }
        if signal == "TERM" || cfg!(target_os = "linux") {
            wait_for("children end", || {
                waiting().iter().all(|pid| !is_alive(*pid))
            });
        }
    }
}

#[test]
fn what_one_input_is_refused_for_does_not_stop_the_others() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let inputs = list(folder.path());
    let out = folder.path().join("out");
    let refuses = wrapper(
        folder.path(),
        "case $input in */00.warc.gz) exit 2 ;; */01.warc.gz) once broken && exit 1 ;; esac",
    );
    let arguments = [&inputs, "--out", path(&out), "--binary", path(&refuses)];
    let (code, ledger, log) = run(&arguments);
    assert_eq!(code, 1, "{log}");
    assert!(
        log.contains("en0000/00.warc.gz: refused, exit code 2"),
        "{log}"
    );
    assert!(
        log.contains("en0000/01.warc.gz: refused, exit code 1"),
        "{log}"
    );
    assert_eq!(ledger["inputs"], 4);
    assert_eq!(starts(folder.path()).len(), 6, "neither is tried again");
    let (code, ledger, log) = run(&arguments);
    assert_eq!((code, &ledger["inputs"]), (2, &5.into()), "{log}");

    let never = wrapper(folder.path(), "exit 2");
    let out = folder.path().join("never");
    let (code, _, log) = run(&[&inputs, "--out", path(&out), "--binary", path(&never)]);
    assert_eq!(code, 2, "{log}");
    let lost = path(folder.path()).to_owned() + "/no/such/report";
    let (code, _, log) = run(&[&arguments[..], &["--report", &lost]].concat());
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("--report: "), "{log}");
}

#[test]
fn names_selections_and_roots_are_those_of_one_run() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let crawl = folder.path().join("crawl");
    for name in ["a b/[0-9].warc.gz", "a b/1.warc.gz", "#*.warc.gz"] {
        let file = crawl.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::copy("testdata/crawl/en0000/00.warc.gz", &file).unwrap();
    }
    let index = folder.path().join("index");
    let cdx = crate::common::warcsieve(&["cdx", path(&crawl), "--out", path(&index)]);
    assert!([0, 10].contains(&cdx.0), "{}", cdx.2);
    let select = index.join("a b/[0-9].warc.gz.cdxj");
    assert!(select.exists());
    let list = folder.path().join("list");
    fs::write(&list, "a b/[0-9].warc.gz\na b/1.warc.gz\na b/{8}.warc.gz\n").unwrap();
    let list = format!("@{}", path(&list));
    let crawl = path(&crawl);
    for (name, arguments) in [
        ("folder", vec![crawl]),
        ("list", vec![&list, "--root", crawl]),
        ("select", vec!["--select", path(&select), "--root", crawl]),
        (
            "partial",
            vec![
                &list,
                "--root",
                crawl,
                "--select",
                path(&select),
                "--partial",
            ],
        ),
    ] {
        let (whole, out) = (
            folder.path().join("whole").join(name),
            folder.path().join("out").join(name),
        );
        // A file is missing. The driver leaves that to its machines, and a run by itself refuses it.
        let part: &[&str] = match name {
            "list" => &["--no-seal"],
            _ => &[],
        };
        let clean = ["clean", "--out", path(&whole)];
        let single = crate::common::warcsieve(&[&clean[..], part, &arguments[..]].concat());
        let ours = run(&[&["--out", path(&out), "--binary", BINARY], &arguments[..]].concat());
        assert_eq!(ours.0, single.0, "{name}: {}", ours.2);
        assert_same(&contents(&whole), &contents(&out), name);
    }
}

#[test]
fn a_machine_without_the_output_folder_or_a_free_disk_fails_its_attempt() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let script = "\
import json, os, sys, tempfile
sys.path.insert(0, 'integrations')
import spark_clean as s
s.PATIENCE = 0
out, binary, crawl = sys.argv[1:]
job = s.Job(binary, out, b'{}', crawl, 'default', [], 1, 60, False)
item = {'input': 'en0000/00.warc.gz', 'path': crawl + '/en0000/00.warc.gz'}
seen = [s.attempt(job, item, 3, True), not os.path.exists(out)]
try:
    s.attempt(job, item, 0, False)
except s.Again as again:
    seen.append(json.loads(str(again)))
tempfile.tempdir = '/dev/null'
seen.append(s.attempt(job._replace(recipe=None), item, 3, True))
print(json.dumps(seen))
";
    let crawl = "testdata/crawl";
    let output = Command::new("python3")
        .args(["-c", script, path(&out), BINARY, crawl])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let seen: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(
        seen[1], true,
        "nothing is made in place of what is not mounted"
    );
    for (n, why) in [
        (0, "is the folder mounted here?"),
        (2, "mounted"),
        (3, "NotADirectoryError"),
    ] {
        assert_eq!(seen[n]["outcome"], "failed", "{seen}");
        assert!(seen[n]["log"].as_str().unwrap().contains(why), "{seen}");
    }
}
