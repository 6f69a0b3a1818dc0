//! Where a block is from the page's headings.

use super::records::{Records, elements, index, inherit};
use super::share;
use super::table::{OURS, Row, StructureFeature, list};
use crate::document::Document;
use crate::html::Tag;

const ROWS: &[Row] = &[
    (
        "from_h1",
        "blocks",
        OURS,
        "after the first block in an h1, negative before it; 999 if there is none",
    ),
    (
        "head.from",
        "blocks",
        OURS,
        "after the title heading, negative before it; 999 if there is none",
    ),
    (
        "head.up",
        "steps",
        OURS,
        "up to the nearest element that holds the title heading, too; this and what follows is -1 if there is none",
    ),
    (
        "head.down",
        "steps",
        OURS,
        "from there down to the title heading",
    ),
    (
        "head.share",
        "share",
        OURS,
        "words under that element / words of the page",
    ),
    (
        "head.linked",
        "share",
        OURS,
        "linked words under it / words under it",
    ),
];

pub(super) fn features() -> Vec<StructureFeature> {
    list("", "", ROWS)
}

/// Tokens of the title, and of a heading, that are compared.
const COMPARED: usize = 40;

/// The least score of a title heading.
const LEAST: f32 = 0.4;

/// No heading.
const NONE: f32 = 999.0;

#[derive(Clone, Debug, Default)]
pub(super) struct Headings {
    first_h1: Option<usize>,
    /// Block and container of the title heading.
    title: Option<(usize, usize)>,
    /// By element: the nearest at or above it that holds the title heading, and steps up to it.
    common: Vec<(u32, u16)>,
}

impl Headings {
    pub fn read(&mut self, doc: &Document, records: &Records) {
        let elements = elements(doc);
        let title: Vec<&str> = doc.title.split_whitespace().take(COMPARED).collect();
        (self.first_h1, self.title) = (None, None);
        let mut best = LEAST;
        for (i, block) in doc.blocks.iter().enumerate() {
            let Some(level) = records.headings[index(doc, block.element)] else {
                continue;
            };
            let is_h1 = level == Tag::H1;
            if is_h1 && self.first_h1.is_none() {
                self.first_h1 = Some(i);
            }
            let tokens = doc.block_text(block).split_whitespace().take(COMPARED);
            let (mut all, mut shared) = (0, 0);
            for token in tokens {
                all += 1;
                shared += u32::from(title.contains(&token));
            }
            let score = share(shared * shared, all) + if is_h1 { 0.5 } else { 0.0 };
            if score > best {
                best = score;
                self.title = Some((i, index(doc, block.container)));
            }
        }
        let Some((_, title)) = self.title else { return };
        inherit(
            elements,
            &mut self.common,
            |i, element, above| match above {
                Some((common, up)) if !(i <= title && title < element.end as usize) => {
                    (common, up.saturating_add(1))
                }
                _ => (i as u32, 0),
            },
        );
    }

    pub fn push(&self, doc: &Document, records: &Records, block: usize, row: &mut Vec<f32>) {
        let from = |heading: usize| block as f32 - heading as f32;
        row.push(self.first_h1.map_or(NONE, from));
        let Some((at, title)) = self.title else {
            row.extend([NONE, -1.0, -1.0, -1.0, -1.0]);
            return;
        };
        let (common, up) = self.common[index(doc, doc.blocks[block].element)];
        let common = common as usize;
        let sums = &records.sums[common];
        row.extend([
            from(at),
            f32::from(up),
            f32::from(records.depths[title] - records.depths[common]),
            share(sums.words, records.total.words),
            share(sums.linked, sums.words),
        ]);
    }
}
