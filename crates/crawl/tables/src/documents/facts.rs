//! Columns of `documents` with what pages say about their rights and their product.

use super::row::{Column, masked};
use warcsieve_extract::{FactColumn, FactValue, PageView};
use warcsieve_filters::filter::Filters;

/// The columns. `of` returns their facts of a page.
pub fn columns<T>(
    facts: &'static [FactColumn<T>],
    filters: &Filters,
    of: for<'r> fn(&'r PageView<'_>) -> &'r T,
) -> impl Iterator<Item = Column> {
    facts.iter().map(
        move |&FactColumn {
                  name,
                  doc,
                  ref value,
              }| {
            match *value {
                FactValue::Text(read) => masked(name, doc, filters, move |row| read(of(row.view))),
                FactValue::Word(read) => {
                    Column::maybe_text(name, doc, move |row| read(of(row.view)))
                }
                FactValue::Number(read) => Column::number(name, doc, move |row| read(of(row.view))),
                FactValue::Flag(read) => Column::number(name, doc, move |row| read(of(row.view))),
            }
        },
    )
}
