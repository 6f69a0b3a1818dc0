//! Postings of a term: pages in order, merged over the searched fields.

use crate::index::fields::TextField;
use std::sync::Arc;
use tantivy::columnar::ColumnValues;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Result, SegmentReader, TERMINATED, Term};

/// The pages of a segment that contain a term, ascending, with frequencies.
pub struct TermPostings {
    /// The postings of each field that contains the term, with the field's place in the scope.
    fields: Vec<(usize, SegmentPostings)>,
    doc: DocId,
}

impl TermPostings {
    /// The postings of a term; at the first page, or at [`TERMINATED`] if there is none.
    ///
    /// # Errors
    /// If the segment cannot be read.
    pub fn open(segment: &SegmentReader, scope: &[TextField], term: &str) -> Result<Self> {
        let mut fields = Vec::new();
        for (place, field) in scope.iter().enumerate() {
            let index = segment.inverted_index(field.field)?;
            let term = Term::from_field_text(field.field, term);
            let postings = index.read_postings(&term, IndexRecordOption::WithFreqs)?;
            fields.extend(postings.map(|postings| (place, postings)));
        }
        let doc = first(&fields);
        Ok(Self { fields, doc })
    }

    /// The current page.
    pub fn doc(&self) -> DocId {
        self.doc
    }

    /// The frequency of the term on the current page.
    pub fn frequency(&self) -> u32 {
        self.places().map(|(_, frequency)| frequency).sum()
    }

    /// The frequency of the term in each field of the current page that has it.
    pub fn places(&self) -> impl Iterator<Item = (usize, u32)> {
        let at_hand = self.fields.iter().filter(|(_, p)| p.doc() == self.doc);
        at_hand.map(|(place, postings)| (*place, postings.term_freq()))
    }

    /// Moves to the next page.
    pub fn advance(&mut self) {
        for (_, field) in &mut self.fields {
            if field.doc() == self.doc && self.doc != TERMINATED {
                field.advance();
            }
        }
        self.doc = first(&self.fields);
    }
}

fn first(fields: &[(usize, SegmentPostings)]) -> DocId {
    let docs = fields.iter().map(|(_, postings)| postings.doc());
    docs.min().unwrap_or(TERMINATED)
}

/// The number of terms in the searched fields, for each page of a segment.
///
/// If no page of a segment has a field, the segment has no column for it.
pub struct Lengths(Vec<Option<Arc<dyn ColumnValues<u64>>>>);

impl Lengths {
    /// The columns of lengths.
    ///
    /// # Errors
    /// If the segment cannot be read.
    pub fn open(segment: &SegmentReader, scope: &[TextField]) -> Result<Self> {
        let column = |f: &TextField| {
            let column = segment.fast_fields().column_opt::<u64>(&f.length_name)?;
            Ok(column.map(|c| c.first_or_default_col(0)))
        };
        let columns: Result<Vec<_>> = scope.iter().map(column).collect();
        Ok(Self(columns?))
    }

    /// Number of terms of a page.
    pub fn of(&self, doc: DocId) -> u64 {
        self.each(doc).sum()
    }

    /// Number of terms of each field of a page.
    pub fn each(&self, doc: DocId) -> impl Iterator<Item = u64> {
        let columns = self.0.iter();
        columns.map(move |column| column.as_ref().map_or(0, |column| column.get_val(doc)))
    }
}
