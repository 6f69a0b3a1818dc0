//! Indexing shards, as far as they are not yet in.

use super::source::{Edit, Source};
use super::{Entry, IndexSettings, IndexWriter, WriterOptions};
use crate::error::Result;
use crate::pipeline::Progress;
use crate::retrieval::shards::Shard;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// How shards are indexed.
#[derive(Clone, Copy)]
pub struct Indexing<'a> {
    /// What the index holds of a page.
    pub settings: &'a IndexSettings,
    /// What the writer may take.
    pub options: WriterOptions,
    /// What is done to the texts of blocks before.
    pub edit: Option<&'a Edit<'a>>,
}

/// What became of the shards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexSummary {
    /// Shards that were in already.
    pub kept: usize,
    /// Shards added.
    pub added: usize,
    /// Pages in the index, all in all.
    pub pages: u64,
    /// Bytes of text added, titles not counted.
    pub text_bytes: u64,
}

/// Puts shards into the index in the folder `path`; those that are in already, by a call that was broken off or had
/// fewer shards, are passed over.
///
/// # Errors
/// As [`IndexWriter::open`], [`IndexWriter::plan`], [`Shard::pages`] and
/// [`Pages::read_page`](crate::retrieval::shards::Pages::read_page). What was in at the last commit is kept.
pub fn index_shards(
    shards: &[Shard],
    path: &Path,
    by: &Indexing<'_>,
    progress: &Progress,
) -> Result<IndexSummary> {
    let mut writer = IndexWriter::open(path, by.settings, by.options)?;
    let there = writer.plan(shards.iter().map(|s| (s.name.as_str(), s.sha256())))?;
    let mut summary = IndexSummary::default();
    for (shard, is_in) in shards.iter().zip(there) {
        let begun = progress.bytes_read.load(Relaxed);
        if is_in {
            summary.kept += 1;
        } else {
            let mut source = Source::open(shard, by.settings, by.edit)?;
            let mut pages = 0;
            let mut add = |page: &Entry<'_>| {
                summary.text_bytes += page.text.len() as u64;
                writer.add(page)
            };
            while source.next(&mut add)? {
                pages += 1;
                let share = pages as f64 / shard.documents().max(1) as f64;
                let read = begun + (share * shard.bytes() as f64) as u64;
                progress.bytes_read.store(read, Relaxed);
                progress.pages.fetch_add(1, Relaxed);
            }
            writer.end_shard(&shard.name, shard.sha256())?;
            summary.added += 1;
        }
        progress.bytes_read.store(begun + shard.bytes(), Relaxed);
        progress.inputs_done.fetch_add(1, Relaxed);
    }
    summary.pages = writer.pages();
    writer.finish()?;
    Ok(summary)
}
