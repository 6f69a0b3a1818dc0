//! Columns of `documents` with the metadata that pages state about themselves.

use super::row::{Column, masked};
use crate::masker::Masker;
use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_schema::{DataType, Field, Fields};
use std::iter;
use std::sync::Arc;
use warcsieve_extract::{MetadataField, MetadataSource};
use warcsieve_filters::filter::Filters;

/// The column with the source of each of the others.
const SOURCES: &str = "metadata_source";

/// The name that Parquet gives the parts of lists.
const ELEMENT: &str = "element";

/// A column for each of [`MetadataField::ALL`], and one for their sources. Texts are masked. All
/// columns except the tags, which may be empty, are null if the page does not state the value.
pub fn columns(filters: &Filters) -> Vec<Column> {
    let texts = MetadataField::ALL
        .into_iter()
        .filter(|f| *f != MetadataField::Tags);
    let text = |field: MetadataField| {
        masked(field.as_str(), doc(field), filters, move |row| {
            row.view.metadata().get(field)
        })
    };
    let mut columns: Vec<_> = texts.map(text).collect();
    columns.push(tags(Masker::new(filters)));
    columns.push(sources());
    columns
}

fn doc(field: MetadataField) -> &'static str {
    match field {
        MetadataField::Headline => "the title of the page, without the name of the site",
        MetadataField::Author => "who wrote it; several names are joined by `; `",
        MetadataField::Published => {
            "when it was published, in ISO 8601: `2025-09-04`, or `2025-09-04T10:15:00+02:00` where the page says the \
             time"
        }
        MetadataField::Modified => "when it was last changed, in the same form",
        MetadataField::Sitename => "the site's name",
        MetadataField::Description => "what the page is about",
        MetadataField::Canonical => "the canonical address of the page, absolute",
        MetadataField::Image => "the address of its picture, absolute",
        MetadataField::HtmlLang => "the attribute `lang` of `html`, as written",
        MetadataField::PageType => {
            "the type of the page in OpenGraph (`article`), else in schema.org (`NewsArticle`)"
        }
        MetadataField::Tags => "keywords and categories of the page; may be empty",
    }
}

fn tags(mut masker: Masker) -> Column {
    let tags = DataType::List(Arc::new(element()));
    let field = Field::new(MetadataField::Tags.as_str(), tags, false);
    let values = ListBuilder::new(StringBuilder::new()).with_field(element());
    let doc = doc(MetadataField::Tags);
    let column = Column::new(field, doc, values, move |row, lists| {
        let mut bytes = 0;
        for tag in row.view.metadata().tags() {
            bytes += tag.len();
            lists.values().append_value(masker.mask(tag));
        }
        lists.append(true);
        bytes
    });
    column.sized()
}

fn sources() -> Column {
    let fields = MetadataField::ALL.map(|field| Field::new(field.as_str(), DataType::Utf8, true));
    let fields = Fields::from(fields.to_vec());
    let field = Field::new(SOURCES, DataType::Struct(fields.clone()), false);
    let values = StructBuilder::from_fields(fields, 0);
    let doc = "for each column, the [source](../metadata.md#which-source-is-believed) of its value, or null";
    Column::new(field, doc, values, |row, sources| {
        let fields = MetadataField::ALL
            .into_iter()
            .zip(sources.field_builders_mut());
        for (field, values) in fields {
            let values = values
                .as_any_mut()
                .downcast_mut::<StringBuilder>()
                .expect("the source of each field is a text");
            values.append_option(
                row.view
                    .metadata()
                    .source(field)
                    .map(MetadataSource::as_str),
            );
        }
        sources.append(true);
        0
    })
}

/// Paths of the parts of lists and structs that hold text, as Parquet writes them.
pub fn nested() -> impl Iterator<Item = Vec<String>> {
    let path = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
    let sources = MetadataField::ALL.map(|field| path(&[SOURCES, field.as_str()]));
    iter::once(path(&[MetadataField::Tags.as_str(), "list", ELEMENT])).chain(sources)
}

fn element() -> Field {
    Field::new(ELEMENT, DataType::Utf8, false)
}
