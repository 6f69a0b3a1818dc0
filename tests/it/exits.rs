//! Exit codes where outputs fail: a command ends with the code of its work, whoever reads what it
//! prints, and with an error where its product could not be written.
use crate::common::warcsieve;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// What happens to standard output or standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Trouble {
    Nothing,
    /// Nobody reads standard output, as after `| true`.
    StdoutUnread,
    /// `>&-`.
    StdoutClosed,
    /// The disk that standard output is on is full.
    StdoutFull,
    /// Nobody reads standard error.
    StderrUnread,
    /// `2>&-`.
    StderrClosed,
    /// The disk that standard error is on is full.
    StderrFull,
    /// Nobody reads either.
    BothUnread,
}

const TROUBLES: [Trouble; 8] = [
    Trouble::Nothing,
    Trouble::StdoutUnread,
    Trouble::StdoutClosed,
    Trouble::StdoutFull,
    Trouble::StderrUnread,
    Trouble::StderrClosed,
    Trouble::StderrFull,
    Trouble::BothUnread,
];

/// What a command prints.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Prints {
    /// What it was called for.
    Product,
    /// A table of what it did.
    Table,
    Nothing,
}

struct Case {
    arguments: Vec<String>,
    prints: Prints,
    /// The exit code without any trouble.
    code: i32,
}

impl Case {
    /// The code that the trouble makes of the command's.
    fn expected(&self, trouble: Trouble) -> i32 {
        match (trouble, self.prints) {
            (Trouble::StdoutClosed, Prints::Product) => 2,
            (Trouble::StdoutFull, Prints::Product) => 75,
            _ => self.code,
        }
    }
}

/// A pipe that nobody reads.
fn unread() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn full() -> Stdio {
    File::options()
        .write(true)
        .open("/dev/full")
        .unwrap()
        .into()
}

/// The exit code of the command in such trouble, and what it logged.
fn run(arguments: &[String], trouble: Trouble) -> (i32, String) {
    let program = assert_cmd::cargo::cargo_bin("warcsieve");
    // Only a shell can start a process without these.
    let close = match trouble {
        Trouble::StdoutClosed => "exec \"$@\" >&-",
        Trouble::StderrClosed => "exec \"$@\" 2>&-",
        _ => "exec \"$@\"",
    };
    let mut command = Command::new("sh");
    command
        .args(["-c", close, "sh"])
        .arg(program)
        .args(arguments);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    match trouble {
        Trouble::StdoutUnread => command.stdout(unread()),
        Trouble::StdoutFull => command.stdout(full()),
        Trouble::StderrUnread => command.stderr(unread()),
        Trouble::StderrFull => command.stderr(full()),
        Trouble::BothUnread => command.stdout(unread()).stderr(unread()),
        Trouble::Nothing | Trouble::StdoutClosed | Trouble::StderrClosed => &mut command,
    };
    let output = command.output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap_or(-1), log)
}

const SOUND: &str = "testdata/crawl/en0000/00.warc.gz";
const DAMAGED: &str = "testdata/crawl/damaged/02.warc.gz";

