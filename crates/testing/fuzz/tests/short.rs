//! The short form of `make fuzz`: runs each target on its seeds, on mutations of them, and on the
//! inputs that once failed.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Once;
use warcsieve_fuzz::mutate::{Mutator, dictionary};
use warcsieve_fuzz::seeds::root;
use warcsieve_fuzz::{TARGETS, Target};

/// Mutations per target, unless the environment sets another number.
const MUTATIONS: usize = 10_000;

fn mutations() -> usize {
    let number = std::env::var("WARCSIEVE_FUZZ_MUTATIONS").ok();
    number.and_then(|n| n.parse().ok()).unwrap_or(MUTATIONS)
}

/// Runs an input. If it fails, keeps it as a file.
fn run(target: &Target, input: &[u8]) {
    let Err(panic) = catch_unwind(AssertUnwindSafe(|| target.run(input))) else {
        return;
    };
    let folder = root().join("fuzz/artifacts").join(target.name);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("short");
    fs::write(&file, input).unwrap();
    eprintln!("{} failed; the input is {}", target.name, file.display());
    std::panic::resume_unwind(panic);
}

fn words(target: &Target) -> Vec<Vec<u8>> {
    let file = root().join(format!("fuzz/dictionaries/{}.dict", target.name));
    let text = fs::read_to_string(&file).unwrap();
    dictionary(&text).unwrap_or_else(|line| panic!("{}: {line}", file.display()))
}

fn shortly(target: &Target) {
    // The report of a caught panic needs memory, mostly for its backtrace. This is not memory of
    // the target.
    static QUIET: Once = Once::new();
    QUIET.call_once(warcsieve_fuzz::allow_caught_panics);
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty());
    assert!(seeds.iter().all(|seed| seed.len() <= target.max_len));
    seeds.iter().for_each(|seed| run(target, seed));
    run(target, b"");
    for input in found(target.name) {
        run(target, &fs::read(input).unwrap());
    }
    let mut mutator = Mutator::new(words(target), target.max_len);
    for _ in 0..mutations() {
        run(target, &mutator.next(&seeds));
    }
}

/// The inputs that once failed, which are kept below this crate.
fn found(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    let entries = fs::read_dir(folder.join(target)).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                shortly(warcsieve_fuzz::target(stringify!($name)).unwrap());
            }
        )*
    };
}

warcsieve_fuzz::for_each_target!(tests);

#[test]
fn every_file_of_a_target_is_in_the_list_and_has_a_dictionary() {
    let stems = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
        paths.map(stem).collect()
    };
    let names: BTreeSet<_> = TARGETS.iter().map(|t| t.name.to_owned()).collect();
    assert_eq!(names.len(), TARGETS.len());
    let mut files = stems("crates/testing/fuzz/src/targets");
    files.remove("mod");
    assert_eq!(files, names);
    assert_eq!(stems("fuzz/dictionaries"), names);
}
