//! Finds exact and near duplicates of pages.
//!
//! ```text
//!  shards ─read─▶ hashes, keys of bands ─sort─▶ candidates ─sort─▶ compared exactly ─▶ clusters
//!            └──▶ ids, shingles (scratch file) ──────────────────────┘                └─▶ tables
//! ```
//!
//! Pages are numbered in the order of folders, inputs and rows. All decisions are made from sorted
//! records, so the output does not depend on threads or time.

mod clusters;
mod options;
mod output;
mod pairs;
mod paragraphs;
mod read;
mod rule;
mod scratch;
pub(crate) mod sort;
mod summary;
mod tables;
#[cfg(test)]
mod tests;

pub use self::options::{DedupOptions, Drop, Exact};
pub use self::summary::DedupSummary;

use self::clusters::Clusters;
use self::output::BandTable;
use self::paragraphs::Repeated;
use self::scratch::Kept;
use self::sort::Sorter;
use crate::claim::claim;
use std::path::Path;
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_run::shards::Shard;
use warcsieve_store::remove_if_there;

/// The file of the summary.
const BOOKS: &str = "books.json";

/// All tables that a run may write.
const TABLES: [&str; 6] = [
    "kept",
    "clusters",
    "matches",
    "paragraphs",
    "bands",
    "shingles",
];

/// Finds duplicates among the pages of `shards`. If `against` is not empty, finds pages that are
/// also in `against` instead. Writes tables into the folder `out`.
///
/// # Errors
/// [`Error::Invalid`] if texts have markup, if `out` holds files of another program, or if there
/// are 2^32 pages or more. [`Error::Integrity`] if a shard differs from its manifest row.
/// [`Error::Io`]; [`Error::Stopped`].
pub fn dedup(
    shards: &[Shard],
    against: Option<&[Shard]>,
    options: &DedupOptions,
    out: &Path,
    progress: &Progress,
) -> Result<DedupSummary> {
    let written = TABLES.map(|table| out.join(format!("{table}.parquet")));
    // First, as a process that has it writes and removes tables meanwhile.
    let _lock = warcsieve_store::FolderLock::take(out)?;
    let mut is_own = false;
    for table in &written {
        is_own |= is_there(table)?;
    }
    claim(out, "dedup", is_own, &written)?;
    let pool = rayon::ThreadPoolBuilder::new();
    let pool = pool.num_threads(options.threads).build();
    let pool = pool.map_err(|e| Error::io(out, std::io::Error::other(e)))?;
    let all: Vec<_> = against.into_iter().flatten().chain(shards).collect();
    let mut read = pool.install(|| read::read(&all, options, out, progress))?;
    // Tables of a run with other options would stay next to the new ones. The summary goes first:
    // without tables, it would be taken for a file of another program.
    remove_if_there(&out.join(BOOKS))?;
    for table in &written {
        remove_if_there(table)?;
    }
    let paragraphs = read.paragraphs.take();
    let border = against.map(|against| against.iter().map(Shard::pages).sum::<u64>());
    // `read` has checked that the number of pages is below 2^32.
    let (border, pages) = (border.map(|pages| pages as u32), read.kept.len() as u32);
    let mut clusters = Clusters::new(pages);
    let mut bands = match options.tables {
        true => Some(BandTable::create(out)?),
        false => None,
    };
    let within = (out, progress);
    let repeated;
    let write_paragraphs = |kept: &Kept| match paragraphs {
        Some(paragraphs) => paragraphs.write(out, border, kept),
        None => Ok(Repeated::default()),
    };
    let mut summary = match border {
        None => {
            let found = pairs::find(
                read,
                options,
                None,
                &mut clusters,
                bands.as_mut(),
                within,
                &mut |_, _, _| Ok(()),
            );
            let (kept, ranks, compared) = found?;
            repeated = write_paragraphs(&kept)?;
            tables::write_shingles(out, options, &kept)?;
            tables::write_clusters(
                out,
                options,
                clusters.choose(ranks.as_deref()),
                &kept,
                compared,
            )
        }
        Some(border) => {
            let mut matches = Sorter::<3>::new(out, options.memory / 4);
            let found = pairs::find(
                read,
                options,
                Some(border),
                &mut clusters,
                bands.as_mut(),
                within,
                &mut |rule, other, page| matches.push([page.into(), other.into(), rule as u64]),
            );
            let (kept, _, compared) = found?;
            repeated = write_paragraphs(&kept)?;
            tables::write_shingles(out, options, &kept)?;
            tables::write_matches(out, matches.sorted()?, border, &kept, compared)
        }
    }?;
    if let Some(bands) = bands {
        bands.finish()?;
    }
    summary.paragraphs = repeated.paragraphs;
    summary.repeated_paragraphs = repeated.repeated;
    let books = serde_json::to_vec_pretty(&summary).expect("a summary is plain data");
    warcsieve_store::write_atomically(&out.join(BOOKS), &books)?;
    Ok(summary)
}
