//! Writes a document as a few texts per block, and restores it from these. Tables store the
//! elements of a page in this form.
//!
//! The *tree* of a block says what begins and ends between the text before it and its own text, and
//! inside it. `<div` begins an element, `>` ends the innermost one, and `.` is a run of text in it.
//! If there are several runs, each except the last is followed by its length in bytes. So the tree
//! of `<p>one <b>two</b> three` is `<html<body<p.4<b.4>.`: a space belongs to the run before it.
//! The end of an element is written where the next element begins. Whatever follows the last block
//! belongs to that block. In `pre`, `_3` says that three bytes of the block's *preformatted* text
//! are between the block before and this one.
//!
//! The *attributes* are those of the elements that begin in the tree. The first line has, for each
//! element with attributes, its number among these elements and the length of its attributes, as in
//! `0:9 2:12`. After the line end come all attributes as written.

mod restore;

pub use restore::{Broken, OutlineBlock, Restorer};

use crate::document::Document;
use crate::tree::ElementId;

/// Writes outlines, block by block. Each block replaces the contents of the buffers.
///
/// Takes time linear in the page's elements and runs. Memory: 4 bytes per open element, and the
/// outline of a block.
#[derive(Debug, Default)]
pub struct Outline {
    /// The tree of the last block.
    pub tree: String,
    /// The attributes of the elements that begin in it; empty if none has any.
    pub attributes: String,
    /// The white space before the block and its text, if it is preformatted.
    pub preformatted: Option<String>,
    /// Open elements, the root first.
    stack: Vec<ElementId>,
    /// Elements that began so far.
    begun: ElementId,
    /// Runs so far.
    runs: usize,
    /// Where the last preformatted block ends.
    preformatted_end: usize,
}

impl Outline {
    /// Replaces the outline by that of block `i`. The blocks of a page come in order from 0.
    pub fn block(&mut self, doc: &Document, i: usize) {
        let first = self.tags(doc, i);
        self.write_attributes(doc, first);
    }

    /// As [`block`](Self::block), without the attributes, which cost more than everything else.
    /// Returns the first element that was not in an outline before.
    pub fn tags(&mut self, doc: &Document, i: usize) -> ElementId {
        if i == 0 {
            self.stack.clear();
            (self.begun, self.runs, self.preformatted_end) = (0, 0, 0);
        }
        self.tree.clear();
        self.attributes.clear();
        self.preformatted = None;
        let first = self.begun;
        let end = doc.blocks[i].text.end;
        while let Some(run) = doc.runs.get(self.runs).filter(|run| run.start < end) {
            self.begin_up_to(doc, run.next);
            self.end_down_to(run.element);
            self.runs += 1;
            self.tree.push('.');
            if let Some(next) = doc.runs.get(self.runs).filter(|next| next.start < end) {
                number(&mut self.tree, (next.start - run.start) as usize);
            }
        }
        if i + 1 == doc.blocks.len() {
            self.begin_up_to(doc, doc.tree.elements.len() as ElementId);
        }
        if let Some(range) = doc.preformatted.range(i) {
            self.tree.push('_');
            number(&mut self.tree, range.start - self.preformatted_end);
            let text = &doc.preformatted.text[self.preformatted_end..range.end];
            self.preformatted = Some(text.to_owned());
            self.preformatted_end = range.end;
        }
        first
    }

    /// Begins all elements before `next`.
    fn begin_up_to(&mut self, doc: &Document, next: ElementId) {
        for id in self.begun..next {
            let element = &doc.tree.elements[id as usize];
            if id > 0 {
                self.end_down_to(element.parent);
            }
            self.stack.push(id);
            self.tree.push_str(element.tag.opened());
        }
        self.begun = self.begun.max(next);
    }

    /// Ends elements until this one is the innermost open element.
    fn end_down_to(&mut self, element: ElementId) {
        while self.stack.len() > 1 && self.stack.last() != Some(&element) {
            self.stack.pop();
            self.tree.push('>');
        }
    }

    fn write_attributes(&mut self, doc: &Document, first: ElementId) {
        let begun = &doc.tree.elements[first as usize..self.begun as usize];
        let some = || {
            begun
                .iter()
                .enumerate()
                .filter(|(_, e)| !e.attrs.is_empty())
        };
        for (at, element) in some() {
            if !self.attributes.is_empty() {
                self.attributes.push(' ');
            }
            number(&mut self.attributes, at);
            self.attributes.push(':');
            number(&mut self.attributes, element.attrs.range().len());
        }
        if !self.attributes.is_empty() {
            self.attributes.push('\n');
            for (_, element) in some() {
                self.attributes.push_str(doc.attributes(element));
            }
        }
    }
}

/// Appends a number. Most numbers have one or two digits, for which formatting would be slower.
fn number(text: &mut String, n: usize) {
    if n >= 10 {
        number(text, n / 10);
    }
    text.push(char::from(b'0' + (n % 10) as u8));
}

#[cfg(test)]
pub(crate) mod tests;
