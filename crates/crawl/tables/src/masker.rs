//! Masks personal data in all texts except that of the content.

use std::borrow::Cow;
use warcsieve_filters::filter::Filters;
use warcsieve_filters::personal::Finder;

/// How masks begin and end.
const MASK_END: &str = "|||";

/// Masks personal data in texts other than the content, if filters mask it there.
#[derive(Debug)]
pub(super) struct Masker(Option<Finder>);

impl Masker {
    pub fn new(filters: &Filters) -> Self {
        let kinds = filters.kinds(true);
        Self((!kinds.is_empty()).then(|| Finder::new(&kinds)))
    }

    /// The text of a block, masked. `of_content` is what is left of it in the text of the content, if
    /// it is there, and `reason` that of its label.
    ///
    /// Data that extends over two blocks is found only in the text of the content: there the first
    /// block has the mask, and the second is cut.
    pub fn mask_block<'t>(
        &mut self,
        text: &'t str,
        of_content: Option<&'t str>,
        reason: &str,
    ) -> Cow<'t, str> {
        let Some(finder) = &self.0 else {
            return Cow::Borrowed(text);
        };
        let mut kinds = finder.kinds().iter();
        if let Some(kind) = kinds.find(|kind| kind.why() == reason) {
            return Cow::Borrowed(kind.mask());
        }
        let masks = |text: &str| text.matches(MASK_END).count();
        let own = self.mask(text);
        let Some(content) = of_content else {
            return own;
        };
        // The first block has a mask more than its own text. Of the next, the beginning is cut.
        let is_cut = content.len() < own.len() && own.ends_with(content);
        match is_cut || masks(content) > masks(&own) {
            true => Cow::Borrowed(content),
            false => own,
        }
    }

    /// A text, masked.
    pub fn mask<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let masked = self.0.as_mut().and_then(|finder| finder.masked(text));
        masked.map_or(Cow::Borrowed(text), Cow::Owned)
    }
}
