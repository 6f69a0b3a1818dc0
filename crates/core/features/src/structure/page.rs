//! Features of the whole page, the same for all its blocks.

use super::columns::Cursor;
use super::feature::{OURS, Row, StructureFeature, list};
use super::records::{Records, is_long};
use crate::share::share;
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

const ROWS: &[Row] = &[
    ("page.words", "words", OURS, "words"),
    ("page.blocks", "blocks", OURS, "blocks"),
    ("page.words_a_block", "words", OURS, "words / blocks"),
    ("page.longest", "words", OURS, "words of the longest block"),
    ("page.long", "blocks", OURS, "long blocks"),
    (
        "page.long_share",
        "share",
        OURS,
        "words of long blocks / words",
    ),
    ("page.linked", "share", OURS, "linked words / words"),
    (
        "page.currency",
        "blocks",
        OURS,
        "blocks with a currency sign",
    ),
    ("page.digits", "share", OURS, "digits / characters"),
    ("page.images", "elements", OURS, "img"),
    ("page.controls", "elements", OURS, "buttons and fields"),
    ("page.paragraphs", "elements", OURS, "p"),
];

pub(super) fn features() -> Vec<StructureFeature> {
    list("", "", ROWS)
}

#[derive(Clone, Debug, Default)]
pub(super) struct PageTotals([f32; ROWS.len()]);

impl PageTotals {
    pub fn read(&mut self, doc: &Document, records: &Records) {
        let total = &records.total;
        let (mut longest, mut long, mut long_words, mut chars) = (0, 0u32, 0, 0);
        for block in &doc.blocks {
            longest = longest.max(block.words);
            chars += block.chars;
            if is_long(block) {
                long += 1;
                long_words += block.words;
            }
        }
        let texts = records.texts.iter();
        let currency = texts.clone().filter(|t| t.currency).count();
        let digits = texts.map(|t| t.digits).sum();
        // Elements without text count too, so this visits the page's, not the skeleton's.
        let (mut images, mut controls, mut paragraphs) = (0u32, 0u32, 0u32);
        for element in &doc.tree.elements {
            match element.tag {
                Tag::Img => images += 1,
                Tag::P => paragraphs += 1,
                Tag::Button | Tag::Input | Tag::Select | Tag::Textarea => controls += 1,
                _ => {}
            }
        }
        self.0 = [
            total.words as f32,
            total.blocks as f32,
            share(total.words, total.blocks),
            longest as f32,
            long as f32,
            share(long_words, total.words),
            share(total.linked, total.words),
            currency as f32,
            share(digits, chars),
            images as f32,
            controls as f32,
            paragraphs as f32,
        ];
    }

    pub fn push(&self, to: &mut Cursor<'_>) {
        to.extend(self.0);
    }
}
