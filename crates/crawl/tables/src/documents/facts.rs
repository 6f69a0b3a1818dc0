//! Columns of `documents` with what pages say about their rights and their product.

use super::row::Column;
use warcsieve_extract::{FactColumn, FactValue, PageView};

/// The columns. `of` returns their facts of a page.
pub fn columns<T>(
    facts: &'static [FactColumn<T>],
    of: for<'r> fn(&'r PageView<'_>) -> &'r T,
) -> impl Iterator<Item = Column> {
    facts.iter().map(
        move |&FactColumn {
                  name,
                  doc,
                  ref value,
              }| {
            match *value {
                FactValue::Text(read) => {
                    Column::maybe_text(name, doc, move |row| read(of(row.view))).sized()
                }
                FactValue::Word(read) => {
                    Column::maybe_text(name, doc, move |row| read(of(row.view)))
                }
                FactValue::Number(read) => Column::number(name, doc, move |row| read(of(row.view))),
                FactValue::Flag(read) => Column::number(name, doc, move |row| read(of(row.view))),
            }
        },
    )
}
