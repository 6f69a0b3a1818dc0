//! Counts of a run over links.

use serde::Serialize;

/// What was gathered. links = left out + elsewhere + to pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnchorSummary {
    /// Number of pages in the shards.
    pub pages: u64,
    /// Number of links in the shards.
    pub links: u64,
    /// Links that the options leave out, and links of a page to itself.
    pub links_left_out: u64,
    /// Links to addresses that no page in the shards has.
    pub links_elsewhere: u64,
    /// Links to pages in the shards.
    pub links_to_pages: u64,
    /// Number of pages that other pages link to, which is the number of rows of the table.
    pub pages_linked_to: u64,
}
