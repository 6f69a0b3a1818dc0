//! The genre of a page.

/// The classes of a genre model, indexed by [`Genre`].
pub const CLASSES: [&str; 2] = ["article", "list_view"];

/// The kind of a page (§1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Genre {
    /// The content is in one place.
    Article,
    /// The content is spread over many elements.
    ListView,
}

impl Genre {
    /// The genre of a page with this type in a gold standard: `collection` and `listing` are list
    /// views; every other type counts as an article.
    pub fn of_type(page_type: &str) -> Self {
        match page_type {
            "collection" | "listing" => Self::ListView,
            _ => Self::Article,
        }
    }
}
