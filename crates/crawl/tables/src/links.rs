//! The `links` table: one row for each link, or part of one, that has text.

use super::documents::to_i32;
use super::few::{FewTexts, NumberedTexts};
use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::{Float32Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::{Arc, LazyLock};
use warcsieve_extract::{PageView, each_link};

/// Its columns. `block`, `label` and `score` are those of the block that the link is in.
pub static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name| Field::new(name, DataType::Utf8, false);
    Arc::new(Schema::new(vec![
        FewTexts::field("id", false),
        text("target"),
        text("text"),
        Field::new("block", DataType::Int32, false),
        FewTexts::field("label", false),
        Field::new("score", DataType::Float32, false),
    ]))
});

/// How many links a page has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkCounts {
    /// Rows.
    pub rows: u64,
    /// Links beyond the bounds of a page.
    pub left_out: u64,
}

/// Collects rows of `links`.
#[derive(Default)]
pub(super) struct LinkRows {
    id: FewTexts,
    target: StringBuilder,
    text: StringBuilder,
    block: Int32Builder,
    label: NumberedTexts,
    score: Vec<f32>,
}

impl LinkRows {
    /// Adds the links of a page. Returns their counts, and the approximate size of the rows in bytes.
    pub fn push(&mut self, view: &PageView<'_>) -> (LinkCounts, usize) {
        let (mut rows, mut bytes, mut key) = (0, 0, None);
        let left_out = each_link(view.doc, &view.page.url, |link| {
            rows += 1;
            bytes += 32 + link.target.len() + link.text.len();
            let key = *key.get_or_insert_with(|| self.id.add(&view.page.id));
            self.id.push(key);
            self.target.append_value(link.target);
            self.text.append_value(link.text);
            self.block.append_value(to_i32(link.block));
            let label = &view.labels[link.block];
            let name = ["boilerplate", "content"][usize::from(label.content)];
            self.label.push(usize::from(label.content), name);
            self.score.push(label.score);
        });
        (LinkCounts { rows, left_out }, bytes + view.page.id.len())
    }

    /// The rows collected since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        RecordBatch::try_new(
            SCHEMA.clone(),
            vec![
                self.id.finish(),
                Arc::new(self.target.finish()),
                Arc::new(self.text.finish()),
                Arc::new(self.block.finish()),
                self.label.finish(),
                Arc::new(Float32Array::from(std::mem::take(&mut self.score))),
            ],
        )
        .expect("the columns have the order and types of the schema")
    }
}
