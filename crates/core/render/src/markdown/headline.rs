//! Puts a page's headline before the content, if the content has no heading of level 1.

use super::super::page::Page;
use super::escape::{self, Place};
use std::ops::Range;
use warcsieve_classify::{Label, Titles};
use warcsieve_html::document::Document;

/// Maximum length of a headline in bytes. A longer one is left out.
const MAX_BYTES: usize = 1000;

/// Minimum number of words. A first heading with that many words counts as a headline. A first
/// paragraph with that many words may be a part of the headline.
const MIN_WORDS: usize = 3;

/// Number of content blocks that are compared with the headline. Further down, an equal text is a
/// link or a caption.
const BEGINNING: usize = 5;

/// What the headline needs to know about the printed page.
#[derive(Clone, Debug, Default)]
pub(super) struct Printed {
    /// Whether a heading of level 1 was printed.
    pub has_h1: bool,
    pub first: Option<First>,
}

/// The paragraph or heading at the beginning of the output.
#[derive(Clone, Debug)]
pub(super) struct First {
    /// Byte range in [`Document::text`].
    pub text: Range<usize>,
    /// Its end in the output.
    pub end: usize,
    pub is_heading: bool,
    /// Whether it is in no item and no quote.
    pub is_free: bool,
}

impl Printed {
    /// Adds the headline at the beginning as a heading of level 1. Adds nothing if the page begins
    /// with a heading of its own, or if its first blocks repeat the headline. But if the first
    /// paragraph repeats it, that paragraph becomes the heading.
    pub fn add_headline(&self, doc: &Document, labels: &[Label], headline: &str, out: &mut String) {
        if headline.is_empty() || headline.len() > MAX_BYTES {
            return;
        }
        let titles = Titles::of(headline);
        let is_long = |text: &str| text.split_whitespace().nth(MIN_WORDS - 1).is_some();
        if let Some(first) = &self.first {
            let text = doc.text[first.text.clone()].trim();
            if first.is_heading && is_long(text) {
                return;
            }
            if titles.matches(text) || is_long(text) && titles.hold(text) {
                if first.is_free && !first.is_heading {
                    out.replace_range(..first.end, &heading(text));
                }
                return;
            }
        }
        let content = doc.blocks.iter().zip(labels).filter(|(_, l)| l.content);
        let mut beginning = content
            .take(BEGINNING)
            .map(|(block, _)| doc.block_text(block));
        if !beginning.any(|text| titles.matches(text)) {
            out.insert_str(0, &(heading(headline) + "\n\n"));
        }
    }
}

/// Formats a heading of level 1.
fn heading(text: &str) -> String {
    let mut heading = String::new();
    let place = Place {
        heading_end: true,
        dollars: text.bytes().filter(|&b| b == b'$').count() > 1,
        ..Place::default()
    };
    let mut page = Page::new(&mut heading, usize::MAX);
    page.push_str("# ");
    escape::text(text, place, &mut page);
    heading
}
