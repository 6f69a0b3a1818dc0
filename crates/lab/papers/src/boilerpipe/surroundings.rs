//! Filters for what surrounds the content: the title above it, headings and lists below it.

use super::part::{Parts, mark};
use warcsieve_classify::Titles;
use warcsieve_html::document::Document;

/// Marks the first part that repeats the page's title. It reads only the first block of each part,
/// so it should run before any fusion.
pub fn mark_title(doc: &Document, parts: &mut Parts) {
    let titles = Titles::of(&doc.title);
    let title = parts.as_slice().iter().position(|part| {
        let block = &doc.blocks[parts.block_of(part)];
        titles.matches(doc.block_text(block))
    });
    if let Some(part) = title.and_then(|title| parts.iter_mut().nth(title)) {
        part.marks |= mark::TITLE;
    }
}

/// Makes headings below all other content boilerplate.
pub fn trailing_headline(parts: &mut Parts, reason: u32) {
    for i in (0..parts.as_slice().len()).rev() {
        let part = &parts.as_slice()[i];
        if part.content {
            if !part.has(mark::HEADING) {
                break;
            }
            parts.set(i, false, reason);
        }
    }
}

/// Parts between the title and the first content below it become content if `keep-largest` dropped
/// them.
pub fn expand_title(parts: &mut Parts, reason: u32) {
    let list = parts.as_slice();
    let Some(content) = list.iter().position(|part| part.content) else {
        return;
    };
    let title = list[..content]
        .iter()
        .rposition(|part| part.has(mark::TITLE));
    for i in title.unwrap_or(content)..content {
        if parts.as_slice()[i].has(mark::MAYBE) {
            parts.set(i, true, reason);
        }
    }
}

/// List items without links that follow the largest part at a deeper level become content, up to
/// the first part that is not one.
pub fn list_at_end(parts: &mut Parts, reason: u32) {
    let mut level = None;
    for i in 0..parts.as_slice().len() {
        let part = &parts.as_slice()[i];
        if part.content && part.has(mark::LIKELY) {
            level = Some(part.tag_level);
        } else if level.is_some_and(|level| part.tag_level > level)
            && part.has(mark::MAYBE | mark::ITEM)
            && part.linked_words == 0
        {
            parts.set(i, true, reason);
        } else {
            level = None;
        }
    }
}
