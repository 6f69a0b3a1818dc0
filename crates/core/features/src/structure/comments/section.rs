//! Comments below a [heading]: where they begin, and what distinguishes them from a chapter, from another article, and
//! from an article whose number of comments is above its text.

use super::super::records::{Records, is_prose};
use super::bounds::{MAX_SHARE, MIN_PROSE_WORDS};
use super::date::is_date;
use super::heading::{self, Heading, heading};
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

/// Where comments with a heading begin.
pub(super) struct Headed {
    /// The block of the heading.
    pub block: usize,
    /// The first element that begins after it.
    pub first: u32,
}

/// The maximum number of blocks from a heading of comments to the first date.
const MAX_BLOCKS_TO_DATE: usize = 12;

/// The maximum number of words outside of links per date, from there on.
const MAX_WORDS_PER_DATE: u32 = 250;

/// The first heading of comments with 50 words of prose between the last `h1` before it, if there is one, and itself.
/// `None` if the text after it has 85 % of the page's words or more, has no dates like those of comments, or is another
/// article with a number of comments of its own.
pub(super) fn headed(doc: &Document, records: &Records) -> Option<Headed> {
    let (mut prose, mut words, mut last) = (0, 0, 0);
    let mut blocks = doc.blocks.iter().enumerate();
    let (block, first) = blocks.by_ref().find_map(|(i, block)| {
        let element = records.place(i).0;
        last = last.max(element);
        if prose >= MIN_PROSE_WORDS
            && let Some(found) = heading_at(doc, records, i)
        {
            return Some((i, found));
        }
        words += block.words;
        if records.headings[element] == Some(Tag::H1) {
            prose = 0;
        } else if is_prose(block) {
            prose += block.words;
        }
        None
    })?;
    let rest = f64::from(records.total.words - words);
    if rest >= f64::from(records.total.words) * MAX_SHARE {
        return None;
    }
    let (mut dates, mut unlinked) = (0u32, 0);
    for (i, b) in blocks {
        if is_date(doc, records, i) {
            dates += 1;
        }
        if dates == 0 && i > block + MAX_BLOCKS_TO_DATE {
            return None;
        }
        let is_counted = first == Heading::Number;
        if is_counted && heading_at(doc, records, i) == Some(Heading::Number) {
            return None;
        }
        unlinked += b.words - b.linked_words;
    }
    let first = last as u32 + 1;
    (dates.saturating_mul(MAX_WORDS_PER_DATE) >= unlinked && dates > 0)
        .then_some(Headed { block, first })
}

/// What a block says as the heading of comments, if it is one. It must be outside of links and buttons, and outside of
/// cells, terms and labels, which are headings of something else.
fn heading_at(doc: &Document, records: &Records, block: usize) -> Option<Heading> {
    let b = &doc.blocks[block];
    let container = records.elements()[records.place(block).1].tag;
    let heads_other = matches!(
        container,
        Tag::Button
            | Tag::Th
            | Tag::Td
            | Tag::Dt
            | Tag::Label
            | Tag::Option
            | Tag::Legend
            | Tag::Summary
    );
    let is_short = b.words <= heading::WORDS && b.chars <= heading::CHARS;
    match is_short && b.linked_words == 0 && !heads_other {
        true => heading(doc.block_text(b)),
        false => None,
    }
}
