//! What the output folder says of itself: which inputs it is for, what is missing in it, what is
//! not its own.
use crate::common::{assert_same, contents, warcsieve};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const CRAWL: &str = "testdata/crawl/en0000";

/// A folder with two inputs, and a place for their outputs.
struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self {
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(place.path("crawl")).unwrap();
        for name in ["00.warc.gz", "01.warc.gz"] {
            fs::copy(crawl().join("00.warc.gz"), place.path("crawl").join(name)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Cleans one of the folder's paths, with further options.
    fn clean(&self, input: &str, more: &[&str]) -> (i32, String, String) {
        let (input, out) = (self.text(input), self.text("out"));
        warcsieve(
            &[
                &["clean", &input, "--out", &out, "--pipeline", "numwords"],
                more,
            ]
            .concat(),
        )
    }

    fn status(&self, more: &[&str]) -> (i32, String, String) {
        warcsieve(&[&["status", &self.text("out")], more].concat())
    }

    fn edit_row(&self, name: &str, edit: impl Fn(&mut Value)) {
        let path = self.path("out/_manifest").join(format!("{name}.json"));
        let mut row = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        edit(&mut row);
        fs::write(path, serde_json::to_vec(&row).unwrap()).unwrap();
    }
}

fn crawl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(CRAWL)
}

#[test]
fn status_names_what_an_interrupted_run_left() {
    let place = Place::new();
    // A share that ends is what a kill leaves: the other input has no row.
    assert_eq!(place.clean("crawl", &["--shard", "1/2"]).0, 0);
    let (code, report, _) = place.status(&[]);
    assert_eq!(code, 75, "{report}");
    assert!(report.contains("01.warc.gz: not done"), "{report}");
    assert!(!report.contains("00.warc.gz: not done"), "{report}");
    let (code, rows, log) = place.status(&["--json"]);
    assert_eq!((code, rows.lines().count()), (75, 2), "{log}");
    let sums: serde_json::Value = serde_json::from_str(rows.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&sums["command"], &sums["exit_code"]),
        (&"status".into(), &75.into())
    );
    assert_eq!(
        (&sums["inputs_done"], &sums["inputs_not_done"]),
        (&1.into(), &1.into())
    );
    assert_eq!(sums["sealed"], false);
    assert!(log.contains("01.warc.gz: not done"), "{log}");
    assert_eq!(place.clean("crawl", &["--shard", "2/2"]).0, 0);
    assert!(place.has("out/_SUCCESS"));
    assert_eq!(place.status(&[]).0, 0);
}

#[test]
fn a_longer_list_opens_the_folder_again_and_a_shorter_one_forgets_nothing() {
    let place = Place::new();
    assert_eq!(place.clean("crawl/00.warc.gz", &[]).0, 0);
    assert!(place.has("out/_SUCCESS"));
    fs::write(
        place.path("list"),
        format!("{0}/00.warc.gz\n{0}/01.warc.gz\n", place.text("crawl")),
    )
    .unwrap();
    let list = format!("@{}", place.text("list"));
    let clean = [
        "clean",
        &list,
        "--out",
        &place.text("out"),
        "--pipeline",
        "numwords",
    ];
    let share = [&clean[..], &["--shard", "1/2"]].concat();
    assert_eq!(warcsieve(&share).0, 0);
    assert!(!place.has("out/_SUCCESS"));
    // What was listed before is still missing, and no failure of this run.
    let (code, _, log) = place.clean("crawl/00.warc.gz", &[]);
    assert_eq!(code, 11, "{log}");
    assert!(log.contains("1 input not done yet: 01.warc.gz"), "{log}");
    let first = place.text("crawl/00.warc.gz");
    let seal = ["--inputs", &first, "--seal"];
    let (code, _, log) = place.status(&seal);
    assert_eq!(code, 11, "no retry helps: {log}");
    let typed = log.split('`').nth(1).unwrap();
    let typed: Vec<_> = typed.split(' ').skip(1).collect();
    let (code, _, log) = warcsieve(&typed);
    assert_eq!(code, 0, "{log}");
    assert!(place.has("out/_SUCCESS"));
    assert_eq!(warcsieve(&clean).0, 0);
    assert!(place.has("out/_SUCCESS"));
}