/// Every command, where its work succeeds and where it fails.
fn cases(folder: &Path) -> Vec<Case> {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [shards, index, cdx, notes] = ["shards", "index", "cdx", "notes.warc.gz"].map(path);
    let [faulty, unsealed] = ["faulty", "unsealed"].map(path);
    fs::write(&notes, "neither WARC nor ARC\n").unwrap();
    let topics = path("topics.tsv");
    fs::write(&topics, "1\tferry harbour\n").unwrap();
    let foreign = path("foreign.qrels");
    fs::write(&foreign, "no-such-topic 0 a 1\n").unwrap();
    let made = [
        (0, vec!["clean", SOUND, "--out", &shards]),
        (10, vec!["clean", DAMAGED, "--out", &faulty]),
        (0, vec!["clean", SOUND, "--no-seal", "--out", &unsealed]),
        (0, vec!["index", &shards, "--out", &index]),
        (0, vec!["cdx", SOUND, "--out", &cdx]),
    ];
    for (code, arguments) in made {
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        assert_eq!(run(&arguments, Trouble::Nothing).0, code, "{arguments:?}");
    }
    let cdx = format!("{cdx}/00.warc.gz.cdxj");
    let qrels = "testdata/retrieval/random-0.qrels";
    let results = "testdata/retrieval/random-0.run";
    let gold = "testdata/gold.jsonl";
    let case = |prints, code, line: &str, out: Option<&str>| {
        let mut arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        arguments.extend(out.iter().flat_map(|out| ["--out".to_owned(), path(out)]));
        Case {
            arguments,
            prints,
            code,
        }
    };
    use Prints::{Nothing, Product, Table};
    vec![
        case(Table, 0, &format!("clean {SOUND}"), Some("sound")),
        case(Table, 10, &format!("clean {DAMAGED}"), Some("damaged")),
        case(Table, 42, &format!("clean {notes}"), Some("unusable")),
        case(Nothing, 2, "clean no-such-file.warc.gz", Some("missing")),
        case(
            Nothing,
            2,
            &format!("clean {SOUND} --pipeline none"),
            Some("none"),
        ),
        case(Product, 0, &format!("check {SOUND}"), None),
        case(Product, 10, &format!("check {DAMAGED}"), None),
        case(Product, 42, &format!("check {notes}"), None),
        case(Product, 0, &format!("inspect {SOUND}"), None),
        case(Nothing, 2, &format!("inspect {SOUND} --id none"), None),
        case(Product, 0, &format!("status {shards}"), None),
        case(
            Product,
            75,
            &format!("status {shards} --inputs {DAMAGED}"),
            None,
        ),
        case(
            Product,
            10,
            &format!("status {shards} --inputs {DAMAGED} --todo"),
            None,
        ),
        case(
            Table,
            0,
            &format!("relabel {shards} --pipeline numwords"),
            Some("relabelled"),
        ),
        case(
            Table,
            10,
            &format!("relabel {faulty} --pipeline numwords"),
            Some("relabelled2"),
        ),
        case(
            Table,
            75,
            &format!("relabel {unsealed} --pipeline numwords"),
            Some("relabelled3"),
        ),
        case(
            Nothing,
            2,
            "relabel no-such-folder --pipeline numwords",
            Some("relabelled4"),
        ),
        case(Table, 0, &format!("cdx {SOUND}"), Some("cdx2")),
        case(Table, 10, &format!("cdx {DAMAGED}"), Some("cdx3")),
        case(Product, 0, &format!("cdx {SOUND} --out -"), None),
        case(Product, 0, &format!("plan {SOUND} --quiet"), None),
        case(Nothing, 2, "plan no-such-file.warc.gz", None),
        case(Product, 0, "methods", None),
        case(Nothing, 2, "methods --show none", None),
        case(Product, 0, &format!("eval {SOUND} --gold {gold}"), None),
        case(Product, 10, &format!("eval {DAMAGED} --gold {gold}"), None),
        case(Nothing, 2, &format!("eval {notes} --gold {notes}"), None),
        case(Table, 0, &format!("freq {SOUND}"), Some("sound.freq")),
        case(Table, 10, &format!("freq {DAMAGED}"), Some("damaged.freq")),
        case(
            Product,
            0,
            &format!("verify-counts {SOUND} --against {cdx} --count response,revisit"),
            None,
        ),
        case(
            Product,
            10,
            &format!("verify-counts {DAMAGED} --against {cdx}"),
            None,
        ),
        case(Product, 0, &format!("measure {results} {qrels}"), None),
        case(Nothing, 2, &format!("measure {results} {foreign}"), None),
        case(Table, 0, &format!("index {shards}"), Some("index2")),
        case(Nothing, 2, "index no-such-folder", Some("index3")),
        case(
            Product,
            0,
            &format!("search {index} --topics {topics}"),
            None,
        ),
        case(Product, 0, &format!("search {index} -q ferry"), None),
        case(Nothing, 2, &format!("search {index} -q ?"), None),
        case(
            Table,
            0,
            &format!("export {shards} --to jsonl"),
            Some("jsonl"),
        ),
        case(
            Nothing,
            2,
            "export no-such-folder --to jsonl",
            Some("jsonl2"),
        ),
        case(Product, 0, "completions bash", None),
        case(Product, 0, "man", None),
        case(Product, 0, "--help", None),
        case(Nothing, 2, "no-such-command", None),
    ]
}

