//! Gold that is written into the page, as the set of Kohlschütter et al. 2010
//! (§4.2) has it: elements of class `x-nc-selN` around text, most of them spans
//! that an annotator's browser put there.
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
//! [`strip`] removes all that annotating has added, so that neither segmentation
//! nor features see it, and remembers the class of each text.

mod attributes;
mod class;
mod strip;
#[cfg(test)]
mod tests;

pub use class::{FourClass, TextClass};
pub use strip::strip;

use crate::document::Document;
use crate::html::entities::decode;
use std::ops::Range;

/// An annotated page without its annotation.
///
/// Memory: the page, and 16 bytes for each run of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The page as it was before it was annotated.
    pub html: String,
    /// The runs of text that are more than white space, in order.
    texts: Vec<Text>,
}

/// A run of text that no tag of the annotated page interrupts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    /// Where it stands in [`Annotated::html`].
    range: Range<u32>,
    /// Runs of non-white-space characters, references decoded.
    tokens: u32,
    /// By the innermost annotation around it.
    class: TextClass,
}

impl Annotated {
    /// The text that is marked as content, a line for each run that no tag interrupts.
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

    /// The class of each block of `doc`, which was segmented from
    /// [`Annotated::html`]: the one with the most tokens, of equal ones that which
    /// comes first in the block. A token that tags cut counts on each side.
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
            // Of equal ones `max_by_key` gives the last.
            let most = order.into_iter().rev().max_by_key(|c| tokens[*c as usize]);
            most.unwrap_or_default()
        });
        classes.collect()
    }
}
