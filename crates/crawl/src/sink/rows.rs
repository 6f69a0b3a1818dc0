//! Rows of both tables under construction.

use super::blocks::BlockRows;
use super::documents::DocumentRows;
use arrow_array::RecordBatch;
use std::sync::Arc;
use warcsieve_base::Result;
use warcsieve_classify::Names;
use warcsieve_clean::Cleaned;
use warcsieve_clean::Pipeline;
use warcsieve_html::document::{Block, Document};
use warcsieve_render::Output;
use warcsieve_warc::Location;

/// The rows of some pages, in input order.
#[derive(Debug)]
pub struct Rows {
    /// One row a page.
    pub documents: RecordBatch,
    /// One row a block; `None` where the pipeline writes no blocks.
    pub blocks: Option<RecordBatch>,
}

impl Rows {
    /// Bytes of memory they take.
    pub fn memory(&self) -> usize {
        let blocks = self.blocks.as_ref();
        self.documents.get_array_memory_size()
            + blocks.map_or(0, RecordBatch::get_array_memory_size)
    }
}

/// Turns cleaned pages into rows.
pub struct RowBuilder {
    documents: DocumentRows,
    blocks: Option<BlockRows>,
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
            documents: DocumentRows::new(name, &pipeline.method, settings),
            blocks: settings
                .blocks
                .then(|| BlockRows::new(settings, names.clone())),
            plain: settings.output == Output::Text,
            bytes: 0,
        }
    }

    /// Adds a page's rows. Whenever [`RowBuilder::LIMIT`] bytes are collected they go to
    /// `full`; where that happens depends on the pages alone.
    ///
    /// # Errors
    /// Those of `full`.
    pub fn push(
        &mut self,
        cleaned: &Cleaned<'_>,
        location: &Location,
        full: &mut dyn FnMut(Rows) -> Result<()>,
    ) -> Result<()> {
        self.bytes += self.documents.push(cleaned, location);
        let plain = self.plain;
        let mut in_text = cleaned.text_blocks.iter().filter(|_| plain).cloned();
        let mut at = 0;
        while let Some(blocks) = &mut self.blocks
            && at < cleaned.labels.len()
        {
            let end = together(cleaned.doc, at);
            self.bytes += blocks.push(cleaned, at..end, &mut in_text);
            at = end;
            if self.bytes >= Self::LIMIT {
                full(self.finish())?;
            }
        }
        if self.bytes >= Self::LIMIT {
            full(self.finish())?;
        }
        Ok(())
    }

    /// The rows collected and not handed on.
    pub fn finish(&mut self) -> Rows {
        self.bytes = 0;
        Rows {
            documents: self.documents.finish(),
            blocks: self.blocks.as_mut().map(BlockRows::finish),
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
