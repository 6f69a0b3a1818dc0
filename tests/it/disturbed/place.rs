//! Where commands run: inputs that all of them share, and a folder for each run.

use super::writers::{INPUTS, Writer};
use crate::common::{assert_same, contents};
use crate::wacz::zip;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use warcsieve_store::FolderLock;

/// Files by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The inputs, below one folder with all folders that commands run in.
pub struct Place {
    folder: tempfile::TempDir,
}

/// A folder that a command runs in: it writes to `out`, and scratch to `tmp`.
pub struct Work {
    pub folder: PathBuf,
}

impl Place {
    /// Makes the inputs.
    pub fn new() -> Self {
        let place = Self {
            // In memory, where there is such a folder: else most of the time goes by while the disk syncs.
            folder: tempfile::tempdir_in("/dev/shm")
                .unwrap_or_else(|_| tempfile::tempdir().unwrap()),
        };
        let work = place.work("in");
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::create_dir(work.folder.join("crawl")).unwrap();
        for name in ["00.warc.gz", "01.warc.gz"] {
            let sound = repository.join("testdata/crawl/en0000/00.warc.gz");
            fs::copy(sound, work.folder.join("crawl").join(name)).unwrap();
        }
        fs::create_dir(work.folder.join("pages")).unwrap();
        for name in ["blog.html", "news.html", "docs.html"] {
            let from = repository.join("testdata/pages").join(name);
            fs::copy(from, work.folder.join("pages").join(name)).unwrap();
        }
        let gold = work.folder.join("gold.jsonl");
        fs::copy(repository.join("testdata/gold.jsonl"), gold).unwrap();
        let crawl = fs::read(work.folder.join("crawl/00.warc.gz")).unwrap();
        let files = [("archive/00.warc.gz", crawl)];
        fs::write(work.folder.join("c.wacz"), zip(&files)).unwrap();
        for (name, text) in INPUTS.files {
            fs::write(work.folder.join(name), text).unwrap();
        }
        for line in INPUTS.made {
            let made = work.command(line).output().unwrap();
            assert!(made.status.success(), "{line}: {}", log(&made));
        }
        place
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// An empty folder of this name.
    pub fn work(&self, name: &str) -> Work {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(folder.join("tmp")).unwrap();
        Work { folder }
    }
}

impl Work {
    /// Removes what earlier runs wrote, and makes what the command finds.
    pub fn begin(&self, writer: &Writer) {
        fs::remove_dir_all(&self.folder).unwrap();
        fs::create_dir_all(self.folder.join("tmp")).unwrap();
        let input = |name: &str| self.folder.join("../in").join(name);
        // Its `out` is beside it.
        fs::copy(input("corpus.toml"), self.folder.join("corpus.toml")).unwrap();
        if let Some(from) = writer.over {
            copy(&input(from), &self.folder.join("out"));
        }
    }

    /// The command of a line, which ends by itself.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new("timeout");
        command
            .args(["--kill-after=5", "60"])
            .arg(assert_cmd::cargo::cargo_bin("warcsieve"))
            .args(line.split(' '))
            .current_dir(&self.folder)
            .env("TMPDIR", self.folder.join("tmp"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// What it wrote: files below `out`, and what it left in `tmp`.
    pub fn written(&self, writer: &Writer) -> Files {
        let mut files = Files::new();
        if let Some(line) = writer.shown {
            files.insert(line.to_owned(), self.command(line).output().unwrap().stdout);
        }
        let out = writer.shown.is_none().then_some("out");
        for name in out.into_iter().chain(["tmp"]) {
            let folder = self.folder.join(name);
            if folder.is_dir() {
                let found = contents(&folder).into_iter();
                // One that could not be removed holds nothing.
                let found = found.filter(|(file, _)| !is_lock(file));
                files.extend(found.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
            }
        }
        files
    }

    /// What is wrong after the same command, undisturbed.
    pub fn repeated(&self, writer: &Writer, expected: &Files) -> Vec<String> {
        let again = self.command(writer.line).output().unwrap();
        let mut lines = match code(&again) {
            0 => Vec::new(),
            code => vec![format!("again: ends with {code}: {}", log(&again))],
        };
        let after = differences(&self.written(writer), expected);
        lines.extend(after.into_iter().map(|line| format!("again: {line}")));
        lines
    }

    /// What the command writes undisturbed.
    pub fn undisturbed(&self, writer: &Writer) -> Files {
        let run = || {
            let output = self.command(writer.line).output().unwrap();
            assert_eq!(code(&output), 0, "{}: {}", writer.line, log(&output));
            self.written(writer)
        };
        self.begin(writer);
        let written = run();
        assert!(!written.is_empty(), "{} writes nothing", writer.name);
        assert_same(&run(), &written, writer.name);
        written
    }
}

fn is_lock(file: &str) -> bool {
    Path::new(file).file_name() == Some(FolderLock::NAME.as_ref())
}

/// A shell's exit code: 128 and the signal, where one ended it.
pub fn code(output: &Output) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    let signal = output.status.signal().map(|signal| 128 + signal);
    output.status.code().or(signal).unwrap_or(-1)
}

pub fn log(output: &Output) -> String {
    let lines = String::from_utf8_lossy(&output.stderr);
    lines.trim().replace('\n', " | ")
}

/// A line for each file that is not the same in both.
pub fn differences(found: &Files, expected: &Files) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, bytes) in found {
        match expected.get(name) {
            None => lines.push(format!("{name} ({} bytes) is there", bytes.len())),
            Some(right) if right != bytes => lines.push(format!("{name} differs")),
            Some(_) => {}
        }
    }
    let lost = expected.keys().filter(|name| !found.contains_key(*name));
    lines.extend(lost.map(|name| format!("{name} is not there")));
    lines
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(fs::copy(&path, &to).unwrap()),
        }
    }
}

/// The library that makes calls fail. `None` without glibc or a C compiler.
pub fn library(folder: &Path) -> Option<PathBuf> {
    if !cfg!(target_env = "gnu") {
        return None;
    }
    let library = folder.join("fail.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/disturbed/fail.c");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .status();
    assert!(built.ok()?.success(), "fail.c does not compile");
    Some(library)
}

/// What was written, without hidden files, which are temporary.
pub fn visible(mut files: Files) -> Files {
    files.retain(|name, _| !name.split('/').any(|part| part.starts_with('.')));
    files
}

/// A line for each file under its final name that is neither as it should be nor as it was before, and for a seal on an
/// output that is not whole.
pub fn untrue(found: &Files, before: &Files, expected: &Files) -> Vec<String> {
    let mut lines = Vec::new();
    let is_whole = differences(found, expected).is_empty();
    let seal = "out/_SUCCESS";
    if found.contains_key(seal) && !is_whole && !before.contains_key(seal) {
        lines.push("is sealed, and not whole".to_owned());
    }
    let is_untrue = |(name, bytes): &(&String, &Vec<u8>)| {
        let is_right = |files: &Files| files.get(*name) == Some(bytes);
        // Those of an unfinished output.
        let is_begun = name.contains("/_checkpoints/") || name.contains("/_forget/");
        name.starts_with("out/") && !is_begun && !is_right(expected) && !is_right(before)
    };
    let untrue = found.iter().filter(is_untrue);
    lines.extend(untrue.map(|(name, bytes)| format!("{name} has {} bytes", bytes.len())));
    lines
}
