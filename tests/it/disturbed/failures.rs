//! A call that fails: the command says so, what is there is true, and the next run makes the rest.

use super::place::{Files, Place, Work, code, differences, library, log, untrue, visible};
use super::writers::Writer;
use super::{Wrong, each, plan};
use std::env;
use std::fs;
use std::path::Path;
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
        let found = visible(work.written(self.writer));
        let is_whole = differences(&found, self.expected).is_empty();
        match code(&output) {
            75 => {}
            0 if is_whole => {}
            code => wrong.push(format!("ends with {code}")),
        }
        wrong.extend(untrue(&found, &before, self.expected));
        wrong.extend(work.repeated(self.writer, self.expected));
        if !wrong.is_empty() {
            let first = failed.lines().next().unwrap_or_default();
            let place = first.replace(&self.below.display().to_string(), "");
            wrong.push(format!("({place}; log: {})", log(&output)));
        }
        Some(wrong)
    }
}

#[test]
fn a_failure_is_told_nothing_is_untrue_and_the_next_run_makes_the_rest() {
    let place = Place::new();
    let Some(library) = library(place.path()) else {
        println!("not tested: no C compiler, or no glibc");
        return;
    };
    let (writers, most) = plan(&["clean", "dedup-against"]);
    // Each kind of failure, and how often it was tried.
    let tried: Vec<_> = FAILURES.iter().map(|f| (f, AtomicUsize::new(0))).collect();
    let wrong = Wrong::default();
    for writer in writers {
        let works = [0, 1].map(|thread| place.work(&format!("{}-{thread}", writer.name)));
        let expected = works[0].undisturbed(writer);
        let (runs, untrue) = (AtomicUsize::new(0), AtomicUsize::new(0));
        each(&tried, |thread, (failure, tries)| {
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
                tries.fetch_add(1, Ordering::Relaxed);
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
        let (runs, untrue) = (runs.into_inner(), untrue.into_inner());
        println!("| {} | {runs} | {untrue} |", writer.name);
        assert!(runs > 0, "no call of {} failed", writer.name);
    }
    if most.is_some() && env::var("WARCSIEVE_WRITERS").is_err() {
        let never = tried
            .iter()
            .find(|(_, tries)| tries.load(Ordering::Relaxed) == 0);
        assert!(
            never.is_none(),
            "{:?} never failed",
            never.map(|(f, _)| f.call)
        );
    }
    wrong.assert_none();
}