#[test]
fn a_command_ends_with_the_code_of_its_work() {
    let folder = tempfile::tempdir().unwrap();
    let cases = cases(folder.path());
    let wrong = std::sync::Mutex::new(Vec::new());
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(case) =
                    cases.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    for trouble in TROUBLES {
                        let (code, log) = run(&case.arguments, trouble);
                        let expected = case.expected(trouble);
                        let unprinted = code != case.code
                            && matches!(trouble, Trouble::StdoutFull | Trouble::StdoutClosed);
                        let named = !unprinted || log.contains("standard output");
                        if code != expected || !named {
                            let line = case.arguments.join(" ");
                            wrong.lock().unwrap().push(format!(
                                "{line}: {trouble:?}: {code}, expected {expected}: {log}"
                            ));
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_output_that_is_no_regular_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cases = cases(folder.path());
    let shards = cases.iter().find(|c| c.arguments[0] == "status").unwrap();
    let search = cases.iter().find(|c| c.arguments[0] == "search").unwrap();
    let (shards, index, topics) = (
        &shards.arguments[1],
        &search.arguments[1],
        &search.arguments[3],
    );
    let fifo = folder.path().join("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    for out in ["/dev/full", "/dev/stdout", fifo.to_str().unwrap(), "-"] {
        for line in [
            format!("clean {SOUND} --out"),
            format!("relabel {shards} --pipeline numwords --out"),
            format!("cdx {SOUND} {DAMAGED} --out"),
            format!("freq {SOUND} --out"),
            format!("eval {SOUND} --gold testdata/gold.jsonl --out"),
            format!("index {shards} --out"),
            format!("search {index} --topics {topics} --out"),
            format!("export {shards} --to jsonl --out"),
            format!("export {shards} --to ciff --force --out"),
            format!("train tree {SOUND} --gold testdata/gold.jsonl --out"),
            "man --out".to_owned(),
        ] {
            // A run of topics may be printed.
            if out == "-" && line.starts_with("search") {
                continue;
            }
            let mut arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
            arguments.push(out.to_owned());
            let (code, log) = run(&arguments, Trouble::StdoutUnread);
            assert!(code == 2 && !log.is_empty(), "{line} {out}: {code}: {log}");
        }
    }
    assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join("-").exists());
}

#[test]
fn files_that_cannot_be_written_whole_do_not_appear() {
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("warcsieve");
    for (line, out) in [
        (format!("clean {SOUND} --out"), "clean"),
        (format!("cdx {SOUND} --out"), "cdx"),
        (format!("freq {SOUND} --min-pages 1 --out"), "freq"),
    ] {
        let out = folder.path().join(out);
        // No file may be larger than 512 bytes.
        let limited = "ulimit -f 1; trap '' XFSZ; exec \"$@\"";
        let output = Command::new("sh")
            .args(["-c", limited, "sh"])
            .arg(&program)
            .args(line.split(' '))
            .arg(&out)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {log}");
        assert!(log.contains("too large"), "{line}: {log}");
        let found = files(folder.path());
        let kept = |f: &String| f.ends_with("_recipe.json") || f.contains("/_inputs/");
        assert!(found.iter().all(kept), "{line}: {found:?}");
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path.display().to_string()),
        }
    }
    found
}

#[test]
fn endless_files_are_refused_where_small_ones_are_read() {
    let out = tempfile::tempdir().unwrap();
    let pipeline = out.path().join("p.toml");
    let model = "[[step]]\nmethod = 'forest'\nmodel = '/dev/zero'\n";
    fs::write(&pipeline, model).unwrap();
    let pipeline = pipeline.to_str().unwrap();
    let out = out.path().join("out");
    let out = out.to_str().unwrap();
    for line in [
        format!("clean {SOUND} --out {out} --pipeline /dev/zero"),
        format!("clean {SOUND} --out {out} --pipeline {pipeline}"),
        format!("clean @/dev/zero --out {out}"),
        format!("clean /dev/zero --out {out}"),
        format!("freq /dev/zero --out {out}"),
        format!("cdx /dev/zero --out {out}"),
        "check /dev/zero".to_owned(),
        "inspect /dev/zero".to_owned(),
        "extract /dev/zero".to_owned(),
        "plan /dev/zero".to_owned(),
        format!("clean {SOUND} --out {out} --select /dev/zero"),
        format!("eval {SOUND} --gold /dev/zero"),
        "measure /dev/zero testdata/retrieval/random-0.qrels".to_owned(),
        "measure testdata/retrieval/random-0.run /dev/zero".to_owned(),
    ] {
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (code, log) = run(&arguments, Trouble::Nothing);
        assert_eq!(code, 2, "{line}: {log}");
        assert!(log.contains("/dev/zero"), "{line}: {log}");
    }
}

#[test]
fn too_few_file_handles_are_a_temporary_failure() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (code, _, log) = warcsieve(&["clean", SOUND, "--out", &at("out"), "--quiet"]);
    assert_eq!(code, 0, "{log}");
    let program = assert_cmd::cargo::cargo_bin("warcsieve");
    let mut failed = 0;
    for handles in 6..13 {
        for (command, more) in [
            ("signals", &[][..]),
            ("dedup", &[]),
            ("relabel", &["--pipeline", "keep-all"]),
        ] {
            let output = Command::new("sh")
                .args(["-c", &format!("ulimit -n {handles}; exec \"$@\""), "sh"])
                .arg(&program)
                .args([command, &at("out"), "--threads", "1", "--quiet"])
                .args(more)
                .args(["--out", &at(&format!("{command}-{handles}"))])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output()
                .unwrap();
            let log = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code().unwrap();
            assert!(
                code == 0 || code == 75,
                "{command} {handles}: {code}: {log}"
            );
            assert!(!log.contains("remove"), "{command} {handles}: {log}");
            failed += usize::from(code == 75);
        }
    }
    assert!(failed > 5, "{failed}");
}
