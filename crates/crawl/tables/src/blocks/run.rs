//! What rows of `blocks` are made of.

use super::features::Features;
use super::outlines::Outlines;
use crate::columns::{self, Table};
use std::ops::Range;
use warcsieve_classify::Label;
use warcsieve_extract::PageView;
use warcsieve_html::document::{Block, Document};

/// The `blocks` table: one row per block.
pub struct Blocks;

/// Consecutive blocks of a page that are added together: filling one column at a time is faster.
/// Values that several columns need are computed before the columns are filled.
pub struct Run<'a> {
    pub view: &'a PageView<'a>,
    /// Their numbers; those of a page come in order from 0.
    pub numbers: Range<usize>,
    /// For each block its byte range in the document's text, if that is plain text and includes the
    /// block.
    pub places: &'a [Option<Range<u32>>],
    pub features: &'a Features,
    pub outlines: &'a Outlines,
}

impl Table for Blocks {
    type Row<'a> = Run<'a>;
}

/// A column of the table.
pub type Column = columns::Column<Blocks>;

impl<'a> Run<'a> {
    pub fn doc(&self) -> &'a Document {
        self.view.doc
    }

    pub fn blocks(&self) -> &'a [Block] {
        &self.view.doc.blocks[self.numbers.clone()]
    }

    pub fn labels(&self) -> &'a [Label] {
        &self.view.labels[self.numbers.clone()]
    }

    /// What is left in the text of the content of the block that has this place there.
    pub fn of_content(&self, place: &Option<Range<u32>>) -> Option<&'a str> {
        let place = place.as_ref()?;
        self.view.text.get(place.start as usize..place.end as usize)
    }

    /// Whether the page begins with it.
    pub fn begins_page(&self) -> bool {
        self.numbers.start == 0
    }
}
