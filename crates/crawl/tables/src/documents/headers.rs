//! Columns of `documents` with HTTP headers that the pipeline names.

use super::row::Column;
use crate::masker::Masker;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field};
use warcsieve_filters::filter::Filters;

/// A column for each header.
pub fn columns(names: &[String], filters: &Filters) -> impl Iterator<Item = Column> {
    names.iter().enumerate().map(|(i, name)| {
        let column = format!("http_{}", name.to_ascii_lowercase().replace('-', "_"));
        let doc =
            "the HTTP header of this name, `-` written as `_`; several values are joined by `, `";
        let (field, mut masker) = (
            Field::new(column, DataType::Utf8, true),
            Masker::new(filters),
        );
        let column = Column::new(field, doc, StringBuilder::new(), move |row, texts| {
            let value = row.view.page.http_headers.get(i).and_then(Option::as_deref);
            texts.append_option(value.map(|value| masker.mask(value)));
            value.map_or(0, str::len)
        });
        column.sized()
    })
}
