//! Measures quality signals of existing documents.

use super::claim::claim;
use super::file::TableWriter;
use super::pages::{self, TEXTS};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_filters::signals::Measurer;
use warcsieve_run::shards::Shard;
use warcsieve_store::{Folder, FolderLock};
use warcsieve_tables::SignalRows;

/// The folder of the tables.
const FOLDER: &str = "signals";

/// Number of pages in a batch.
const BATCH: usize = 1024;

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignalsSummary {
    /// Number of shards.
    pub shards: u64,
    /// Number of pages, which is the number of rows written.
    pub pages: u64,
}

/// Writes `out/signals/NAME.parquet` for each shard: `id`, and a column for each signal with a
/// number in `numbers`, in the order of `documents`. The bytes do not depend on the number of
/// threads.
///
/// Memory per thread: a batch of pages, and that of [`Measurer`].
///
/// # Errors
/// [`Error::Invalid`] if texts have markup, or the folder holds files of another program.
/// [`Error::Integrity`] if a shard differs from its manifest row. [`Error::Io`];
/// [`Error::Stopped`]. Shards that are complete stay.
pub fn measure_shards(
    shards: &[Shard],
    numbers: &[usize],
    out: &Path,
    threads: usize,
    progress: &Progress,
) -> Result<SignalsSummary> {
    // First, as a process that has it makes the folder one of signals meanwhile.
    let _lock = FolderLock::take(out)?;
    let is_own = is_folder(&out.join(FOLDER))?;
    claim(out, "signals", is_own, shards.iter().map(|s| table(out, s)))?;
    refuse_others(out, shards)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Error::io(out, std::io::Error::other(e)))?;
    let pages = pool.install(|| {
        let shards = shards.par_iter();
        let pages = shards.map(|shard| measure(shard, numbers, out, progress));
        pages.sum::<Result<u64>>()
    })?;
    Ok(SignalsSummary {
        shards: shards.len() as u64,
        pages,
    })
}

/// Refuses a folder that has tables of other shards: readers would take all of them for those of one corpus.
fn refuse_others(out: &Path, shards: &[Shard]) -> Result<()> {
    let measured: HashSet<&str> = shards.iter().map(|shard| shard.name.as_str()).collect();
    let there = Folder::Local(out.to_owned()).names(FOLDER, ".parquet")?;
    match there.iter().find(|name| !measured.contains(name.as_str())) {
        None => Ok(()),
        Some(other) => Err(Error::Invalid(format!(
            "{}: it is of another input than those to measure; use another folder, or remove {}",
            out.join(FOLDER).join(format!("{other}.parquet")).display(),
            out.join(FOLDER).display()
        ))),
    }
}

/// Path of the table of a shard.
fn table(out: &Path, shard: &Shard) -> PathBuf {
    out.join(FOLDER).join(format!("{}.parquet", shard.name))
}

fn measure(shard: &Shard, numbers: &[usize], out: &Path, progress: &Progress) -> Result<u64> {
    let mut rows = pages::open(shard, &[TEXTS[0].clone(), TEXTS[2].clone()])?;
    let path = table(out, shard);
    let (mut measurer, mut signals) = (Measurer::new(numbers), SignalRows::new(numbers));
    let mut file = TableWriter::create(&path, signals.schema().clone())?;
    let mut count = 0;
    loop {
        let is_there = rows.advance()?;
        if is_there {
            measurer.measure(rows.text("text").unwrap_or_default());
            signals.push(rows.text("id").unwrap_or_default(), &measurer);
            count += 1;
        }
        if count == BATCH || !is_there {
            progress.go_on()?;
            progress.add_pages(count as u64);
            file.write(&signals.finish())?;
            count = 0;
        }
        if !is_there {
            progress.add_bytes(shard.bytes());
            progress.input_done();
            return file.finish();
        }
    }
}
