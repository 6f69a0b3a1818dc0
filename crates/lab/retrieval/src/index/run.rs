//! Indexes the shards that are not in the index yet.

use super::source::{Edit, Source};
use super::{Entry, IndexSettings, IndexWriter, WriterOptions};
use crate::shards::Shard;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use warcsieve_common::Result;
use warcsieve_corpus::AnchorTable;
use warcsieve_engine::Progress;

/// How shards are indexed.
#[derive(Clone, Copy)]
pub struct Indexing<'a> {
    /// What the index contains of a page.
    pub settings: &'a IndexSettings,
    /// Resources of the writer.
    pub options: WriterOptions,
    /// A change of the texts of blocks before indexing.
    pub edit: Option<&'a Edit<'a>>,
    /// The table of anchors whose sha256 the settings have.
    pub anchors: Option<&'a Path>,
}

/// The result of indexing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexSummary {
    /// Number of shards that were already in the index.
    pub kept: usize,
    /// Number of shards added.
    pub added: usize,
    /// Total number of pages in the index.
    pub pages: u64,
    /// Bytes of text added, without titles.
    pub text_bytes: u64,
}

/// Adds shards, sorted by name, to the index in the folder `path`. Shards that an earlier call added (one that was
/// interrupted, or had fewer shards) are skipped.
///
/// # Errors
/// Those of [`IndexWriter::open`], [`IndexWriter::plan`], [`Shard::pages`] and
/// [`Pages::read_page`](crate::shards::Pages::read_page). Everything up to the last commit is kept.
pub fn index_shards(
    shards: &[Shard],
    path: &Path,
    by: &Indexing<'_>,
    progress: &Progress,
) -> Result<IndexSummary> {
    let mut writer = IndexWriter::open(path, by.settings, by.options)?;
    let there = writer.plan(shards.iter().map(|s| (s.name.as_str(), s.sha256())))?;
    let mut anchors = by.anchors.map(AnchorTable::open).transpose()?;
    let mut summary = IndexSummary::default();
    for (shard, is_in) in shards.iter().zip(there) {
        let begun = progress.bytes_read.load(Relaxed);
        if is_in {
            summary.kept += 1;
        } else {
            let mut source = Source::open(shard, by.settings, by.edit)?;
            let mut pages = 0;
            loop {
                let add = |page: &Entry<'_>| {
                    summary.text_bytes += page.text.len() as u64;
                    let inlinks = match &mut anchors {
                        Some(table) => table.links_to(&shard.name, pages, page.id)?,
                        None => None,
                    };
                    let inlinks = inlinks.as_ref();
                    writer.add(&Entry { inlinks, ..*page })
                };
                if !source.next(add)? {
                    break;
                }
                progress.go_on()?;
                pages += 1;
                let share = pages as f64 / shard.pages().max(1) as f64;
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
