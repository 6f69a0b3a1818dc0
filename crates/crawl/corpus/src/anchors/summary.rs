//! What a run over links counts.

use serde::Serialize;

/// What was gathered. Links = left out + elsewhere + to pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnchorSummary {
    /// Pages of the shards.
    pub pages: u64,
    /// Rows of their links.
    pub links: u64,
    /// Links that the options leave out, and those of a page to itself.
    pub links_left_out: u64,
    /// Links to addresses of no page here.
    pub links_elsewhere: u64,
    /// Links to pages here.
    pub links_to_pages: u64,
    /// Pages that others link to: rows of the table.
    pub pages_linked_to: u64,
}
