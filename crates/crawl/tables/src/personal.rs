//! Personal data in tables: how much there is, and masks in what is not the content's text.

use super::documents::to_i32;
use arrow_array::ArrayRef;
use arrow_array::builder::Int32Builder;
use arrow_schema::{DataType, Field};
use std::borrow::Cow;
use std::sync::Arc;
use warcsieve_extract::PageView;
use warcsieve_filters::filter::Filters;
use warcsieve_filters::personal::{Finder, Kind};

/// Columns of `documents`: how many of each kind that filters look for a page had.
#[derive(Debug)]
pub(super) struct PersonalRows(Vec<Int32Builder>);

impl PersonalRows {
    pub fn new(filters: &Filters) -> Self {
        let kinds = filters.kinds(false).into_iter();
        Self(kinds.map(|_| Int32Builder::new()).collect())
    }

    pub fn fields(filters: &Filters) -> impl Iterator<Item = Field> {
        let kinds = filters.kinds(false).into_iter();
        kinds.map(|kind| {
            let name = match kind {
                Kind::Email => "n_emails",
                Kind::Ip => "n_ips",
                Kind::Phone => "n_phones",
            };
            Field::new(name, DataType::Int32, false)
        })
    }

    /// Adds a page. Returns the size of its values in bytes.
    pub fn push(&mut self, page: &PageView<'_>) -> usize {
        for (column, (_, n)) in self.0.iter_mut().zip(page.personal()) {
            column.append_value(to_i32(usize::try_from(n).unwrap_or(usize::MAX)));
        }
        4 * self.0.len()
    }

    pub fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        let columns = self.0.iter_mut();
        columns.map(|column| -> ArrayRef { Arc::new(column.finish()) })
    }
}

/// Masks personal data in texts beside the content's, where filters mask it there.
#[derive(Debug)]
pub(super) struct Masker(Option<Finder>);

impl Masker {
    pub fn new(filters: &Filters) -> Self {
        let kinds = filters.kinds(true);
        Self((!kinds.is_empty()).then(|| Finder::new(&kinds)))
    }

    /// A text, masked.
    pub fn mask<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let masked = self.0.as_mut().and_then(|finder| finder.masked(text));
        masked.map_or(Cow::Borrowed(text), Cow::Owned)
    }
}
