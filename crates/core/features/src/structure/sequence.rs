//! The blocks around a block, and its position among all.

use super::columns::Cursor;
use super::feature::{OURS, Row, StructureFeature, list};
use super::records::{Records, is_long};
use crate::share::share;
use warcsieve_common::shrink;
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

const ROWS: &[Row] = &[
    (
        "near.words",
        "words",
        OURS,
        "words / blocks, over seven blocks: the block, three before it and three after it",
    ),
    (
        "near.linked",
        "share",
        OURS,
        "linked words / words, over the same blocks",
    ),
    (
        "wide.words",
        "words",
        OURS,
        "words / blocks, over seventeen blocks: the block, eight before it and eight after it",
    ),
    (
        "wide.linked",
        "share",
        OURS,
        "linked words / words, over the same blocks",
    ),
    (
        "wide.long",
        "share",
        OURS,
        "long blocks / blocks, over the same blocks",
    ),
    (
        "last_long",
        "blocks",
        OURS,
        "distance to the last long block before it, at most 60",
    ),
    (
        "next_long",
        "blocks",
        OURS,
        "distance to the next long block, at most 60",
    ),
    (
        "long_before",
        "share",
        OURS,
        "long blocks before it / long blocks of the page",
    ),
    ("index", "blocks", OURS, "blocks before it"),
    (
        "index_end",
        "blocks",
        OURS,
        "blocks from it to the end, with itself",
    ),
    (
        "words_before",
        "share",
        OURS,
        "words before it / words of the page",
    ),
    (
        "since_heading",
        "blocks",
        OURS,
        "blocks since the last block in a heading; 0 in a heading; if there is no heading before it, 1 for the first block of the page, 2 for the second, and so on",
    ),
    (
        "from_h1",
        "blocks",
        OURS,
        "blocks after the first block in an h1, negative before that block; 999 if there is no h1",
    ),
];

pub(super) fn features() -> Vec<StructureFeature> {
    list("", "", ROWS)
}

/// The greatest distance to a long block. It also stands for greater ones, and for a missing block.
const FAR: u16 = 60;

/// The value of `from_h1` if the page has no `h1`.
const NO_H1: f32 = 999.0;

/// Sums over all blocks before a block, and the distances from it.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    words: u32,
    linked: u32,
    long: u32,
    last_long: u16,
    next_long: u16,
    since_heading: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    /// By block, and last for the whole page.
    before: Vec<Before>,
    first_h1: Option<usize>,
}

impl Sequence {
    pub fn read(&mut self, doc: &Document, records: &Records) {
        shrink(&mut self.before);
        self.before.clear();
        self.first_h1 = None;
        let mut so_far = Before {
            last_long: FAR,
            ..Before::default()
        };
        for (i, block) in doc.blocks.iter().enumerate() {
            let heading = records.headings[records.place(i).0];
            if heading == Some(Tag::H1) {
                self.first_h1.get_or_insert(i);
            }
            so_far.since_heading = if heading.is_some() {
                0
            } else {
                so_far.since_heading + 1
            };
            self.before.push(so_far);
            let long = is_long(block);
            so_far.words += block.words;
            so_far.linked += block.linked_words;
            so_far.long += u32::from(long);
            so_far.last_long = next_distance(long, so_far.last_long);
        }
        self.before.push(so_far);
        let mut next_long = FAR;
        for (before, block) in self.before.iter_mut().zip(&doc.blocks).rev() {
            before.next_long = next_long;
            next_long = next_distance(is_long(block), next_long);
        }
    }

    /// The words, linked words, long blocks and blocks in the range from `reach` blocks before a
    /// block to `reach` blocks after it, including the block itself.
    fn around(&self, block: usize, reach: usize) -> (u32, u32, u32, u32) {
        let start = block.saturating_sub(reach);
        let end = (block + reach + 1).min(self.before.len() - 1);
        let (start, end, blocks) = (self.before[start], self.before[end], (end - start) as u32);
        (
            end.words - start.words,
            end.linked - start.linked,
            end.long - start.long,
            blocks,
        )
    }

    pub fn push(&self, doc: &Document, block: usize, to: &mut Cursor<'_>) {
        let (own, page) = (self.before[block], self.before[doc.blocks.len()]);
        let (words, linked, _, blocks) = self.around(block, 3);
        to.extend([share(words, blocks), share(linked, words)]);
        let (words, linked, long, blocks) = self.around(block, 8);
        to.extend([
            share(words, blocks),
            share(linked, words),
            share(long, blocks),
            f32::from(own.last_long),
            f32::from(own.next_long),
            share(own.long, page.long),
            block as f32,
            (doc.blocks.len() - block) as f32,
            share(own.words, page.words),
            own.since_heading as f32,
            self.first_h1.map_or(NO_H1, |h1| block as f32 - h1 as f32),
        ]);
    }
}

/// The distance to the last long block as seen from the next block: 1 if this one is long.
fn next_distance(long: bool, distance: u16) -> u16 {
    if long { 1 } else { (distance + 1).min(FAR) }
}
