//! A run that is killed in the middle of an input goes on there.

use crate::common::synthetic;
use crate::common::{assert_same, contents};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Kills in one run.
const KILLS: u64 = 5;

fn start(input: &Path, out: &Path, more: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warcsieve"));
    command.arg("clean").arg(input).arg("--out").arg(out);
    command
        .args(["--threads", "2", "--log-format", "json"])
        .args(more);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The splits noted so far.
fn noted(out: &Path) -> u64 {
    let folders = fs::read_dir(out.join("_checkpoints")).into_iter().flatten();
    folders
        .flatten()
        .find_map(|folder| fs::metadata(folder.path().join("splits")).ok())
        .map_or(0, |file| file.len())
}

#[test]
fn an_input_that_was_killed_inside_goes_on_and_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("crawl.warc.gz");
    let file = File::create(&input).unwrap();
    synthetic::write(file, 60_000_000, synthetic::Layout::Members).unwrap();

    let whole = folder.path().join("whole");
    let undisturbed = start(&input, &whole, &["--checkpoints-from", "0"]);
    assert!(undisturbed.wait_with_output().unwrap().status.success());
    let without = folder.path().join("without");
    let undisturbed = start(&input, &without, &[]);
    assert!(undisturbed.wait_with_output().unwrap().status.success());
    let expected = contents(&without);
    assert_same(&contents(&whole), &expected, "with checkpoints");

    let out = folder.path().join("out");
    let mut offsets = Vec::new();
    for kill in 1..=KILLS {
        let before = noted(&out);
        let mut child = start(&input, &out, &["--checkpoints-from", "0"]);
        let begun = Instant::now();
        while noted(&out) <= before && child.try_wait().unwrap().is_none() {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "no split is noted"
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        // Not always right after a note.
        std::thread::sleep(Duration::from_millis(kill * 11));
        child.kill().unwrap();
        offsets.extend(resumed_at(&child.wait_with_output().unwrap().stderr));
    }
    let last = start(&input, &out, &["--checkpoints-from", "0"])
        .wait_with_output()
        .unwrap();
    assert!(last.status.success());
    offsets.extend(resumed_at(&last.stderr));
    // Each run but the first goes on, unless one was done before it was killed.
    assert!(offsets.len() >= 2, "{offsets:?}");
    assert!(offsets.is_sorted_by(|a, b| a < b), "{offsets:?}");
    assert_same(&contents(&out), &expected, "killed");
    assert!(!out.join("_checkpoints").exists());
}

/// The offset at which a run went on, from its log.
fn resumed_at(log: &[u8]) -> Option<u64> {
    let log = String::from_utf8_lossy(log);
    let line = log
        .lines()
        .find(|line| line.contains("going on in the input"))?;
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    line.pointer("/fields/offset")
        .or(line.get("offset"))?
        .as_u64()
}

#[test]
fn a_checkpoint_of_another_input_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("crawl.warc.gz");
    let out = folder.path().join("out");
    let write = |bytes| {
        let file = File::create(&input).unwrap();
        synthetic::write(file, bytes, synthetic::Layout::Members).unwrap();
    };
    write(20_000_000);
    let mut child = start(&input, &out, &["--checkpoints-from", "0"]);
    while noted(&out) < 1000 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait_with_output().unwrap();
    assert!(noted(&out) >= 1000);
    write(12_000_000);
    let run = start(&input, &out, &["--checkpoints-from", "0"])
        .wait_with_output()
        .unwrap();
    assert!(run.status.success());
    assert_eq!(resumed_at(&run.stderr), None);
    let other = folder.path().join("other");
    let run = start(&input, &other, &[]).wait_with_output().unwrap();
    assert!(run.status.success());
    assert_same(&contents(&out), &contents(&other), "of another input");
}
