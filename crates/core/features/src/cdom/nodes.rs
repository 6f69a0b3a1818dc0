//! The features of Table 1 for nodes of the Collapsed DOM.

use super::table::NODE;
use super::text::{Counts, is_ended, is_punctuation_or_period, is_question_mark};
use crate::share::share;
use std::ops::Range;
use warcsieve_common::shrink;
use warcsieve_html::document::Document;

/// The values from which the features of a page's nodes are computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    /// Prefix sums: the counts of all blocks before each block, and at the end those of all blocks.
    before: Vec<Counts>,
    /// By block: whether it has words and does not end like a sentence.
    open: Vec<bool>,
    /// Scratch for a word in lower case.
    lower: String,
}

impl Nodes {
    pub fn read(&mut self, doc: &Document) {
        shrink(&mut self.before);
        self.before.clear();
        shrink(&mut self.open);
        self.open.clear();
        let mut sum = Counts::default();
        self.before.push(sum);
        for block in &doc.blocks {
            sum.add(&Counts::of(doc, block, &mut self.lower));
            self.before.push(sum);
            let is_open = block.words > 0 && !is_ended(doc.block_text(block));
            self.open.push(is_open);
        }
    }

    /// The features of Table 1 for a node that holds these blocks, at least one.
    pub fn of(&self, doc: &Document, blocks: Range<usize>) -> [f32; NODE.len()] {
        let (first, last) = (&doc.blocks[blocks.start], &doc.blocks[blocks.end - 1]);
        let sum = self.before[blocks.end].minus(&self.before[blocks.start]);
        let page = &self.before[doc.blocks.len()];
        let tags = sum.tags.saturating_sub(first.tags_before);
        let place = |at: u32| share(at, doc.blocks.last().map_or(0, |b| b.source.end));
        let ending = doc.block_text(last).chars().next_back();
        let is_open = self.open[blocks.end - 1];
        let ends_with = |is: fn(char) -> bool| f32::from(u8::from(ending.is_some_and(is)));
        [
            libm::logf(sum.chars.max(1) as f32),
            share(tags, tags.saturating_add(sum.words)),
            share(sum.words, page.words),
            (sum.sentences + u32::from(is_open)) as f32,
            share(sum.punctuation, sum.chars),
            share(sum.dashes, sum.chars),
            share(sum.periods, sum.chars),
            share(sum.linked, sum.chars),
            ends_with(is_punctuation_or_period),
            ends_with(is_question_mark),
            share(sum.capitals, sum.words),
            share(sum.stops, sum.words),
            share(sum.non_spaces, sum.tokens),
            place(first.source.start),
            place(last.source.end),
        ]
    }
}