#[test]
fn what_an_interrupted_run_left_of_an_input_goes_with_it() {
    let place = Place::new();
    let to = ["--to", "md", "--set", "link_table=true"];
    assert_eq!(place.clean("crawl", &to).0, 0);
    // As if the run had been killed before the last row, and the input were not wanted any more.
    fs::remove_file(place.path("out/_SUCCESS")).unwrap();
    fs::remove_file(place.path("out/_manifest/01.warc.gz.json")).unwrap();
    let first = place.text("crawl/00.warc.gz");
    let seal = ["--inputs", &first, "--seal", "--forget"];
    let (code, _, log) = place.status(&seal);
    assert_eq!(code, 0, "{log}");
    let left = contents(&place.path("out"));
    let of_second: Vec<_> = left
        .keys()
        .filter(|file| file.contains("01.warc.gz"))
        .collect();
    assert!(
        of_second.is_empty() && place.has("out/_SUCCESS"),
        "{of_second:?}"
    );
}

#[test]
fn pages_of_an_interrupted_run_that_are_gone_from_the_input_go() {
    let place = Place::new();
    let whole = fs::read(place.path("crawl/00.warc.gz")).unwrap();
    assert_eq!(place.clean("crawl/00.warc.gz", &["--to", "md"]).0, 0);
    let pages = |place: &Place| {
        fs::read_dir(place.path("out/md/00.warc.gz"))
            .unwrap()
            .count()
    };
    let all = pages(&place);
    // As if the run had been killed before its row, and the file were shorter by now.
    fs::remove_file(place.path("out/_manifest/00.warc.gz.json")).unwrap();
    let members: Vec<usize> = memchr::memmem::find_iter(&whole, b"\x1f\x8b\x08").collect();
    let half = &whole[..members[members.len() / 2]];
    fs::write(place.path("crawl/00.warc.gz"), half).unwrap();
    let (code, _, log) = place.clean("crawl/00.warc.gz", &["--to", "md"]);
    assert_eq!(code, 0, "{log}");
    let documents = place.path("out/md/00.warc.gz/index.jsonl");
    let documents = fs::read_to_string(documents).unwrap().lines().count();
    assert_eq!(pages(&place), documents + 1, "the pages and their list");
    assert!(documents + 1 < all);
}

#[test]
fn what_is_no_output_folder_is_called_so() {
    let place = Place::new();
    for folder in ["nothing", "crawl"] {
        let (code, report, log) = warcsieve(&["status", &place.text(folder)]);
        assert_eq!((code, report.as_str()), (2, ""), "{log}");
        assert!(log.contains("not an output folder of `clean`"), "{log}");
    }
}

#[test]
fn nothing_of_somebody_else_is_replaced_or_removed() {
    for file in [
        "_SUCCESS",
        "_recipe.json",
        "documents/00.warc.gz.parquet",
        "notes.txt",
    ] {
        let place = Place::new();
        let path = place.path("out").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        let before = contents(&place.path("out"));
        let (code, _, log) = place.clean("crawl", &["--redo"]);
        assert_eq!(code, 2, "{file}: {log}");
        assert_eq!(contents(&place.path("out")), before, "{file}: {log}");
    }
    let place = Place::new();
    assert_eq!(place.clean("crawl/00.warc.gz", &[]).0, 0);
    let table = place.path("out/blocks/01.warc.gz.parquet");
    fs::write(&table, "mine").unwrap();
    let without = place.path("without.toml");
    fs::write(&without, "blocks = false\n[[step]]\nmethod = 'numwords'\n").unwrap();
    let (out, inputs) = (place.text("out"), place.text("crawl"));
    let clean = [
        "clean",
        &inputs,
        "--out",
        &out,
        "--pipeline",
        without.to_str().unwrap(),
    ];
    let (code, _, log) = warcsieve(&[&clean[..], &["--redo"]].concat());
    assert_eq!(code, 2, "{log}");
    assert!(
        log.contains("blocks/01.warc.gz.parquet: no run has written it"),
        "{log}"
    );
    assert_eq!(fs::read(&table).unwrap(), b"mine");
}

#[test]
fn an_empty_path_is_not_the_working_folder() {
    let place = Place::new();
    for command in [
        &["clean", &place.text("crawl"), "--out", ""][..],
        &["status", ""],
        &["eval", "x.warc", "--gold", "x.jsonl", "--out", ""],
        &["export", "x", "--to", "jsonl", "--out", ""],
        &["cdx", "x.warc", "--out", ""],
    ] {
        let (code, _, log) = warcsieve(command);
        assert_eq!(code, 2, "{log}");
        assert!(log.contains("a path is missing"), "{log}");
    }
}

