//! The steps after cleaning: duplicates, and the pages that stay. Each step is done only once.

use super::step::{Step, Written};
use crate::interrupt::Left;
use crate::log::Format;
use crate::shards;
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_corpus::{DedupOptions, DedupSummary, dedup, sha256, write_kept};
use warcsieve_engine::Progress;
use warcsieve_run::shards::Shard;
use warcsieve_tables::OutputFile;

/// The file that marks a complete corpus.
pub(crate) const SUCCESS: &str = "_SUCCESS";

/// Folders in a corpus: tables of duplicates, and documents.
const DUPLICATES: &str = "duplicates";
const DOCUMENTS: &str = "documents";

/// What was made from cleaned pages: documents = kept + dropped duplicates.
#[derive(Serialize)]
pub(super) struct Made {
    /// Number of documents after cleaning.
    pub(super) documents: u64,
    pub(super) duplicates: Option<DedupSummary>,
    /// Number of documents in the corpus.
    pub(super) kept: u64,
    pub(super) files: Vec<OutputFile>,
}

/// All steps of a corpus, without their keys.
pub(super) fn steps(out: &Path) -> [Step; 3] {
    let [duplicates, documents] = [DUPLICATES, DOCUMENTS].map(|name| Step::new(out, name, ""));
    [duplicates, documents, Step::about(out)]
}

/// Runs all steps that are not done yet.
///
/// # Errors
/// Those of [`dedup`] and [`write_kept`]. [`Error::Invalid`] if a folder has a file that no step
/// wrote.
pub(super) fn make(
    watched: &Watched<'_>,
    options: Option<DedupOptions>,
    out: &Path,
    threads: usize,
) -> Result<Made> {
    for step in steps(out) {
        if let Some(stray) = step.strays()?.first() {
            let stray = out.join(stray);
            let why = "no step of this corpus wrote it; move it away";
            return Err(Error::Invalid(format!("{}: {why}", stray.display())));
        }
    }
    let mut key = format!("warcsieve {}\n", env!("CARGO_PKG_VERSION"));
    for shard in watched.shards {
        key += &format!("{} {}\n", shard.name, shard.sha256());
    }
    let found = out.join(DUPLICATES);
    let kept = found.join("kept.parquet");
    let mut is_checked = false;
    let duplicates = options.map(|options| -> Result<DedupSummary> {
        let (DedupOptions { exact, near, .. }, options) = (&options, &options);
        key += &format!("{exact:?} {near:?} {:?}\n", options.containment);
        key += &format!("{:?} {:?}\n", options.drop, options.best);
        let step = Step::new(out, DUPLICATES, &key);
        step.run(
            || {
                check_cleaned(watched.shards)?;
                is_checked = true;
                watched.run(|progress| dedup(watched.shards, None, options, &found, progress))
            },
            |_| step.found(),
        )
    });
    let duplicates = duplicates.transpose()?;
    // Remove duplicates only if an earlier run made them, not if a user put files there.
    let before = Step::new(out, DUPLICATES, &key);
    if duplicates.is_none() && before.is_noted()? {
        before.clear()?;
    }
    let kept = duplicates.as_ref().map(|_| kept.as_path());
    let written = |file: &OutputFile| Written {
        path: file.path.clone(),
        bytes: file.bytes,
        sha256: file.sha256.clone(),
    };
    let step = Step::new(out, DOCUMENTS, &key);
    let files: Vec<OutputFile> = step.run(
        || {
            if !is_checked {
                check_cleaned(watched.shards)?;
            }
            watched.run(|progress| write_kept(watched.shards, kept, out, threads, progress))
        },
        |files: &Vec<_>| Ok(files.iter().map(written).collect()),
    )?;
    Ok(Made {
        documents: watched.shards.iter().map(Shard::pages).sum(),
        kept: files.iter().map(|file| file.rows).sum(),
        duplicates,
        files,
    })
}

/// Compares the cleaned documents with the hashes in the manifest. A damaged table may still be
/// readable, and then the result would be recorded as correct.
fn check_cleaned(shards: &[Shard]) -> Result<()> {
    shards.par_iter().try_for_each(|shard| {
        let path = shard.folder.join(&shard.documents.path);
        match sha256(&path)? == shard.documents.sha256 {
            true => Ok(()),
            false => Err(Error::Integrity {
                path,
                message: "differs from what was written; remove the file and run the command again"
                    .to_owned(),
            }),
        }
    })
}

/// Runs over shards and shows their progress.
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
