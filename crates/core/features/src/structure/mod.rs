//! Features of blocks from the structure of the whole page: what a block consists of, what is
//! around it, and where it is in the page's tree.
//!
//! There are two passes. The first goes over the page's elements and blocks and computes records and the sums of each
//! family. The second writes the features of blocks in batches, so that those of a page with a million blocks are never
//! all in memory. Features do not depend on words of any language, except on the English in which authors name classes,
//! and not on the page's address. Headings of readers' comments are recognised in many languages, but are not a
//! feature.

mod columns;
mod comments;
mod feature;
mod kind;
#[cfg(test)]
mod markdown;
mod names;
mod nearest;
mod numbers;
mod page;
mod path_weights;
mod paths;
mod places;
mod records;
mod repetition;
mod sequence;
mod signs;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod votes;

pub use columns::Columns;
pub use comments::Comment;
pub use feature::StructureFeature;
pub use names::Group;
pub use path_weights::{BUCKETS, PathWeights, bucket, slot};
pub use paths::{PATH_SCORE, Paths};
pub use table::{FAMILIES, FOREST, Family, STRUCTURE, columns_without};

use columns::FamilyWriter;
use records::Records;
use std::ops::Range;
use std::sync::Arc;
use table::WIDTHS;
use warcsieve_html::document::Document;

/// Computes the features of [`FOREST`] for the blocks of a page.
///
/// A page takes time linear in its text, attributes, elements and blocks. The buffers are kept from
/// page to page, so memory is allocated only for a page larger than all before.
///
/// Memory: about 180 bytes per element that holds text, 4 per other element, and 170 per block.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    records: Records,
    sequence: sequence::Sequence,
    nearest: nearest::Nearest,
    votes: votes::Votes,
    places: places::Places,
    repetition: repetition::Repetition,
    numbers: numbers::Numbers,
    page: page::PageTotals,
    comments: comments::Comments,
    paths: paths::PathScores,
    weights: Option<Arc<PathWeights>>,
    /// By family of [`FAMILIES`]: whether its features are left out.
    is_left_out: [bool; FAMILIES.len()],
}

impl Structure {
    /// Also computes the path score, with these weights; otherwise it is 0.
    pub fn with_paths(weights: Arc<PathWeights>) -> Self {
        Self {
            weights: Some(weights),
            ..Self::default()
        }
    }

    /// Leaves out the families that have none of these features. The values of families that are left out are 0.
    pub fn only(mut self, names: &[String]) -> Self {
        let is_named = |feature: &StructureFeature| names.contains(&feature.name);
        self.is_left_out = FAMILIES.map(|family| !(family.features)().iter().any(is_named));
        self
    }

    /// The first pass over a page.
    pub fn read(&mut self, doc: &Document) {
        let weights = self.weights.as_deref();
        self.records.read(doc, weights);
        let records = &self.records;
        let [_, sequence, nearest, votes, repetition, page, _] = self.is_left_out;
        if !sequence {
            self.sequence.read(doc, records);
        }
        if !nearest {
            self.nearest.read(records);
        }
        if !votes {
            self.votes.read(doc, records);
        }
        self.places.read(records, &mut self.numbers);
        if !repetition {
            let (paths, numbers) = (self.places.paths(), &mut self.numbers);
            self.repetition.read(doc, records, paths, numbers);
        }
        if !page {
            self.page.read(doc, records);
        }
        self.places.shrink();
        if let Some(weights) = weights {
            self.paths.read(records, weights);
        }
        self.comments.read(doc, records);
    }

    /// The second pass: refills `columns` with the features of a range of blocks of the page that
    /// was read last.
    ///
    /// # Panics
    /// If the range is beyond the page's blocks or longer than [`Columns::BLOCKS`].
    pub fn columns(&self, doc: &Document, blocks: Range<usize>, columns: &mut Columns) {
        let records = &self.records;
        columns.begin(blocks.len(), FOREST.len());
        let mut families = FamilyWriter::new(columns, blocks, &*WIDTHS, &self.is_left_out);
        families.write(|block, to| text::push(doc, records, block, to));
        families.write(|block, to| self.sequence.push(doc, block, to));
        families.write(|block, to| self.nearest.push(records, block, to));
        families.write(|block, to| self.votes.push(records, block, to));
        families.write(|block, to| self.repetition.push(records, block, to));
        families.write(|_, to| self.page.push(to));
        let has_paths = self.weights.is_some();
        families.write(|block, to| {
            to.push(match has_paths {
                true => self.paths.score(records, block),
                false => 0.0,
            });
        });
    }

    /// For each block of the page that was read last, the number of its group, from 0 up. Two blocks are in one group
    /// if their containers are children of one element, or of elements with the same tags and classes from the root
    /// down. So all `h3` and `p` directly below the `li` of a list are one group.
    pub fn groups(&self) -> &[u32] {
        self.places.groups()
    }

    /// The tokens on the paths of the blocks of the page that was read last, which is `doc`.
    pub fn paths(&self, doc: &Document) -> Paths {
        Paths::of(doc, &self.records)
    }

    /// Refills `rows` with the features of a range of blocks of the page that was read last, block
    /// by block, in the order of [`FOREST`]. For a few blocks: [`Structure::columns`] is faster.
    ///
    /// # Panics
    /// If the range is beyond the page's blocks.
    pub fn rows(&self, doc: &Document, blocks: Range<usize>, rows: &mut Vec<f32>) {
        let mut columns = Columns::default();
        rows.clear();
        for start in blocks.clone().step_by(Columns::BLOCKS) {
            let end = (start + Columns::BLOCKS).min(blocks.end);
            self.columns(doc, start..end, &mut columns);
            rows.extend((0..columns.blocks()).flat_map(|block| columns.row(block)));
        }
    }

    /// The part that a block of the page that was read last has in readers' comments. Comments are in an element whose
    /// class, id or role says so. It is not inline, not in an element that is named a forum or a thread, and holds no
    /// text in an `h1` and less than 85 % of the page's words. Without such an element, comments are the blocks after
    /// an article and a heading such as "12 comments", to the end of the page. Without either, they are consecutive
    /// records with author, date and text after an article. Text that is similar to the text before it, like an answer
    /// to its question, is not a comment.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn comment(&self, doc: &Document, block: usize) -> Comment {
        self.comments.of(doc, &self.records, block)
    }
}
