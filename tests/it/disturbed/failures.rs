//! A call that fails: the command says so, what is there is true, and the next run makes the rest.

use super::place::{Files, Place, Work, code, differences, log};
use super::writers::Writer;
use super::{Wrong, each, given, writers};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const EIO: i32 = 5;
const ENOMEM: i32 = 12;
const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;
const ENOLCK: i32 = 37;

/// How calls of a kind fail.
struct Failure {
    call: &'static str,
    with: i32,
    /// All later calls fail, too. Then what is left is the same at most numbers, so some are tried.
    ever: bool,
}

const fn once(call: &'static str, with: i32) -> Failure {
    let ever = false;
    Failure { call, with, ever }
}

const fn from_then_on(call: &'static str, with: i32) -> Failure {
    let ever = true;
    Failure { call, with, ever }
}

const FAILURES: &[Failure] = &[
    once("open", EMFILE),
    once("read", EIO),
    once("write", ENOSPC),
    once("sync", EIO),
    once("rename", EIO),
    once("mkdir", ENOSPC),
    once("unlink", EIO),
    once("list", EIO),
    once("stat", EIO),
    once("truncate", EIO),
    once("map", ENOMEM),
    once("lock", ENOLCK),
    from_then_on("open", EMFILE),
    from_then_on("write", ENOSPC),
    from_then_on("sync", EIO),
    from_then_on("rename", EIO),
    from_then_on("unlink", EIO),
];

/// The library that makes calls fail. `None` where it cannot be had.
fn library(folder: &Path) -> Option<PathBuf> {
    let library = folder.join("fail.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/disturbed/fail.c");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .status();
    let is_built = cfg!(target_env = "gnu") && built.is_ok_and(|status| status.success());
    is_built.then_some(library)
}

/// A run in which the call of this number fails, and one after it in which none does.
struct Run<'a> {
    library: &'a Path,
    below: &'a Path,
    work: &'a Work,
    writer: &'a Writer,
    expected: &'a Files,
}

impl Run<'_> {
    /// `None` if the call was not made, else what is wrong.
    fn with(&self, failure: &Failure, at: usize) -> Option<Vec<String>> {
        let (work, line) = (self.work, self.writer.line);
        work.begin(self.writer);
        let before = work.written(self.writer);
        let note = work.folder.with_extension("note");
        let _ = fs::remove_file(&note);
        let mut command = work.command(line);
        command
            .env("LD_PRELOAD", self.library)
            .env("FAIL_BELOW", self.below)
            .env("FAIL_CALL", failure.call)
            .env("FAIL_AT", at.to_string())
            .env("FAIL_WITH", failure.with.to_string())
            .env("FAIL_LOG", &note);
        if failure.ever {
            command.env("FAIL_EVER", "1");
        }
        let output = command.output().unwrap();
        let failed = fs::read_to_string(&note).ok()?;
        let mut wrong = Vec::new();
        let found = self.visible();
        let is_whole = differences(&found, self.expected).is_empty();
        match code(&output) {
            75 => {}
            0 if is_whole => {}
            code => wrong.push(format!("ends with {code}")),
        }
        if found.contains_key("out/_SUCCESS") && !is_whole && !before.contains_key("out/_SUCCESS") {
            wrong.push("is sealed, and not whole".to_owned());
        }
        // Files under their final names are whole, or as they were before.
        let is_untrue = |(name, bytes): &(&String, &Vec<u8>)| {
            let is_right = |files: &Files| files.get(*name) == Some(bytes);
            let is_file = name.starts_with("out/") && !is_unfinished(name);
            is_file && !is_right(self.expected) && !is_right(&before)
        };
        let untrue = found.iter().filter(is_untrue);
        wrong.extend(untrue.map(|(name, bytes)| format!("{name} has {} bytes", bytes.len())));
        let again = work.command(line).output().unwrap();
        if code(&again) != 0 {
            wrong.push(format!(
                "again: ends with {}: {}",
                code(&again),
                log(&again)
            ));
        }
        let after = differences(&work.written(self.writer), self.expected);
        wrong.extend(after.into_iter().map(|line| format!("again: {line}")));
        if !wrong.is_empty() {
            let first = failed.lines().next().unwrap_or_default();
            let place = first.replace(&self.below.display().to_string(), "");
            wrong.push(format!("({place}; log: {})", log(&output)));
        }
        Some(wrong)
    }

    /// What was written, without hidden files, which are temporary.
    fn visible(&self) -> Files {
        let mut files = self.work.written(self.writer);
        files.retain(|name, _| !name.split('/').any(|part| part.starts_with('.')));
        files
    }
}

/// Whether a file is one of an unfinished output.
fn is_unfinished(name: &str) -> bool {
    name.contains("/_checkpoints/")
}

#[test]
fn a_failure_is_told_nothing_is_untrue_and_the_next_run_makes_the_rest() {
    let place = Place::new();
    let Some(library) = library(place.path()) else {
        println!("not tested: no C compiler, or no glibc");
        return;
    };
    let most = given("WARCSIEVE_FAILURES");
    let mut writers = writers();
    if most.is_none() {
        writers.retain(|writer| ["clean", "dedup-against"].contains(&writer.name));
    }
    let wrong = Wrong::default();
    for writer in writers {
        let works = [0, 1].map(|thread| place.work(&format!("{}-{thread}", writer.name)));
        let expected = works[0].undisturbed(writer);
        let (runs, untrue) = (AtomicUsize::new(0), AtomicUsize::new(0));
        each(FAILURES, |thread, failure| {
            let run = Run {
                library: &library,
                below: place.path(),
                work: &works[thread],
                writer,
                expected: &expected,
            };
            let most_of_all = most.unwrap_or(12);
            let mut at = 1;
            while at <= most_of_all {
                let Some(found) = run.with(failure, at) else {
                    break;
                };
                runs.fetch_add(1, Ordering::Relaxed);
                if !found.is_empty() {
                    untrue.fetch_add(1, Ordering::Relaxed);
                    let Failure { call, with, ever } = failure;
                    let ever = if *ever { " and later ones" } else { "" };
                    wrong.add(format!(
                        "{}: {call} {at}{ever}, error {with}: {}",
                        writer.name,
                        found.join("; ")
                    ));
                }
                at += match (most, failure.ever) {
                    (None, _) => 11,
                    (_, true) => 1 + at / 4,
                    (_, false) => 1,
                };
            }
        });
        println!(
            "| {} | {} | {} |",
            writer.name,
            runs.into_inner(),
            untrue.into_inner()
        );
    }
    wrong.assert_none();
}
