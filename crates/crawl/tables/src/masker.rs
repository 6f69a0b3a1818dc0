//! Masks personal data in all texts except that of the content.

use std::borrow::Cow;
use warcsieve_filters::filter::Filters;
use warcsieve_filters::personal::Finder;

/// Masks personal data in texts other than the content, if filters mask it there.
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
