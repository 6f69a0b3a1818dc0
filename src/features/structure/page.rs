//! What a page is like: the same for all its blocks.

use super::containers::Containers;
use super::records::{Records, elements, is_long};
use super::table::{OURS, Row, StructureFeature, list};
use super::{log, share};
use crate::document::Document;
use crate::html::Tag;

const ROWS: &[Row] = &[
    ("page.words", "log", OURS, "ln(1 + words)"),
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
        "with the sign of a currency",
    ),
    ("page.digits", "share", OURS, "digits / characters"),
    ("page.images", "elements", OURS, "img"),
    ("page.controls", "elements", OURS, "buttons and fields"),
    ("page.headings", "elements", OURS, "h1 to h6"),
    ("page.articles", "elements", OURS, "article"),
    ("page.paragraphs", "elements", OURS, "p"),
    (
        "page.same",
        "elements",
        OURS,
        "most elements of one tag and class under one parent that together hold more than a tenth of the words",
    ),
    ("page.title", "bytes", OURS, "of the title"),
];

pub(super) fn features() -> Vec<StructureFeature> {
    list("", "", ROWS)
}

#[derive(Clone, Debug, Default)]
pub(super) struct PageTotals([f32; ROWS.len()]);

impl PageTotals {
    pub fn read(&mut self, doc: &Document, records: &Records, containers: &Containers) {
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
        let (mut articles, mut paragraphs) = (0u32, 0u32);
        for element in elements(doc) {
            articles += u32::from(element.tag == Tag::Article);
            paragraphs += u32::from(element.tag == Tag::P);
        }
        let many = containers
            .siblings
            .iter()
            .filter(|s| s.words > total.words / 10);
        let same = many.map(|s| s.elements).max().unwrap_or(0);
        self.0 = [
            log(total.words as f32),
            total.blocks as f32,
            share(total.words, total.blocks),
            longest as f32,
            long as f32,
            share(long_words, total.words),
            share(total.linked, total.words),
            currency as f32,
            share(digits, chars),
            total.images as f32,
            total.controls as f32,
            total.headings as f32,
            articles as f32,
            paragraphs as f32,
            same as f32,
            doc.title.len() as f32,
        ];
    }

    pub fn push(&self, row: &mut Vec<f32>) {
        row.extend(self.0);
    }
}
