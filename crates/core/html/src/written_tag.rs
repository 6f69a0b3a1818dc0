//! A start tag as it is written in a page.

use super::names::{NameSpans, has_class};

/// A start tag, as the builder needs it.
pub(super) struct Start<'a> {
    pub name: &'a str,
    /// Its attributes as written, without white space around them.
    pub attrs: &'a str,
    pub names: NameSpans,
    pub self_closing: bool,
    /// The page that contains it; empty if the tag is not written in a page. Some rules search the
    /// whole page for features that few pages have, but only once a tag suggests such a feature.
    pub page: &'a str,
}

impl Start<'_> {
    /// Its class as written. Empty if it is [out of reach](NameSpans::REACH).
    pub fn class(&self) -> &str {
        self.names.class(self.attrs)
    }

    /// Whether one of its classes is `known`.
    pub fn has_class(&self, known: &[&str]) -> bool {
        has_class(self.class(), known)
    }

    /// A tag that is not written in the page.
    pub fn implied() -> Self {
        Self {
            name: "",
            attrs: "",
            names: NameSpans::NONE,
            self_closing: false,
            page: "",
        }
    }
}
