//! The data of a row of `documents`.

use crate::columns::{self, Table};
use crate::masker::Masker;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field};
use warcsieve_extract::PageView;
use warcsieve_filters::filter::Filters;
use warcsieve_warc::Location;

/// The `documents` table: one row per page.
pub struct Documents;

/// A page, and where it comes from.
pub struct Row<'a> {
    /// The input's path below `--base`.
    pub input: &'a str,
    pub location: &'a Location,
    pub view: &'a PageView<'a>,
}

impl Table for Documents {
    type Row<'a> = Row<'a>;
}

/// A column of the table.
pub type Column = columns::Column<Documents>;

/// A column of texts that may be null, in which personal data is masked if the filters mask it.
pub fn masked(
    name: &str,
    doc: &'static str,
    filters: &Filters,
    read: impl for<'r> Fn(&'r Row<'_>) -> Option<&'r str> + Send + 'static,
) -> Column {
    let mut masker = Masker::new(filters);
    let field = Field::new(name, DataType::Utf8, true);
    let column = Column::new(field, doc, StringBuilder::new(), move |row, texts| {
        let text = read(row);
        texts.append_option(text.map(|text| masker.mask(text)));
        text.map_or(0, str::len)
    });
    column.sized()
}
