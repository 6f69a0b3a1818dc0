//! The features of the page's structure as rows of `blocks`.

use super::features::FeatureRows;
use std::ops::Range;
use warcsieve_features::structure::{Columns, STRUCTURE, Structure};
use warcsieve_html::document::Document;

/// Rows of [`STRUCTURE`].
#[derive(Default)]
pub(super) struct StructureRows {
    structure: Structure,
    columns: Columns,
    rows: Vec<f32>,
    /// Block of the first row.
    first: usize,
}

impl FeatureRows for StructureRows {
    fn names(&self) -> Vec<&'static str> {
        STRUCTURE.iter().map(|f| f.name.as_str()).collect()
    }

    fn compute(&mut self, doc: &Document, blocks: Range<usize>) {
        if blocks.start == 0 {
            self.structure.read(doc);
        }
        self.first = blocks.start;
        self.structure.columns(doc, blocks, &mut self.columns);
        let row = |block| self.columns.row(block).take(STRUCTURE.len());
        let rows = (0..self.columns.blocks()).flat_map(row);
        self.rows.clear();
        self.rows.extend(rows);
    }

    fn row(&self, block: usize) -> &[f32] {
        let start = (block - self.first) * STRUCTURE.len();
        &self.rows[start..start + STRUCTURE.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::tests::{column, names, rows};
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, Int32Type};
    use warcsieve_features::structure::FOREST;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    const FIRST: &str = "<title>BIG news</title><h1>BIG news</h1><p>They met. <a href=x>More</a>";
    const SECOND: &str = "<ul class=nav><li><a href=/>Home</a><li>All<li>New</ul><p>What was it?";

    #[test]
    fn features_are_added_to_the_core_columns() {
        let batch = &rows("structure", &[FIRST])[0];
        // Three are core columns: words and the two densities.
        let own = STRUCTURE.len() - 3;
        assert_eq!(names(batch).len(), 12 + 12 + own + 2);
        let said = include_str!("../../../../docs/output/blocks.md");
        assert!(said.contains(&format!("as {own} float columns")));
        assert_eq!(column(batch, "from_h1"), [0.0, 1.0]);
        assert_eq!(column(batch, "prev_words"), [0.0, 2.0]);
        assert_eq!(column(batch, "to_nav"), [40.0, 40.0]);
        assert_eq!(column(batch, "vote_part"), [1.0, 1.0]);
    }

    #[test]
    fn each_column_holds_its_feature_page_by_page() {
        let batch = &rows("structure", &[FIRST, SECOND])[0];
        let mut expected = Vec::new();
        for page in [FIRST, SECOND] {
            let doc = segmented(page, Segmentation::Inline);
            let (mut structure, mut rows) = (Structure::default(), Vec::new());
            structure.read(&doc);
            structure.rows(&doc, 0..doc.blocks.len(), &mut rows);
            let rows = rows.chunks(FOREST.len()).map(|row| &row[..STRUCTURE.len()]);
            expected.extend(rows.flatten().copied());
        }
        for (at, feature) in STRUCTURE.iter().enumerate() {
            let values = expected.iter().skip(at).step_by(STRUCTURE.len());
            let written = batch.column_by_name(&feature.name.replace('.', "_"));
            let written = written.unwrap();
            // Counts among the core columns are integers.
            let written: Vec<f32> = match written.as_primitive_opt::<Int32Type>() {
                Some(counts) => counts.values().iter().map(|v| *v as f32).collect(),
                None => written.as_primitive::<Float32Type>().values().to_vec(),
            };
            assert!(values.eq(&written), "{}", feature.name);
        }
    }
}
