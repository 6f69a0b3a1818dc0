//! The `removed` table: one row for each page that a filter removes.

use super::builders::to_i64;
use super::columns::{self, Table, schema_of};
use super::masker::Masker;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field, SchemaRef};
use std::borrow::Cow;
use warcsieve_extract::PageView;
use warcsieve_filters::filter::{Filters, Removal};
use warcsieve_warc::Location;

/// The table.
pub(super) struct Removed;

/// A page, where it comes from, and why it is removed.
pub(super) struct Row<'a> {
    /// The input's path below `--base`.
    pub input: &'a str,
    pub location: &'a Location,
    pub view: &'a PageView<'a>,
    pub removal: &'a Removal,
}

impl Table for Removed {
    type Row<'a> = Row<'a>;
}

type Column = columns::Column<Removed>;

/// Bytes of a row without the values of sized columns.
pub(super) const ROW_BYTES: usize = 64;

/// The columns.
pub(super) fn columns(filters: &Filters) -> Vec<Column> {
    let bounds = filters.clone();
    vec![
        Column::text(
            "id",
            "the page, as in [`documents`](output/documents.md)",
            |row| &row.view.page.id,
        )
        .sized(),
        Column::text("url", "its address, as there", |row| &row.view.page.url).sized(),
        Column::text("warc_filename", "the input's name", |row| row.input).sized(),
        Column::number(
            "warc_record_offset",
            "where it is in the input, as in `documents`",
            |row| to_i64(row.location.offset),
        ),
        Column::text(
            "rule",
            "the rule, as written in the pipeline file or in the preset",
            |row| row.view.removing_rule().unwrap_or_default(),
        )
        .sized(),
        value(Masker::new(filters)),
        Column::new(
            Field::new("bound", DataType::Utf8, false),
            "the value or values that the rule allows",
            StringBuilder::new(),
            move |row, texts| {
                let bound = bounds.bound(row.removal.number);
                texts.append_value(bound);
                bound.len()
            },
        )
        .sized(),
    ]
}

fn value(mut masker: Masker) -> Column {
    let field = Field::new("value", DataType::Utf8, true);
    let doc = "what was measured; null if there is no value";
    let column = Column::new(field, doc, StringBuilder::new(), move |row, texts| {
        let value = row.removal.value.as_deref();
        let value = value.map(|value| match row.removal.is_text {
            true => masker.mask(value),
            false => Cow::Borrowed(value),
        });
        texts.append_option(value.as_deref());
        value.map_or(0, |value| value.len())
    });
    column.sized()
}

/// Fields of the table.
pub(super) fn schema(filters: &Filters) -> SchemaRef {
    schema_of(&columns(filters))
}
