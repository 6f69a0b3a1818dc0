//! The `removed` table: one row for each page that a filter removes.

use super::documents::to_i64;
use super::personal::Masker;
use arrow_array::RecordBatch;
use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};
use warcsieve_extract::PageView;
use warcsieve_filters::filter::{Filters, Removal};
use warcsieve_warc::Location;

/// Its columns. `value` is what was measured, null where there is no value, `bound` what it should
/// have been.
pub static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name| Field::new(name, DataType::Utf8, false);
    Arc::new(Schema::new(vec![
        text("id"),
        text("url"),
        text("warc_filename"),
        Field::new("warc_record_offset", DataType::Int64, false),
        text("rule"),
        Field::new("value", DataType::Utf8, true),
        text("bound"),
    ]))
});

/// Collects rows of `removed`.
#[derive(Debug)]
pub(super) struct RemovedRows {
    input: String,
    offset: Int64Builder,
    /// `id`, `url`, `warc_filename`, `rule`, `value` and `bound`.
    texts: [StringBuilder; 6],
    masker: Masker,
}

impl RemovedRows {
    /// For rows of the input `name`.
    pub fn new(name: &str, filters: &Filters) -> Self {
        Self {
            masker: Masker::new(filters),
            input: name.to_owned(),
            offset: Int64Builder::new(),
            texts: Default::default(),
        }
    }

    /// Adds a page. Returns the approximate size of the row in bytes.
    pub fn push(
        &mut self,
        view: &PageView<'_>,
        location: &Location,
        filters: &Filters,
        removal: &Removal,
    ) -> usize {
        let rule = filters.rules().nth(removal.number).unwrap_or_default();
        let bound = filters.bound(removal.number);
        let (id, url) = (view.page.id.as_str(), view.page.url.as_str());
        let value = removal.value.as_deref().map(|value| match removal.is_text {
            true => self.masker.mask(value),
            false => Cow::Borrowed(value),
        });
        let value = value.as_deref();
        let row = [
            Some(id),
            Some(url),
            Some(&self.input),
            Some(rule),
            value,
            Some(bound),
        ];
        for (column, text) in self.texts.iter_mut().zip(row) {
            column.append_option(text);
        }
        self.offset.append_value(to_i64(location.offset));
        let texts = row.iter().flatten().map(|text| text.len());
        64 + texts.sum::<usize>()
    }

    /// The rows collected since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let [id, url, file, rule, value, bound] = &mut self.texts;
        let column = |texts: &mut StringBuilder| Arc::new(texts.finish());
        RecordBatch::try_new(
            SCHEMA.clone(),
            vec![
                column(id),
                column(url),
                column(file),
                Arc::new(self.offset.finish()),
                column(rule),
                column(value),
                column(bound),
            ],
        )
        .expect("the columns have the order and types of the schema")
    }
}
