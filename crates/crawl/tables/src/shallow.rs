//! The shallow features as rows of `blocks`.

use super::features::FeatureRows;
use std::ops::Range;
use warcsieve_features::{SHALLOW, Shallow};
use warcsieve_html::document::Document;

/// Rows of [`SHALLOW`] except the frequencies, for which there is no table.
pub(super) struct ShallowRows(Shallow);

fn names() -> Vec<&'static str> {
    let known = SHALLOW.iter().filter(|f| !f.needs_frequencies());
    known.map(|f| f.name).collect()
}

impl Default for ShallowRows {
    fn default() -> Self {
        Self(Shallow::new(&names()).expect("these are names of the table"))
    }
}

impl FeatureRows for ShallowRows {
    fn names(&self) -> Vec<&'static str> {
        names()
    }

    fn compute(&mut self, doc: &Document, blocks: Range<usize>) {
        self.0.compute_range(doc, blocks);
    }

    fn row(&self, block: usize) -> &[f32] {
        self.0.row(block)
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::tests::{column, names, rows};

    #[test]
    fn features_are_added_to_the_core_columns() {
        let page = "<h1>BIG news</h1><p>They met. <a href=x>More</a>";
        let batch = &rows("shallow", &[page])[0];
        let names = names(batch);
        assert_eq!(names.len(), 12 + 12 + 64 + 2);
        assert!(names.iter().all(|n| !n.contains("frequency")));
        assert_eq!(column(batch, "in_h1"), [1.0, 0.0]);
        assert_eq!(column(batch, "all_caps_words"), [1.0, 0.0]);
        assert_eq!(column(batch, "prev_words"), [0.0, 2.0]);
        assert_eq!(column(batch, "next_link_density"), [1.0 / 3.0, 0.0]);
        assert_eq!(column(batch, "words_quotient"), [0.0, 1.5]);
    }
}
