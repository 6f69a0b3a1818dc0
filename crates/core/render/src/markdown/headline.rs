//! A page's headline before its content, where no heading of level 1 is in it.

use super::super::page::Page;
use super::escape::{self, Place};
use std::ops::Range;
use warcsieve_classify::{Label, Titles};
use warcsieve_html::document::Document;

/// The maximum length of a headline in bytes. A longer one is left out.
const MAX_BYTES: usize = 1000;

/// Fewest words of a heading that begins a page like a headline, and of a first paragraph that is the headline though it
/// is only a part of it.
const MIN_WORDS: usize = 3;

/// How many blocks of the content may repeat the headline. Further below it is a link or a caption.
const BEGINNING: usize = 5;

/// What was printed of a page, as far as a headline before it depends on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Printed {
    /// A heading of level 1.
    pub has_h1: bool,
    pub first: Option<First>,
}

/// The paragraph or heading that the output begins with.
#[derive(Clone, Debug)]
pub(super) struct First {
    /// In [`Document::text`].
    pub text: Range<usize>,
    /// Where it ends in the output.
    pub end: usize,
    pub is_heading: bool,
    /// In no item and no quote.
    pub is_free: bool,
}

impl Printed {
    /// Begins the page with its headline as a heading of level 1, unless it begins with a heading of its own or its first
    /// blocks repeat the headline. A first paragraph that repeats it becomes the heading.
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

/// A heading of level 1.
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
