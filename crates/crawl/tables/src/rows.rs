//! Rows of all tables while they are collected.

use super::blocks::{self, BlockRows};
use super::columns::Collector;
use super::documents::{self, Documents};
use super::links::{self, LinkCounts, Links};
use super::removed::{self, Removed};
use super::tables::{Rows, written};
use warcsieve_common::Result;
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_html::document::{Block, Document};
use warcsieve_render::TextFormat;
use warcsieve_warc::Location;

/// Turns processed pages into rows.
pub struct RowBuilder {
    /// Path of the input below `--base`.
    input: String,
    documents: Collector<Documents>,
    removed: Option<Collector<Removed>>,
    blocks: Option<BlockRows>,
    links: Option<Collector<Links>>,
    /// The links of the last page.
    link_counts: LinkCounts,
    /// Documents hold plain text.
    plain: bool,
    bytes: usize,
}

impl RowBuilder {
    /// Rows are handed on at this many bytes. So a page with a million blocks, or a thousand pages
    /// that were a few bytes before decompression, are never all in memory as rows.
    pub const LIMIT: usize = 8 << 20;

    /// A builder for the rows of any inputs.
    pub fn new(pipeline: &Pipeline) -> Self {
        let settings = &pipeline.settings;
        let tables = written(pipeline);
        let removed = || Collector::new(removed::columns(&pipeline.filters));
        let blocks = || BlockRows::new(blocks::columns(pipeline), settings);
        Self {
            input: String::new(),
            documents: Collector::new(documents::columns(pipeline)),
            removed: tables.removed.map(|_| removed()),
            blocks: tables.blocks.map(|_| blocks()),
            links: tables.links.map(|_| Collector::new(links::columns())),
            link_counts: LinkCounts::default(),
            plain: settings.output == TextFormat::Text,
            bytes: 0,
        }
    }

    /// Begins the input `name`, to which all following pages belong. Rows that were not handed on
    /// are dropped: they belong to a batch that failed.
    pub fn begin(&mut self, name: &str) {
        if self.bytes > 0 {
            self.finish();
        }
        name.clone_into(&mut self.input);
    }

    /// Adds the rows of a page. Whenever [`RowBuilder::LIMIT`] bytes are collected, they are passed
    /// to `full`. Where that happens depends on the pages alone.
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
            let row = removed::Row {
                input: &self.input,
                location,
                view,
                removal,
            };
            self.bytes += removed::ROW_BYTES + rows.push(&row);
            return self.hand_on_if_full(full);
        }
        let row = documents::Row {
            input: &self.input,
            location,
            view,
        };
        self.bytes += documents::ROW_BYTES + self.documents.push(&row);
        let plain = self.plain;
        let mut in_text = view.text_blocks.iter().filter(|_| plain).cloned();
        let mut at = 0;
        while let Some(blocks) = &mut self.blocks
            && at < view.labels.len()
        {
            let end = run_end(view.doc, at);
            self.bytes += blocks.push(view, at..end, &mut in_text);
            at = end;
            self.hand_on_if_full(full)?;
        }
        if let Some(rows) = &mut self.links {
            let (counts, bytes) = links::push(rows, view);
            self.link_counts = counts;
            self.bytes += bytes;
        }
        self.hand_on_if_full(full)
    }

    fn hand_on_if_full(&mut self, full: &mut dyn FnMut(Rows) -> Result<()>) -> Result<()> {
        match self.bytes >= Self::LIMIT {
            true => full(self.finish()),
            false => Ok(()),
        }
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
            removed: self.removed.as_mut().map(Collector::finish),
            links: self.links.as_mut().map(Collector::finish),
        }
    }
}

/// Most blocks that are added together, and bytes of text at which a run ends. Filling one column
/// at a time is faster, and the texts of a page may be long.
const RUN_LIMITS: (usize, u32) = (256, 1 << 20);

/// The end of the run of blocks that starts at `at` and is added together. It has at least one
/// block.
fn run_end(doc: &Document, at: usize) -> usize {
    let rest = &doc.blocks[at..];
    let rest = &rest[..rest.len().min(RUN_LIMITS.0)];
    let long = |block: &Block| block.text.end - rest[0].text.start >= RUN_LIMITS.1;
    at + rest.iter().position(long).map_or(rest.len(), |n| n + 1)
}