#[test]
fn commands_that_write_to_this_machine_take_no_address() {
    let place = Place::new();
    let (crawl, here) = (place.text("crawl"), place.text("here"));
    fs::create_dir(&here).unwrap();
    for command in [
        &["cdx", &crawl][..],
        &["freq", &crawl],
        &["index", &crawl],
        &["export", &crawl, "--to", "jsonl"],
        &["search", &crawl],
        &["eval", &crawl, "--gold", "x.jsonl"],
        &["man"],
    ] {
        for address in ["s3://bucket/x", "https://h/x?sig=HUSH", "hdfs://h/x"] {
            let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"));
            program.args(command).args(["--out", address]);
            let done = program.current_dir(&here).output().unwrap();
            let log = String::from_utf8(done.stderr).unwrap();
            assert_eq!(done.status.code(), Some(2), "{command:?}: {log}");
            assert!(!log.contains("HUSH"), "{log}");
            assert_eq!(fs::read_dir(&here).unwrap().count(), 0, "{command:?}");
        }
    }
}

#[test]
fn a_page_that_is_named_as_an_input_is_no_success() {
    let place = Place::new();
    fs::write(place.path("page.warc"), "<!DOCTYPE html><p>Not here").unwrap();
    let (code, table, log) = place.clean("page.warc", &[]);
    assert_eq!(code, 42, "{log}");
    assert!(table.starts_with("inputs without a record"), "{table}");
    let last = table.lines().last().unwrap();
    assert!(last.contains("next: mend or replace them"), "{table}");
    assert!(log.contains("begins like a web page"), "{log}");
    assert!(log.contains("not sealed: no input holds a record"), "{log}");
    assert!(!place.has("out/_SUCCESS"));
    let (code, report, _) = place.status(&[]);
    assert_eq!(code, 10, "{report}");
    assert!(report.contains("no record"), "{report}");
    let page = place.text("page.warc");
    assert_eq!(place.status(&["--inputs", &page, "--seal"]).0, 42);
    assert_eq!(place.clean("page.warc", &["--allow-empty"]).0, 42);
    assert!(place.has("out/_SUCCESS"));
}

#[test]
fn a_row_that_was_edited_is_an_error() {
    for (edit, expected) in [
        (
            (|row| row["pages"]["documents"] = 7.into()) as fn(&mut Value),
            "documents + skips",
        ),
        (
            |row| row["outputs"] = Value::Array(Vec::new()),
            "its outputs are []",
        ),
        (
            |row| row["input"] = "other.warc.gz".into(),
            "the row of other.warc.gz",
        ),
    ] {
        let place = Place::new();
        assert_eq!(place.clean("crawl", &[]).0, 0);
        place.edit_row("01.warc.gz", edit);
        let (code, report, log) = place.status(&[]);
        assert_eq!(code, 1, "{log}");
        assert!(report.contains(expected), "{report}");
        let (code, _, log) = place.clean("crawl", &[]);
        assert_eq!(code, 1, "{log}");
        assert!(
            log.contains(expected) && log.contains("remove this file"),
            "{log}"
        );
        assert!(
            !place.has("out/_SUCCESS"),
            "the seal was of what is not there any more"
        );
        let (code, _, log) = place.clean("crawl/00.warc.gz", &[]);
        assert_eq!(code, 1, "an input of others: {log}");
        assert!(
            log.contains("not sealed: ") && log.contains(expected),
            "{log}"
        );
        assert_eq!(place.clean("crawl", &["--redo"]).0, 0);
        assert!(place.has("out/_SUCCESS"));
    }
}

#[test]
fn an_input_that_changed_since_is_an_error_of_the_seal() {
    let place = Place::new();
    assert_eq!(place.clean("crawl", &["--no-seal"]).0, 0);
    fs::copy(
        place.path("crawl/00.warc.gz"),
        place.path("crawl/01.warc.gz"),
    )
    .unwrap();
    // A share without inputs sees only the seal, as a run does whose input is replaced meanwhile.
    let (code, _, log) = place.clean("crawl", &["--shard", "3/3"]);
    assert_eq!(code, 2, "{log}");
    assert!(
        log.contains("not sealed: 01.warc.gz: the input's") && log.contains("--redo"),
        "{log}"
    );
}

