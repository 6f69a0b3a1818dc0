//! Which records are pages, and how large pages may be.

use serde::{Deserialize, Serialize};
use warcsieve_warc::RecordType;

/// Which records count as pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOptions {
    /// Record types that can be pages. Default: `response` and `resource`.
    pub records: Vec<PageRecord>,
    /// Accept pages of any HTTP status; by default only 200 to 299.
    pub any_status: bool,
    /// Accept payloads of any media type and read them as HTML (plain text stays text); by default
    /// only HTML, XHTML and plain text.
    pub any_content_type: bool,
    /// Largest page in bytes, as stored, as decoded and in UTF-8. Default: 16 MiB.
    pub max_page_bytes: usize,
    /// Names of HTTP headers that are read for [`Page::http_headers`](crate::Page::http_headers).
    /// Default: none.
    pub http_headers: Vec<String>,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self {
            records: vec![PageRecord::Response, PageRecord::Resource],
            any_status: false,
            any_content_type: false,
            max_page_bytes: 16 << 20,
            http_headers: Vec::new(),
        }
    }
}

impl PageOptions {
    /// Whether records of this type can be pages. Records of other types are counted by type
    /// and never become a [`Skip`](crate::Skip).
    pub fn selects(&self, record_type: &RecordType) -> bool {
        self.records.iter().any(|selected| {
            matches!(
                (selected, record_type),
                (PageRecord::Response, RecordType::Response)
                    | (PageRecord::Resource, RecordType::Resource)
                    | (PageRecord::Conversion, RecordType::Conversion)
            )
        })
    }
}

/// Record types that can hold a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageRecord {
    /// An HTTP response.
    Response,
    /// A payload without an HTTP header.
    Resource,
    /// A payload that was converted from another record's.
    Conversion,
}
