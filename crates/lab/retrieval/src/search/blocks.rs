//! Postings of a term, decoded in blocks.

use crate::index::fields::TextField;
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, Result, SegmentReader, Term};

/// A page of a window that has a term in a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    /// Number of the page in the window.
    pub slot: u32,
    /// The place of the field in the scope.
    pub place: u32,
    /// How often the term occurs there, at least once.
    pub frequency: u32,
}

/// The pages of a segment that have a term in a field, ascending.
pub(super) struct Blocks {
    place: u32,
    blocks: BlockSegmentPostings,
    /// How many pages of the current block were read.
    at: usize,
}

impl Blocks {
    /// The postings of a term in each field that has it, in the order of the scope.
    ///
    /// # Errors
    /// If the segment cannot be read.
    pub fn open(segment: &SegmentReader, scope: &[TextField], term: &str) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        for (place, field) in (0..).zip(scope) {
            let index = segment.inverted_index(field.field)?;
            let term = Term::from_field_text(field.field, term);
            let blocks = index.read_block_postings(&term, IndexRecordOption::WithFreqs)?;
            let own = |blocks| Self {
                place,
                blocks,
                at: 0,
            };
            found.extend(blocks.map(own));
        }
        Ok(found)
    }

    /// The next page; `None` at the end.
    pub fn doc(&self) -> Option<DocId> {
        self.blocks.docs().get(self.at).copied()
    }

    /// The place of the field in the scope.
    pub fn place(&self) -> usize {
        self.place as usize
    }

    /// Appends the postings of the next pages in the window of `size` pages that begins at `begin`.
    pub fn read_to(&mut self, begin: DocId, size: u32, postings: &mut Vec<Posting>) {
        while let Some(docs) = self.blocks.docs().get(self.at..).filter(|d| !d.is_empty()) {
            let within = match docs.last() {
                Some(last) if last - begin < size => docs.len(),
                _ => docs.partition_point(|doc| doc - begin < size),
            };
            let frequencies = &self.blocks.freqs()[self.at..];
            let place = self.place;
            let read = docs[..within].iter().zip(frequencies);
            postings.extend(read.map(|(doc, &frequency)| Posting {
                slot: doc - begin,
                place,
                frequency,
            }));
            if within < docs.len() {
                self.at += within;
                return;
            }
            self.at = 0;
            self.blocks.advance();
        }
    }

    /// Calls `take` with each page and the frequency of the term in it.
    pub fn each(mut self, mut take: impl FnMut(DocId, u32)) {
        while !self.blocks.docs().is_empty() {
            let pages = self.blocks.docs().iter().zip(self.blocks.freqs());
            pages.for_each(|(doc, frequency)| take(*doc, *frequency));
            self.blocks.advance();
        }
    }
}