#[test]
fn a_run_that_is_refused_changes_nothing() {
    let place = Place::new();
    assert_eq!(place.clean("crawl", &[]).0, 0);
    let sealed = contents(&place.path("out"));
    assert!(place.has("out/_SUCCESS"));
    // Another file of a name that is done, and one that is new.
    fs::create_dir(place.path("other")).unwrap();
    for name in ["01.warc.gz", "02.warc.gz"] {
        let from = place.path("crawl/00.warc.gz");
        fs::copy(from, place.path("other").join(name)).unwrap();
    }
    let (code, _, log) = place.clean("other", &[]);
    assert_eq!(code, 2, "{log}");
    assert_eq!(contents(&place.path("out")), sealed);
    assert_eq!(place.clean("other", &["--redo"]).0, 0);
    assert!(place.has("out/_SUCCESS"));
}

#[test]
fn a_run_that_is_refused_leaves_no_untrue_seal() {
    for (lost, changed) in [("00", "01"), ("01", "00")] {
        let place = Place::new();
        assert_eq!(place.clean("crawl", &[]).0, 0);
        let documents = place.path(&format!("out/documents/{lost}.warc.gz.parquet"));
        let input = place.path(&format!("crawl/{changed}.warc.gz"));
        fs::copy(crawl().join("01.warc.gz"), input).unwrap();
        // It is refused for the input that changed; nothing is lost yet.
        assert_eq!(place.clean("crawl", &[]).0, 2);
        assert!(place.has("out/_SUCCESS"));
        fs::remove_file(documents).unwrap();
        let (code, _, log) = place.clean("crawl", &[]);
        assert_eq!(code, 2, "{log}");
        assert!(!place.has("out/_SUCCESS"), "{lost}");
    }
}

#[test]
fn altered_and_lost_outputs_are_an_error_of_verify() {
    let place = Place::new();
    assert_eq!(place.clean("crawl", &[]).0, 0);
    assert_eq!(place.status(&["--verify"]).0, 0);
    let documents = place.path("out/documents/00.warc.gz.parquet");
    let whole = fs::read(&documents).unwrap();
    let mut altered = whole.clone();
    altered[100] ^= 1;
    fs::write(&documents, altered).unwrap();
    let (code, report, _) = place.status(&["--verify"]);
    assert_eq!(code, 1, "{report}");
    assert!(
        report.contains("documents/00.warc.gz.parquet: its bytes"),
        "{report}"
    );
    fs::remove_file(&documents).unwrap();
    let (code, report, _) = place.status(&["--verify"]);
    assert_eq!(code, 1, "{report}");
    assert!(
        report.contains("documents/00.warc.gz.parquet: gone"),
        "{report}"
    );
    assert_eq!(place.status(&[]).0, 10, "clean makes it again");
}

#[test]
fn files_that_no_row_claims_are_named_and_not_sealed() {
    for stray in ["documents/x.parquet", "blocks/a/b.parquet"] {
        let place = Place::new();
        assert_eq!(place.clean("crawl", &["--no-seal"]).0, 0);
        let path = place.path("out").join(stray);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        let (code, report, _) = place.status(&[]);
        assert_eq!(code, 10, "{report}");
        assert!(
            report.contains(&format!("{stray}: no row of _manifest lists it")),
            "{report}"
        );
        let (code, _, log) = place.clean("crawl", &[]);
        assert_eq!(code, 2, "{log}");
        assert!(log.contains(stray), "{log}");
        assert!(!place.has("out/_SUCCESS") && path.exists());
        fs::remove_file(path).unwrap();
        assert_eq!(place.clean("crawl", &[]).0, 0);
        assert!(place.has("out/_SUCCESS"));
    }
}

#[test]
fn what_killed_writers_left_is_removed_and_what_live_ones_write_stays() {
    let place = Place::new();
    let temporary = |table: &str, name: &str| {
        let path = place.path("out").join(table);
        fs::create_dir_all(&path).unwrap();
        path.join(format!(".{name}.0123456789abcdef.tmp"))
    };
    // Of inputs that this run does not clean, as those of another process are.
    let dead = [
        temporary("documents", "01.warc.gz.parquet"),
        temporary("blocks", "77.warc.gz.parquet"),
        temporary("_manifest", "01.warc.gz.json"),
        temporary("", "_SUCCESS"),
    ];
    for path in &dead {
        fs::write(path, "half").unwrap();
    }
    let live = temporary("blocks", "01.warc.gz.parquet");
    let writer = fs::File::create(&live).unwrap();
    writer.lock().unwrap();
    assert_eq!(place.clean("crawl", &["--shard", "1/2"]).0, 0);
    assert!(live.exists());
    assert!(dead.iter().all(|path| !path.exists()));
    drop(writer);
    assert_eq!(place.clean("crawl", &["--shard", "2/2"]).0, 0);
    let left = contents(&place.path("out")).into_keys();
    assert!(!left.into_iter().any(|name| name.ends_with(".tmp")));
}

