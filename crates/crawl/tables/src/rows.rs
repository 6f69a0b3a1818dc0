//! Rows of both tables under construction.

use super::blocks::BlockRows;
use super::documents::DocumentRows;
use super::links::{LinkCounts, LinkRows};
use super::removed::RemovedRows;
use super::tables::Rows;
use std::sync::Arc;
use warcsieve_classify::Names;
use warcsieve_common::Result;
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_filters::filter::Filters;
use warcsieve_html::document::{Block, Document};
use warcsieve_render::Output;
use warcsieve_warc::Location;

/// Turns processed pages into rows.
pub struct RowBuilder {
    filters: Filters,
    documents: DocumentRows,
    removed: Option<RemovedRows>,
    blocks: Option<BlockRows>,
    links: Option<LinkRows>,
    /// Of the last page.
    link_counts: LinkCounts,
    /// Documents hold plain text.
    plain: bool,
    bytes: usize,
}

impl RowBuilder {
    /// Bytes of rows after which they are handed on, so that a page of a million blocks, or a
    /// thousand pages that were a few bytes before decompression, are never all in memory as rows.
    pub const LIMIT: usize = 8 << 20;

    /// A builder for rows of the input `name`.
    pub fn new(name: &str, pipeline: &Pipeline, names: &Arc<Names>) -> Self {
        let settings = &pipeline.settings;
        Self {
            filters: pipeline.filters.clone(),
            documents: DocumentRows::new(name, pipeline),
            removed: (!pipeline.filters.is_empty())
                .then(|| RemovedRows::new(name, &pipeline.filters)),
            blocks: settings
                .blocks
                .then(|| BlockRows::new(pipeline, names.clone())),
            links: settings.link_table.then(LinkRows::default),
            link_counts: LinkCounts::default(),
            plain: settings.output == Output::Text,
            bytes: 0,
        }
    }

    /// Adds a page's rows. Whenever [`RowBuilder::LIMIT`] bytes are collected they go to `full`; where
    /// that happens depends on the pages alone.
    ///
    /// # Errors
    /// Those of `full`.
    pub fn push(
        &mut self,
        view: &PageView<'_>,
        location: &Location,
        full: &mut dyn FnMut(Rows) -> Result<()>,
    ) -> Result<()> {
        if let (Some(removal), Some(rows)) = (&view.removal, &mut self.removed) {
            self.bytes += rows.push(view, location, &self.filters, removal);
            if self.bytes >= Self::LIMIT {
                full(self.finish())?;
            }
            return Ok(());
        }
        self.bytes += self.documents.push(view, location);
        let plain = self.plain;
        let mut in_text = view.text_blocks.iter().filter(|_| plain).cloned();
        let mut at = 0;
        while let Some(blocks) = &mut self.blocks
            && at < view.labels.len()
        {
            let end = together(view.doc, at);
            self.bytes += blocks.push(view, at..end, &mut in_text);
            at = end;
            if self.bytes >= Self::LIMIT {
                full(self.finish())?;
            }
        }
        if let Some(links) = &mut self.links {
            let (counts, bytes) = links.push(view);
            self.link_counts = counts;
            self.bytes += bytes;
        }
        if self.bytes >= Self::LIMIT {
            full(self.finish())?;
        }
        Ok(())
    }

    /// The links of the page that was added last.
    pub fn link_counts(&self) -> LinkCounts {
        self.link_counts
    }

    /// The rows collected and not handed on.
    pub fn finish(&mut self) -> Rows {
        self.bytes = 0;
        Rows {
            documents: self.documents.finish(),
            blocks: self.blocks.as_mut().map(BlockRows::finish),
            removed: self.removed.as_mut().map(RemovedRows::finish),
            links: self.links.as_mut().map(LinkRows::finish),
        }
    }
}

/// Most blocks that are added together, and bytes of text after which no more are: a column at a
/// time is faster, and a page's texts may be long.
const TOGETHER: (usize, u32) = (256, 1 << 20);

/// The end of the blocks from `at` on that are added together, at least one.
fn together(doc: &Document, at: usize) -> usize {
    let rest = &doc.blocks[at..];
    let rest = &rest[..rest.len().min(TOGETHER.0)];
    let long = |block: &Block| block.text.end - rest[0].text.start >= TOGETHER.1;
    at + rest.iter().position(long).map_or(rest.len(), |n| n + 1)
}
