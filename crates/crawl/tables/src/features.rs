//! A set of features as float columns of `blocks`.

use super::blocks::core_names;
use super::shallow::ShallowRows;
use super::structure::StructureRows;
use arrow_array::ArrayRef;
use arrow_array::builder::Float32Builder;
use arrow_schema::{DataType, Field};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_extract::FeatureSet;
use warcsieve_features::structure::Columns;
use warcsieve_html::document::Document;

/// Number of blocks whose rows are computed together, so that those of a page of a million blocks
/// are not all in memory at once.
const TOGETHER: usize = Columns::BLOCKS;

/// Computes a set of features, one row per block.
pub(super) trait FeatureRows: Send {
    /// Names of a row's values.
    fn names(&self) -> Vec<&'static str>;

    /// Computes the rows of some blocks. A range from 0 begins a page; others continue it.
    fn compute(&mut self, doc: &Document, blocks: Range<usize>);

    /// The row of a block of those computed last.
    fn row(&self, block: usize) -> &[f32];
}

/// Collects values of the columns.
pub(super) struct FeatureColumns {
    rows: Box<dyn FeatureRows>,
    columns: Vec<Column>,
}

struct Column {
    name: String,
    /// Index of its value in a row.
    at: usize,
    values: Float32Builder,
}

impl FeatureColumns {
    /// The columns that a set has besides the `core` columns, if any. A name with a point would
    /// need quotes in SQL, so `prev.words` becomes `prev_words`.
    pub fn of(set: FeatureSet) -> Option<Self> {
        let rows: Box<dyn FeatureRows> = match set {
            FeatureSet::None | FeatureSet::Core => return None,
            FeatureSet::Shallow => Box::<ShallowRows>::default(),
            FeatureSet::Structure => Box::<StructureRows>::default(),
        };
        let names = rows.names().into_iter().enumerate();
        let new = names.filter(|(_, name)| core_names().all(|core| core != *name));
        let column = |(at, name): (usize, &str)| Column {
            name: name.replace('.', "_"),
            at,
            values: Float32Builder::new(),
        };
        Some(Self {
            columns: new.map(column).collect(),
            rows,
        })
    }

    /// The columns.
    pub fn fields(&self) -> impl Iterator<Item = Field> {
        let names = self.columns.iter().map(|c| &c.name);
        names.map(|name| Field::new(name, DataType::Float32, false))
    }

    /// Adds block `i` of a page; the blocks of a page are added in order from 0. Returns the size
    /// of the values in bytes.
    pub fn push(&mut self, doc: &Document, i: usize) -> usize {
        if i.is_multiple_of(TOGETHER) {
            let end = (i + TOGETHER).min(doc.blocks.len());
            self.rows.compute(doc, i..end);
        }
        let row = self.rows.row(i);
        for column in &mut self.columns {
            column.values.append_value(row[column.at]);
        }
        self.columns.len() * size_of::<f32>()
    }

    /// The values collected since the last call.
    pub fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        self.columns
            .iter_mut()
            .map(|column| -> ArrayRef { Arc::new(column.values.finish()) })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{RowBuilder, Rows};
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Float32Type;
    use std::collections::BTreeSet;
    use warcsieve_extract::{Engine, Pipeline};
    use warcsieve_warc::{Location, Record};

    /// The rows of `blocks` for these pages with a set of features, in the batches they are handed
    /// on in.
    pub fn rows(features: &str, pages: &[&str]) -> Vec<RecordBatch> {
        let text = format!("features = '{features}'\n[[step]]\nmethod = 'keep-all'\n");
        let pipeline = Arc::new(Pipeline::parse(&warcsieve_classify::CORE, "test", &text).unwrap());
        let mut engine = Engine::new(&pipeline);
        let mut rows = RowBuilder::new("x", &pipeline, engine.names());
        let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
        let mut parts = Vec::new();
        let mut full = |rows: Rows| {
            parts.push(rows.blocks.unwrap());
            Ok(())
        };
        for page in pages {
            let record = Record::from_parts(&headers, page.as_bytes());
            let view = engine.record("x", &record).ok().unwrap();
            rows.push(&view, &Location::default(), &mut full).unwrap();
        }
        parts.push(rows.finish().blocks.unwrap());
        parts
    }

    /// Names of all columns.
    pub fn names(batch: &RecordBatch) -> Vec<String> {
        let schema = batch.schema();
        schema.fields().iter().map(|f| f.name().clone()).collect()
    }

    /// The values of a column of floats.
    pub fn column(batch: &RecordBatch, name: &str) -> Vec<f32> {
        let column = batch.column_by_name(name).unwrap();
        column.as_primitive::<Float32Type>().values().to_vec()
    }

    #[test]
    fn names_are_unique_and_need_no_quotes() {
        for set in ["shallow", "structure"] {
            let names = names(&rows(set, &["<p>a"])[0]);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(names.iter().all(|n| n.chars().all(plain)), "{names:?}");
            assert_eq!(BTreeSet::from_iter(&names).len(), names.len(), "{set}");
        }
    }

    #[test]
    fn rows_of_a_large_page_continue_over_batches() {
        let blocks = 120 * TOGETHER;
        let page: String = (0..blocks)
            .map(|i| format!("<p>{}", "a ".repeat(1 + i % 5)))
            .collect();
        for (set, index) in [("shallow", "absolute_position"), ("structure", "index")] {
            let batches = rows(set, &[&page]);
            assert!(batches.len() > 1);
            let bytes = batches[0].get_array_memory_size();
            assert!(bytes < 2 * RowBuilder::LIMIT, "{bytes} bytes in a piece");
            let all = |name| -> Vec<f32> { batches.iter().flat_map(|b| column(b, name)).collect() };
            let words = (0..blocks).map(|i| (1 + i % 5) as f32);
            let moved: Vec<_> = std::iter::once(0.0).chain(words).take(blocks).collect();
            assert!(all("prev_words") == moved, "{set}");
            assert_eq!(all(index).last(), Some(&((blocks - 1) as f32)), "{set}");
        }
    }
}
