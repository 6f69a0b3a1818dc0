//! Features of blocks from the structure of the whole page: what a block is made of, what stands
//! around it, and where in the page's tree it is.
//!
//! Two passes: the first over the page's elements and blocks makes records and each
//! family's sums; the second writes the features of blocks, in batches, so that those of a page of a
//! million blocks need not stand in memory together. No feature knows a word of any language but the
//! English that authors name classes in, and none the page's address.

mod columns;
mod comments;
mod kind;
#[cfg(test)]
mod markdown;
mod names;
mod nearest;
mod numbers;
mod page;
mod records;
mod repetition;
mod sequence;

mod table;
#[cfg(test)]
mod tests;
mod text;
mod votes;

pub use columns::Columns;
pub use names::Group;
pub use table::{FAMILIES, Family, STRUCTURE, StructureFeature};

use crate::document::Document;
use columns::Cursor;
use records::Records;
use std::ops::Range;

/// Computes the features of [`STRUCTURE`] for the blocks of a page.
///
/// A page takes time linear in its text, attributes, elements and blocks. The buffers are kept from
/// page to page, so that nothing is allocated but for a page greater than those before.
///
/// Memory: about 120 bytes an element that holds text, 4 any other, and 160 a block.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    records: Records,
    sequence: sequence::Sequence,
    nearest: nearest::Nearest,
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
        self.nearest.read(records);
        self.votes.read(doc, records);
        self.repetition.read(doc, records);
        self.page.read(doc, records);
        self.comments.read(records);
    }

    /// The second pass: refills `columns` with the features of some blocks of the page that was read last.
    ///
    /// # Panics
    /// If the page has no such blocks, or they are more than [`Columns::BLOCKS`].
    pub fn columns(&self, doc: &Document, blocks: Range<usize>, columns: &mut Columns) {
        let records = &self.records;
        columns.begin(blocks.len());
        let mut write = |push: &dyn Fn(usize, &mut Cursor<'_>)| columns.write(blocks.clone(), push);
        write(&|block, to| text::push(doc, records, block, to));
        write(&|block, to| self.sequence.push(doc, block, to));
        write(&|block, to| self.nearest.push(records, block, to));
        write(&|block, to| self.votes.push(records, block, to));
        write(&|block, to| self.repetition.push(records, block, to));
        write(&|_, to| self.page.push(to));
    }

    /// Refills `rows` with the features of some blocks of the page that was read last, block by block, each as
    /// wide as [`STRUCTURE`] and in its order: for those who look at a few, since [`Structure::columns`] is faster.
    ///
    /// # Panics
    /// If the page has no such blocks.
    pub fn rows(&self, doc: &Document, blocks: Range<usize>, rows: &mut Vec<f32>) {
        let mut columns = Columns::default();
        rows.clear();
        for start in blocks.clone().step_by(Columns::BLOCKS) {
            let end = (start + Columns::BLOCKS).min(blocks.end);
            self.columns(doc, start..end, &mut columns);
            rows.extend((0..columns.blocks()).flat_map(|block| columns.row(block)));
        }
    }

    /// Whether the block of the page that was read last stands among readers' comments: in an element
    /// whose class, id or role says so, that is not inline, holds no text in an `h1` and less than 85 %
    /// of the page's words.
    pub fn is_comment(&self, block: usize) -> bool {
        self.comments.contain(&self.records, block)
    }
}

/// A quotient of counts; 0 where the denominator is.
fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 {
        0.0
    } else {
        part as f32 / whole as f32
    }
}