#[test]
fn inputs_whose_outputs_are_in_each_others_way_are_refused() {
    let place = Place::new();
    fs::create_dir(place.path("crawl/00.warc.gz.json")).unwrap();
    let nested = place.path("crawl/00.warc.gz.json/02.warc.gz");
    fs::copy(place.path("crawl/01.warc.gz"), nested).unwrap();
    let (code, _, log) = place.clean("crawl", &[]);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("a folder of that name; rename one"), "{log}");
    let (code, _, log) = place.status(&[]);
    assert_eq!(code, 75, "{log}");
    assert!(log.contains("no input is known"), "{log}");
}

#[test]
fn lists_that_can_never_be_read_are_not_tried_again() {
    let place = Place::new();
    let gzip = crate::common::gzip(place.text("crawl/00.warc.gz\n").repeat(50).as_bytes());
    for (bytes, expected) in [
        (&b"a\xff.warc.gz\n"[..], "not UTF-8"),
        (&gzip[..gzip.len() - 20], "damaged gzip"),
    ] {
        fs::write(place.path("list"), bytes).unwrap();
        let list = format!("@{}", place.text("list"));
        let (code, _, log) = warcsieve(&["clean", &list, "--out", &place.text("out")]);
        assert_eq!(code, 2, "{log}");
        assert!(log.contains(expected), "{log}");
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_are_not_tried_again() {
    let place = Place::new();
    std::os::unix::fs::symlink("loop.warc.gz", place.path("crawl/loop.warc.gz")).unwrap();
    let (code, _, log) = place.clean("crawl", &[]);
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("loop.warc.gz: "), "{log}");
    let list = format!("@{}", place.text("crawl/loop.warc.gz"));
    let (code, _, log) = warcsieve(&["clean", &list, "--out", &place.text("out2")]);
    assert_eq!(code, 2, "{log}");
}

/// A file system may refuse such names, as those of macOS do.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_fails_alone() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let odd = place.path("crawl").join(OsStr::from_bytes(b"\xff.warc.gz"));
    fs::copy(place.path("crawl/00.warc.gz"), odd).unwrap();
    let (code, table, log) = place.clean("crawl", &[]);
    assert_eq!(code, 10, "{table}{log}");
    assert!(
        log.contains(r"\xff.warc.gz: ") && log.contains("rename it"),
        "{log}"
    );
    assert!(place.has("out/documents/01.warc.gz.parquet"));
    let (code, report, _) = place.status(&[]);
    assert_eq!(code, 75);
    assert!(report.contains(r"\xff.warc.gz: not done"), "{report}");
    let crawl = place.text("crawl");
    let todo = ["--inputs", &crawl, "--todo", "--pipeline", "numwords"];
    let (code, list, log) = place.status(&todo);
    assert_eq!((code, list.as_str()), (10, ""), "{log}");
}

#[test]
fn what_is_left_reads_back_as_a_list() {
    let place = Place::new();
    for name in ["two\nlines.warc.gz", "\"quoted\".warc.gz", "#.warc.gz"] {
        fs::copy(crawl().join("00.warc.gz"), place.path("crawl").join(name)).unwrap();
    }
    let crawl = place.text("crawl");
    let todo = ["--inputs", &crawl, "--todo"];
    let (code, list, log) = place.status(&todo);
    assert_eq!((code, list.lines().count()), (10, 5), "{log}");
    fs::write(place.path("left"), list).unwrap();
    let left = format!("@{}", place.text("left"));
    let out = place.text("out");
    let (code, _, log) = warcsieve(&["clean", &left, "--out", &out, "--base", &crawl]);
    assert_eq!(code, 0, "{log}");
    let (code, list, _) = place.status(&todo);
    assert_eq!((code, list.as_str()), (0, ""));
}

