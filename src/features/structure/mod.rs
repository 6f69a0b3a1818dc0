//! Features of blocks from the structure of the whole page: what a block is made of, what stands
//! around it, and where in the page's tree it is.
//!
//! Two passes: the first over the page's elements and blocks makes records and each
//! family's sums; the second writes a row a block, in batches, so that the rows of a page of a
//! million blocks need not stand in memory together. No feature knows a word of any language but the
//! English that authors name classes in, and none the page's address.

mod comments;
mod containers;
mod enclosing;
mod heading;
mod kind;
mod markdown;
mod names;
mod page;
mod records;
mod repetition;
mod sequence;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod votes;

pub use markdown::to_markdown;
pub use names::Group;
pub use table::{FAMILIES, Family, STRUCTURE, StructureFeature};

use crate::document::Document;
use records::Records;
use std::ops::Range;

/// Computes the features of [`STRUCTURE`] for the blocks of a page.
///
/// A page takes time linear in its text, attributes, elements and blocks, but for sorting the
/// blocks' and elements' hashes. The buffers are kept from page to page.
///
/// Memory: about 300 bytes an element and 200 a block.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    records: Records,
    sequence: sequence::Sequence,
    heading: heading::Headings,
    enclosing: enclosing::Enclosing,
    containers: containers::Containers,
    votes: votes::Votes,
    repetition: repetition::Repetition,
    page: page::PageTotals,
    comments: comments::Comments,
}

impl Structure {
    /// The first pass over a page.
    pub fn read(&mut self, doc: &Document) {
        self.records.read(doc);
        let records = &self.records;
        self.sequence.read(doc, records);
        self.heading.read(doc, records);
        self.enclosing.read(doc, records);
        self.containers.read(doc, records);
        self.votes.read(doc, records, &self.containers);
        self.repetition.read(doc, records);
        self.page.read(doc, records, &self.containers);
        self.comments.read(doc, records);
    }

    /// The second pass: refills `rows` with those of some blocks of the page that was read last, in
    /// their order, each as wide as [`STRUCTURE`] and in its order.
    pub fn rows(&self, doc: &Document, blocks: Range<usize>, rows: &mut Vec<f32>) {
        rows.clear();
        let records = &self.records;
        for block in blocks {
            text::push(doc, records, block, rows);
            self.sequence.push(doc, block, rows);
            self.heading.push(doc, records, block, rows);
            self.enclosing.push(doc, records, block, rows);
            self.containers.push(doc, records, block, rows);
            self.votes.push(doc, records, block, rows);
            self.repetition.push(records, block, rows);
            self.page.push(rows);
        }
    }

    /// Whether the block stands among readers' comments: in an element whose class or id says
    /// so, that is not the whole page and holds no `h1`.
    pub fn is_comment(&self, doc: &Document, block: usize) -> bool {
        self.comments.contain(doc, block)
    }
}

/// A logarithm that is 0 at 0, the same on every machine.
fn log(value: f32) -> f32 {
    libm::log1pf(value)
}

/// A quotient of counts; 0 where the denominator is.
fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 {
        0.0
    } else {
        part as f32 / whole as f32
    }
}
