//! Numbers of terms of a segment's pages.

use crate::index::fields::TextField;
use tantivy::{Result, SegmentReader};

/// The number of terms of each page in each searched field, or in all fields together if they are searched as one text.
///
/// Memory: 4 bytes per page and field. Otherwise each query would have to search a column of the index for every page.
pub(super) struct Lengths {
    fields: Vec<Vec<u32>>,
    /// The number of terms on all pages, by field of the scope.
    pub sums: Vec<u64>,
}

impl Lengths {
    /// Reads the columns of a segment. A column is missing if no page of the segment has the field.
    ///
    /// # Errors
    /// If the segment cannot be read.
    pub fn read(segment: &SegmentReader, scope: &[TextField], is_one: bool) -> Result<Self> {
        let pages = segment.max_doc() as usize;
        let mut lengths = Self {
            fields: vec![vec![0; pages]; if is_one { 1 } else { scope.len() }],
            sums: vec![0; scope.len()],
        };
        for (place, field) in scope.iter().enumerate() {
            let column = segment
                .fast_fields()
                .column_opt::<u64>(&field.length_name)?;
            let Some(column) = column.map(|column| column.first_or_default_col(0)) else {
                continue;
            };
            let of_pages = &mut lengths.fields[if is_one { 0 } else { place }];
            for (doc, length) in (0..).zip(of_pages) {
                let own = column.get_val(doc);
                lengths.sums[place] += own;
                // A page has at most 1 GiB of text.
                *length = length.saturating_add(u32::try_from(own).unwrap_or(u32::MAX));
            }
        }
        Ok(lengths)
    }

    /// The lengths of all pages in a field of the scope. If the fields are searched as one text, 0 is all of them.
    pub fn of_field(&self, place: usize) -> &[u32] {
        &self.fields[place]
    }
}
