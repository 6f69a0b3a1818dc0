//! Gold that is written into the page, as in the data set of Kohlschütter et al. 2010 (§4.2):
//! elements of class `x-nc-selN` around text, most of them spans that the annotator's browser
//! inserted.
//!
//! | N | class |
//! |---|---|
//! | 0, or no annotation | boilerplate |
//! | 1 | headline |
//! | 2 | full text |
//! | 3 | supplemental |
//! | 4 | related content |
//! | 5 | user comments |
//!
//! [`strip()`] removes everything that the annotation added, so that it has no effect on
//! segmentation and features. It records the class of each text.

mod attributes;
mod class;
mod strip;
#[cfg(test)]
mod tests;

pub use class::{FourClass, TextClass};
pub use strip::strip;

use std::ops::Range;
use warcsieve_html::document::Document;
use warcsieve_html::entities::decode;

/// An annotated page without its annotation.
///
/// Memory: the page, and 16 bytes for each run of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The page as it was before it was annotated.
    pub html: String,
    /// The runs of text that are not only white space, in order.
    texts: Vec<Text>,
}

/// A run of text that no tag of the annotated page interrupts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    /// Its range in [`Annotated::html`].
    range: Range<u32>,
    /// Number of runs of non-white-space characters, after decoding character references.
    tokens: u32,
    /// The class of the innermost annotation around it.
    class: TextClass,
}

impl Annotated {
    /// The text that is annotated as content, one line per run that no tag interrupts.
    pub fn content(&self) -> String {
        let mut text = String::new();
        for run in self.texts.iter().filter(|t| t.class.is_content()) {
            if !text.is_empty() {
                text.push('\n');
            }
            let range = run.range.start as usize..run.range.end as usize;
            decode(&self.html[range], |piece, _| text.push_str(piece));
        }
        text
    }

    /// The class of each block of `doc`, which was segmented from [`Annotated::html`]. It is the
    /// class with the most tokens in the block; of equal ones, the one that comes first in the
    /// block. A token that a tag splits counts on both sides.
    pub fn classes(&self, doc: &Document) -> Vec<TextClass> {
        let mut texts = self.texts.iter().peekable();
        let classes = doc.blocks.iter().map(|block| {
            while texts
                .next_if(|t| t.range.end <= block.source.start)
                .is_some()
            {}
            let mut tokens = [0; TextClass::ALL.len()];
            let mut order = Vec::new();
            while let Some(text) = texts.next_if(|t| t.range.start < block.source.end) {
                if tokens[text.class as usize] == 0 {
                    order.push(text.class);
                }
                tokens[text.class as usize] += text.tokens;
            }
            // In a tie, `max_by_key` returns the last; so the order is reversed.
            let most = order.into_iter().rev().max_by_key(|c| tokens[*c as usize]);
            most.unwrap_or_default()
        });
        classes.collect()
    }
}
