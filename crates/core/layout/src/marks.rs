//! Marks in the start tags of a page. They identify the elements in the engine's tree.

use std::collections::BTreeMap;
use warcsieve_html::{ElementId, StartTag};

/// The attribute with the number of an element.
pub const ATTRIBUTE: &str = "data-warcsieve";

/// Refills `marked` with the page and a mark in each start tag.
///
/// The mark is the first attribute of the tag, so no attribute of the page comes before it. It is
/// followed by the text that is inserted first in that tag. Text that is inserted before the
/// element comes before the tag. The page begins with a comment, so that the engine never takes it
/// for XML.
pub fn mark(
    html: &str,
    starts: &[StartTag],
    inserts: &BTreeMap<ElementId, (String, String)>,
    marked: &mut String,
) {
    marked.clear();
    marked.push_str("<!---->");
    let mut done = byte_order_mark(html);
    for start in starts {
        let at = start.after_name as usize;
        let between = &html[done..at];
        let (before, first) = match inserts.get(&start.element) {
            Some((before, first)) => (before.as_str(), first.as_str()),
            None => ("", ""),
        };
        let (text, tag) = between.split_at(between.rfind('<').unwrap_or(between.len()));
        marked.push_str(text);
        marked.push_str(before);
        marked.push_str(tag);
        marked.push_str(&format!(" {ATTRIBUTE}=\"{}\"{first}", start.element));
        // A page may write `<a"b">`, so its own attributes must be separated by a space.
        let next = html.as_bytes().get(at);
        if next.is_some_and(|b| !b.is_ascii_whitespace() && !matches!(b, b'>' | b'/')) {
            marked.push(' ');
        }
        done = at;
    }
    marked.push_str(&html[done..]);
}

/// Length of the byte order mark at the beginning of the page, where it is not text.
fn byte_order_mark(html: &str) -> usize {
    if html.starts_with('\u{feff}') { 3 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_html::document::Document;
    use warcsieve_html::{Segmenter, SegmenterOptions};

    #[test]
    fn marks_come_first_in_their_tags() {
        let html =
            "\u{feff}<!DOCTYPE html><html><p>a<br/><a href=x data-warcsieve=7>é</a><b\tid=b>";
        let (mut doc, mut starts, mut marked) = (Document::default(), Vec::new(), String::new());
        Segmenter::new(SegmenterOptions::default())
            .segment_html_with_starts(html, &mut doc, &mut starts)
            .unwrap();
        mark(html, &starts, &BTreeMap::new(), &mut marked);
        assert_eq!(
            marked,
            "<!----><!DOCTYPE html><html><p data-warcsieve=\"2\">a<br data-warcsieve=\"3\"/>\
             <a data-warcsieve=\"4\" href=x data-warcsieve=7>é</a>\
             <b data-warcsieve=\"5\"\tid=b>"
        );
    }
}
