//! The shallow features as columns of `blocks`.

use super::blocks::core_names;
use crate::document::Document;
use crate::features::{SHALLOW, Shallow};
use arrow_array::ArrayRef;
use arrow_array::builder::Float32Builder;
use arrow_schema::{DataType, Field};
use std::sync::Arc;

/// Blocks whose rows are computed together: of a page of a million they do not all stand
/// in memory.
const TOGETHER: usize = 1024;

/// What is written: neither what the `core` columns hold, nor frequencies, for which there
/// is no table.
fn names() -> impl Iterator<Item = &'static str> {
    SHALLOW
        .iter()
        .filter(|f| !f.needs_frequencies())
        .map(|f| f.name)
        .filter(|name| core_names().all(|core| core != *name))
}

/// The columns. A name with a point would need quotes in SQL: `prev.words` is `prev_words`.
pub(super) fn fields() -> impl Iterator<Item = Field> {
    names().map(|name| Field::new(name.replace('.', "_"), DataType::Float32, false))
}

/// Collects values of the columns.
pub(super) struct ShallowColumns {
    features: Shallow,
    values: Vec<Float32Builder>,
}

impl ShallowColumns {
    pub fn new() -> Self {
        let names: Vec<_> = names().collect();
        Self {
            features: Shallow::new(&names).expect("these are names of the table"),
            values: names.iter().map(|_| Float32Builder::new()).collect(),
        }
    }

    /// Adds block `i` of a page, whose blocks come in order from 0. Returns the bytes it takes.
    pub fn push(&mut self, doc: &Document, i: usize) -> usize {
        if i.is_multiple_of(TOGETHER) {
            self.features.compute_range(doc, i..i + TOGETHER);
        }
        let row = self.features.row(i);
        for (column, value) in self.values.iter_mut().zip(row) {
            column.append_value(*value);
        }
        size_of_val(row)
    }

    /// The values collected since the last call.
    pub fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        self.values
            .iter_mut()
            .map(|column| -> ArrayRef { Arc::new(column.finish()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::Cleaner;
    use crate::config::Pipeline;
    use crate::sink::{RowBuilder, Rows};
    use crate::warc::{Location, Record};
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Float32Type;

    fn rows(page: &str) -> Vec<RecordBatch> {
        let text = "features = 'shallow'\n[[step]]\nmethod = 'keep-all'\n";
        let pipeline = Arc::new(Pipeline::parse("test", text).unwrap());
        let mut cleaner = Cleaner::new(pipeline.clone());
        let mut rows = RowBuilder::new("x", &pipeline, cleaner.names());
        let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
        let record = Record::from_parts(&headers, page.as_bytes());
        let cleaned = cleaner.clean("x", &record).ok().unwrap();
        let mut parts = Vec::new();
        let mut full = |rows: Rows| {
            parts.push(rows.blocks.unwrap());
            Ok(())
        };
        rows.push(&cleaned, &Location::default(), &mut full)
            .unwrap();
        parts.push(rows.finish().blocks.unwrap());
        parts
    }

    fn column(batch: &RecordBatch, name: &str) -> Vec<f32> {
        let column = batch.column_by_name(name).unwrap();
        column.as_primitive::<Float32Type>().values().to_vec()
    }

    #[test]
    fn features_stand_beside_the_core_columns() {
        let batch = &rows("<h1>BIG news</h1><p>They met. <a href=x>More</a>")[0];
        let names: Vec<_> = batch
            .schema()
            .fields()
            .iter()
            .map(|f| f.name().clone())
            .collect();
        assert_eq!(names.len(), 12 + 10 + 64);
        assert!(
            names
                .iter()
                .all(|n| !n.contains('.') && !n.contains("frequency"))
        );
        assert_eq!(names.iter().filter(|n| *n == "words").count(), 1);
        assert_eq!(column(batch, "in_h1"), [1.0, 0.0]);
        assert_eq!(column(batch, "all_caps_words"), [1.0, 0.0]);
        assert_eq!(column(batch, "prev_words"), [0.0, 2.0]);
        assert_eq!(column(batch, "next_link_density"), [1.0 / 3.0, 0.0]);
        assert_eq!(column(batch, "words_quotient"), [0.0, 1.5]);
    }

    #[test]
    fn rows_of_a_large_page_go_on_over_pieces() {
        let blocks = 3 * TOGETHER * 10;
        let page: String = (0..blocks)
            .map(|i| format!("<p>{}", "a ".repeat(1 + i % 5)))
            .collect();
        let batches = rows(&page);
        assert!(batches.len() > 1);
        let bytes = batches[0].get_array_memory_size();
        assert!(bytes < 2 * RowBuilder::LIMIT, "{bytes} bytes in a piece");
        let all = |name| -> Vec<f32> { batches.iter().flat_map(|b| column(b, name)).collect() };
        let words = (0..blocks).map(|i| (1 + i % 5) as f32);
        let moved: Vec<_> = std::iter::once(0.0).chain(words).take(blocks).collect();
        assert!(all("prev_words") == moved);
        assert_eq!(
            all("absolute_position").last(),
            Some(&((blocks - 1) as f32))
        );
    }
}
