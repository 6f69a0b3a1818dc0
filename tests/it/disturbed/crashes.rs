//! A machine that loses its power: what was not synced is lost, and the next run makes it again.

use super::place::{Files, Place, Work, code, library, untrue, visible};
use super::writers::Writer;
use super::{Wrong, each, plan};
use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the disk had not yet.
#[derive(Clone, Copy, Debug)]
enum Lost {
    /// Bytes of files; names were changed at once.
    Bytes,
    /// Names, too, in folders that were not synced afterwards.
    BytesAndNames,
}

/// What a program did before it ended.
#[derive(Default)]
struct Done {
    /// Sizes of files, by inode, when they were synced last; 0 where they were written only.
    synced: HashMap<u64, u64>,
    /// Renames that no sync of the folder followed: from, to, and a second name of what was there.
    renamed: Vec<(PathBuf, PathBuf, PathBuf)>,
}

impl Done {
    fn read(log: &Path) -> Self {
        let mut done = Self::default();
        for line in fs::read_to_string(log).unwrap_or_default().lines() {
            let [call, inode, size, path] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let number = |text: &str| text.parse::<u64>().unwrap();
            match call {
                "write" => drop(done.synced.entry(number(inode)).or_default()),
                "sync" => {
                    done.synced.insert(number(inode), number(size));
                    let is_other = |to: &Path| to.parent() != Some(Path::new(path));
                    done.renamed.retain(|(_, to, _)| is_other(to));
                }
                "rename" => {
                    let (from, to) = path.split_once('\t').unwrap();
                    let second = format!("{}.{inode}", log.display());
                    done.renamed.push((from.into(), to.into(), second.into()));
                }
                _ => {}
            }
        }
        done
    }

    /// Returns how much was lost: renames and ends of files.
    fn lose(&self, lost: Lost, folder: &Path) -> usize {
        let mut losses = 0;
        if let Lost::BytesAndNames = lost {
            for (from, to, before) in self.renamed.iter().rev() {
                // The folder of one of them may be gone.
                losses += usize::from(fs::rename(to, from).is_ok());
                let _ = fs::rename(before, to);
            }
        }
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let there = fs::symlink_metadata(&path).unwrap();
            if there.is_dir() {
                losses += self.lose(Lost::Bytes, &path);
            } else if let Some(size) = self
                .synced
                .get(&there.ino())
                .filter(|size| **size < there.len())
            {
                File::options()
                    .write(true)
                    .open(&path)
                    .unwrap()
                    .set_len(*size)
                    .unwrap();
                losses += 1;
            }
        }
        losses
    }
}

/// Commands whose files are synced by a call that the library does not see: `syncfs`.
const SYNCED_AT_ONCE: [&str; 2] = ["clean", "extract"];

/// What is wrong after a crash at a call, and how much was lost; `None` if the program ended before.
fn crash(
    library: &Path,
    (work, writer): (&Work, &Writer),
    expected: &Files,
    (at, lost): (usize, Lost),
) -> Option<(Vec<String>, usize)> {
    work.begin(writer);
    let before = work.written(writer);
    let logs = work.folder.with_extension("logs");
    let _ = fs::remove_dir_all(&logs);
    fs::create_dir(&logs).unwrap();
    let log = logs.join("log");
    let mut command = work.command(writer.line);
    command
        .env("LD_PRELOAD", library)
        .env("FAIL_BELOW", &work.folder)
        .env("CRASH_AT", at.to_string())
        .env("CRASH_LOG", &log);
    if code(&command.output().unwrap()) != 99 {
        return None;
    }
    let losses = Done::read(&log).lose(lost, &work.folder);
    let found = visible(work.written(writer));
    let mut wrong = untrue(&found, &before, expected);
    wrong.extend(work.repeated(writer, expected));
    Some((wrong, losses))
}

#[test]
fn after_a_crash_nothing_is_untrue_and_the_next_run_makes_the_rest() {
    let place = Place::new();
    let Some(library) = library(place.path()) else {
        println!("not tested: no C compiler, or no glibc");
        return;
    };
    let (mut writers, most) = plan(&["clean-redo"]);
    writers.retain(|writer| !SYNCED_AT_ONCE.contains(&writer.name));
    let wrong = Wrong::default();
    for writer in writers {
        let works = [0, 1].map(|thread| place.work(&format!("{}-{thread}", writer.name)));
        let expected = works[0].undisturbed(writer);
        let (crashes, lost_at_all) = (AtomicUsize::new(0), AtomicUsize::new(0));
        each(&[Lost::Bytes, Lost::BytesAndNames], |thread, lost| {
            let mut at = 1;
            while at <= most.unwrap_or(60) {
                let run = (&works[thread], writer);
                let Some((found, losses)) = crash(&library, run, &expected, (at, *lost)) else {
                    break;
                };
                crashes.fetch_add(1, Ordering::Relaxed);
                lost_at_all.fetch_add(losses, Ordering::Relaxed);
                if !found.is_empty() {
                    wrong.add(format!(
                        "{}: {lost:?} at {at}: {}",
                        writer.name,
                        found.join("; ")
                    ));
                }
                at += if most.is_some() { 1 } else { 7 };
            }
        });
        let crashes = crashes.into_inner();
        println!("| {} | {crashes} |", writer.name);
        assert!(crashes > 0, "{} never crashed", writer.name);
        let losses = lost_at_all.into_inner();
        assert!(losses > 0, "no crash of {} lost anything", writer.name);
    }
    wrong.assert_none();
}
