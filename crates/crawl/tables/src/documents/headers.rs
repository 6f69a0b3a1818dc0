//! Columns of `documents` with HTTP headers that the pipeline names.

use super::row::{Column, masked};
use warcsieve_filters::filter::Filters;

/// A column for each header.
pub fn columns(names: &[String], filters: &Filters) -> impl Iterator<Item = Column> {
    names.iter().enumerate().map(|(i, name)| {
        let column = format!("http_{}", name.to_ascii_lowercase().replace('-', "_"));
        let doc =
            "the HTTP header of this name, `-` written as `_`; several values are joined by `, `";
        masked(&column, doc, filters, move |row| {
            row.view.page.http_headers.get(i)?.as_deref()
        })
    })
}
