//! How much of the page is similar to the block.

use super::columns::Cursor;
use super::feature::{OURS, Row, StructureFeature, list};
use super::numbers::Numbers;
use super::records::{Records, is_long};
use crate::elements::mix;
use crate::enclosing::inherit;
use crate::share::share;
use twox_hash::XxHash3_64;
use warcsieve_common::shrink;
use warcsieve_html::document::Document;

const ROWS: &[Row] = &[
    ("blocks", "blocks", OURS, "their number"),
    ("share", "share", OURS, "their words / words of the page"),
    (
        "ended",
        "share",
        OURS,
        "words of those that end like a sentence / words of all of them",
    ),
    ("linked", "share", OURS, "their linked words / their words"),
    (
        "long",
        "share",
        OURS,
        "words of the long ones / words of all of them",
    ),
    ("words_a_block", "words", OURS, "their words / their number"),
];

const EQUAL: &[Row] = &[
    (
        "equal",
        "blocks",
        OURS,
        "blocks of the page with the same text, with itself",
    ),
    (
        "equal_first",
        "0 or 1",
        OURS,
        "1 if it is the first of them",
    ),
];

pub(super) fn features() -> Vec<StructureFeature> {
    [
        list(
            "path.",
            "blocks whose containers have the same tags and classes from the root down: ",
            ROWS,
        ),
        list(
            "tag_path.",
            "blocks whose containers have the same tags from the root down: ",
            ROWS,
        ),
        list("", "", EQUAL),
    ]
    .concat()
}

/// Sums over the blocks of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    words: u32,
    linked: u32,
    ended: u32,
    long: u32,
    blocks: u32,
    first: u32,
}

/// Blocks grouped by a key: blocks with equal keys are of one kind.
#[derive(Clone, Debug, Default)]
struct Kinds {
    of_block: Vec<u32>,
    kinds: Vec<Kind>,
}

impl Kinds {
    fn read(
        &mut self,
        doc: &Document,
        records: &Records,
        keys: impl ExactSizeIterator<Item = u64>,
        numbers: &mut Numbers,
    ) {
        let kinds = numbers.of(keys, &mut self.of_block);
        shrink(&mut self.kinds);
        self.kinds.clear();
        self.kinds.resize(kinds, Kind::default());
        let blocks = (0..).zip(&doc.blocks).zip(&records.texts);
        for (((i, block), text), kind) in blocks.zip(&self.of_block) {
            let kind = &mut self.kinds[*kind as usize];
            if kind.blocks == 0 {
                kind.first = i;
            }
            kind.blocks += 1;
            kind.words += block.words;
            kind.linked += block.linked_words;
            kind.ended += if text.ended { block.words } else { 0 };
            kind.long += if is_long(block) { block.words } else { 0 };
        }
    }

    fn of(&self, block: usize) -> &Kind {
        &self.kinds[self.of_block[block] as usize]
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Repetition {
    paths: Kinds,
    tag_paths: Kinds,
    texts: Kinds,
    /// By element: a hash of the tags from the root down to it.
    above: Vec<u64>,
}

impl Repetition {
    /// `paths` are those of the elements, by tags and classes.
    pub fn read(
        &mut self,
        doc: &Document,
        records: &Records,
        paths: &[u64],
        numbers: &mut Numbers,
    ) {
        let above = &mut self.above;
        let elements = records.elements();
        let containers = || records.skeleton.places.iter().map(|place| place.1 as usize);
        let keys = containers().map(|container| paths[container]);
        self.paths.read(doc, records, keys, numbers);
        inherit(elements, above, |_, e, up| {
            mix(up.unwrap_or(0), e.tag as u64 + 1)
        });
        let keys = containers().map(|container| above[container]);
        self.tag_paths.read(doc, records, keys, numbers);
        let hash = |b| XxHash3_64::oneshot(doc.block_text(b).as_bytes());
        self.texts
            .read(doc, records, doc.blocks.iter().map(hash), numbers);
        // Frees the memory of a large page before the features are written.
        shrink(above);
    }

    pub fn push(&self, records: &Records, block: usize, to: &mut Cursor<'_>) {
        for kinds in [&self.paths, &self.tag_paths] {
            let kind = kinds.of(block);
            to.extend([
                kind.blocks as f32,
                share(kind.words, records.total.words),
                share(kind.ended, kind.words),
                share(kind.linked, kind.words),
                share(kind.long, kind.words),
                share(kind.words, kind.blocks),
            ]);
        }
        let equal = self.texts.of(block);
        let is_first = equal.first as usize == block;
        to.extend([equal.blocks as f32, f32::from(u8::from(is_first))]);
    }
}
