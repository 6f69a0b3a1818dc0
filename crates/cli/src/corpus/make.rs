//! The steps after cleaning, each done once: duplicates, and the pages that stay.

use crate::interrupt::Left;
use crate::log::Format;
use crate::shards;
use data_encoding::HEXLOWER;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_corpus::{DedupOptions, DedupSummary, dedup, write_kept};
use warcsieve_engine::Progress;
use warcsieve_run::shards::Shard;
use warcsieve_store::{remove_if_there, write_atomically};
use warcsieve_tables::OutputFile;

/// The folder of duplicates in a corpus.
const DUPLICATES: &str = "duplicates";

/// What was made of cleaned pages: documents = kept + dropped duplicates.
#[derive(Serialize)]
pub(super) struct Made {
    /// Documents that cleaning gave.
    pub(super) documents: u64,
    pub(super) duplicates: Option<DedupSummary>,
    /// Documents of the corpus.
    pub(super) kept: u64,
    pub(super) files: Vec<OutputFile>,
}

/// Makes them, as far as that is not done yet.
///
/// # Errors
/// Those of [`dedup`] and [`write_kept`].
pub(super) fn make(
    watched: &Watched<'_>,
    options: Option<DedupOptions>,
    out: &Path,
    threads: usize,
) -> Result<Made> {
    let mut key = format!("warcsieve {}\n", env!("CARGO_PKG_VERSION"));
    for shard in watched.shards {
        key += &format!("{} {}\n", shard.name, shard.sha256());
    }
    let found = out.join(DUPLICATES);
    let kept = found.join("kept.parquet");
    let duplicates = options.map(|options| -> Result<DedupSummary> {
        let (DedupOptions { exact, near, .. }, options) = (&options, &options);
        key += &format!("{exact:?} {near:?} {:?}\n", options.containment);
        key += &format!("{:?} {:?}\n", options.drop, options.best);
        let step = Step::new(out, DUPLICATES, &key);
        step.run(
            |_| kept.exists(),
            || watched.run(|progress| dedup(watched.shards, &[], options, &found, progress)),
        )
    });
    let duplicates = duplicates.transpose()?;
    // Those of an earlier run, not those that somebody put there.
    let before = Step::new(out, DUPLICATES, &key);
    if duplicates.is_none() && before.note.exists() {
        before.clear()?;
    }
    let kept = duplicates.as_ref().map(|_| kept.as_path());
    let has_size = |file: &OutputFile| {
        let there = std::fs::metadata(out.join(&file.path));
        there.is_ok_and(|there| there.len() == file.bytes)
    };
    let step = Step::new(out, "documents", &key);
    let files: Vec<OutputFile> = step.run(
        |files: &Vec<_>| files.iter().all(has_size),
        || watched.run(|progress| write_kept(watched.shards, kept, out, threads, progress)),
    )?;
    Ok(Made {
        documents: watched.shards.iter().map(Shard::pages).sum(),
        kept: files.iter().map(|file| file.rows).sum(),
        duplicates,
        files,
    })
}

/// Runs over shards, with their progress shown.
pub(super) struct Watched<'s> {
    pub(super) shards: &'s [Shard],
    pub(super) quiet: bool,
    pub(super) format: Format,
}

impl Watched<'_> {
    fn run<T>(&self, work: impl FnOnce(&Progress) -> Result<T>) -> Result<T> {
        shards::run(self.shards, Left::Steps, self.quiet, self.format, work)
    }
}

/// A step whose folder is whole if a note says so.
struct Step {
    folder: PathBuf,
    note: PathBuf,
    /// A hash of all that the result depends on.
    of: String,
}

#[derive(Deserialize, Serialize)]
struct Note<T> {
    of: String,
    result: T,
}

impl Step {
    fn new(out: &Path, name: &str, key: &str) -> Self {
        Self {
            folder: out.join(name),
            note: out.join("_steps").join(format!("{name}.json")),
            of: HEXLOWER.encode(&Sha256::digest(key)),
        }
    }

    /// Removes the note, then the folder.
    fn clear(&self) -> Result<()> {
        remove_if_there(&self.note)?;
        match self.folder.exists() {
            true => std::fs::remove_dir_all(&self.folder).map_err(|e| Error::io(&self.folder, e)),
            false => Ok(()),
        }
    }

    /// What the note says, if it is of this key and what it says is there; else empties the folder,
    /// does the work and writes the note.
    fn run<T: DeserializeOwned + Serialize>(
        &self,
        is_there: impl FnOnce(&T) -> bool,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let text = std::fs::read(&self.note).ok();
        let note = text.and_then(|text| serde_json::from_slice::<Note<T>>(&text).ok());
        if let Some(note) = note.filter(|note| note.of == self.of && is_there(&note.result)) {
            return Ok(note.result);
        }
        self.clear()?;
        let note = Note {
            of: self.of.clone(),
            result: work()?,
        };
        let text = serde_json::to_vec_pretty(&note).expect("results are plain data");
        write_atomically(&self.note, &text)?;
        Ok(note.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_once_for_a_key_while_its_files_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("found/a");
        let run = |key: &str, fails: bool| {
            let mut is_run = false;
            let step = Step::new(folder.path(), "found", key);
            let result = step.run(
                |_: &u64| file.exists(),
                || {
                    is_run = true;
                    assert!(!file.exists(), "the folder is empty");
                    if fails {
                        return Err(Error::Stopped);
                    }
                    std::fs::create_dir_all(folder.path().join("found")).unwrap();
                    std::fs::write(&file, key).unwrap();
                    Ok(7)
                },
            );
            (is_run, result.ok())
        };
        assert_eq!(run("a", false), (true, Some(7)));
        assert_eq!(run("a", false), (false, Some(7)));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(run("a", false), (true, Some(7)));
        assert_eq!(run("b", true), (true, None));
        assert_eq!(
            run("a", false),
            (true, Some(7)),
            "the note went before the files"
        );
    }
}