#[test]
fn a_part_of_a_crawl_is_not_cleaned_twice_by_a_shorter_name() {
    let place = Place::new();
    fs::create_dir(place.path("all")).unwrap();
    fs::rename(place.path("crawl"), place.path("all/crawl")).unwrap();
    assert_eq!(place.clean("all", &[]).0, 0);
    // All is done by the folder's pipeline, whichever that is.
    let all = place.text("all");
    let todo = ["--inputs", &all, "--todo"];
    assert_eq!(place.status(&todo).0, 0);
    let (code, list, _) = place.status(&[&todo[..], &["--pipeline", "default"]].concat());
    assert_eq!((code, list.lines().count()), (10, 2));
    let (code, _, log) = place.clean("all/crawl/01.warc.gz", &[]);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains(&format!("give --base {all},")), "{log}");
    // Whatever else it asks for, a run that is refused changes nothing.
    let before = contents(&place.path("out"));
    let (part, out) = (place.text("all/crawl/01.warc.gz"), place.text("out"));
    let other = [
        "clean",
        &part,
        "--out",
        &out,
        "--pipeline",
        "density",
        "--redo",
    ];
    assert_eq!(warcsieve(&other).0, 2);
    assert_same(&before, &contents(&place.path("out")), "a refusal");
    let (code, _, log) = place.clean("all/crawl/01.warc.gz", &["--base", &all]);
    assert_eq!(code, 0, "{log}");

    // A part first: then no base fits all.
    let part = place.text("all/crawl");
    let wider = place.text("wider");
    let clean =
        |input: &str| warcsieve(&["clean", input, "--out", &wider, "--pipeline", "numwords"]);
    assert_eq!(clean(&part).0, 0);
    fs::copy(
        place.path("all/crawl/00.warc.gz"),
        place.path("all/beside.warc.gz"),
    )
    .unwrap();
    let (code, _, log) = clean(&all);
    assert!(code == 2 && log.contains("; use another --out"), "{log}");
    fs::remove_file(place.path("all/beside.warc.gz")).unwrap();

    fs::remove_file(place.path("out/documents/crawl/00.warc.gz.parquet")).unwrap();
    let (code, list, log) = place.status(&todo);
    assert_eq!((code, list.lines().count()), (10, 1), "{log}");
    assert!(log.contains(&format!("--base {all},")), "{log}");
}

#[test]
fn other_tables_are_not_put_among_those_of_a_run() {
    let place = Place::new();
    assert_eq!(place.clean("crawl", &[]).0, 0);
    let (run, inside) = (place.text("out"), place.text("out/documents"));
    for command in ["dedup", "signals"] {
        let (code, _, log) = warcsieve(&[command, &run, "--out", &inside]);
        assert!(code == 2 && log.contains("a run's own files"), "{log}");
    }
}

#[test]
fn folders_of_others_are_not_written_to() {
    let place = Place::new();
    assert_eq!(place.clean("crawl", &[]).0, 0);
    let run = place.text("out");
    let commands: [&[&str]; 3] = [
        &["dedup", &run],
        &["signals", &run],
        &["export", &run, "--to", "jsonl"],
    ];
    for command in commands {
        for (name, why) in [
            ("kept.parquet", command[0]),
            ("signals/00.warc.gz.parquet", command[0]),
            ("thesis.tex", "is not empty, but is not "),
        ] {
            let other = tempfile::tempdir().unwrap();
            let file = other.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "keep").unwrap();
            let to = other.path().display().to_string();
            let (code, printed, log) = warcsieve(&[command, &["--out", &to]].concat());
            assert_eq!((code, &*printed), (2, ""), "{command:?} {name}: {log}");
            assert_eq!(log.lines().count(), 1, "{log}");
            assert!(log.contains(why) && log.contains("use another"), "{log}");
            let files = contents(other.path());
            assert_eq!(files.values().collect::<Vec<_>>(), [b"keep"], "{command:?}");
        }
        let before = contents(&place.path("out"));
        let (code, _, log) = warcsieve(&[command, &["--out", &run]].concat());
        assert!(code == 2 && log.contains("output "), "{log}");
        assert_same(&before, &contents(&place.path("out")), command[0]);
        let own = place.text(command[0]);
        for _ in 0..2 {
            let (code, _, log) = warcsieve(&[command, &["--out", &own]].concat());
            assert_eq!(code, 0, "{log}");
        }
    }
}

#[test]
fn a_crawl_without_pages_says_which_types_are_none() {
    let place = Place::new();
    let body = "some text";
    let text = format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    );
    fs::write(place.path("a.warc"), text).unwrap();
    let (code, _, log) = place.clean("a.warc", &[]);
    assert_eq!(code, 0, "{log}");
    assert!(
        log.contains("no page in it: all records are of other types"),
        "{log}"
    );
}
