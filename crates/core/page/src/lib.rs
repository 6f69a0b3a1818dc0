//! Reads a page from a record: the payload, decoded to UTF-8, and its metadata.

mod auxiliary;
pub mod charset;
mod date;
mod media_type;
mod options;
mod reader;
#[cfg(test)]
mod tests;
mod warning;

pub use date::{parse as parse_date, rfc3339};
pub use options::{PageOptions, PageRecord};
pub use reader::{PageReader, page_id};
pub use warning::WARNINGS;

use crate::charset::CharsetSource;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A page ready for segmentation. Borrows from the record and from the
/// reader's buffers.
#[derive(Clone, Debug)]
pub struct Page<'r> {
    /// `WARC-TREC-ID` or `ClueWeb22-ID` if there is one, else the record id
    /// without its angle brackets. Empty if the record has none, as in ARC.
    pub id: String,
    /// `WARC-Record-ID` as written; empty if absent.
    pub record_id: String,
    /// Target URI, without the `<…>` that some writers put around it.
    pub url: String,
    /// `WARC-Date` in microseconds since 1970 UTC; `None` if absent or impossible.
    pub date: Option<i64>,
    /// HTTP status; `None` if the body has no HTTP header.
    pub status: Option<u16>,
    /// `WARC-Payload-Digest` as written.
    pub digest: Option<String>,
    /// Media type from the header, or else sniffed; in lower case, without parameters.
    pub mime: String,
    /// What kind of text the payload is.
    pub kind: PageKind,
    /// The payload in UTF-8, without a byte order mark.
    pub payload: &'r str,
    /// WHATWG name of the payload's original encoding.
    pub charset: &'static str,
    /// How the encoding was found.
    pub charset_source: CharsetSource,
    /// `WARC-Truncated` as written; else `segmented` if the crawler put the rest into other records,
    /// which are not read; else `cut_off`, `cut_transfer_encoding` or
    /// `cut_content_encoding` if reading stopped early for that reason.
    pub truncated: Option<String>,
    /// `WARC-Identified-Content-Language` as written: what the crawler found.
    pub language: Option<String>,
    /// The values of the HTTP header `X-Robots-Tag`, in order.
    pub x_robots_tag: Vec<String>,
    /// The HTTP header `TDM-Reservation`.
    pub tdm_reservation: Option<String>,
    /// The values of the headers in [`PageOptions::http_headers`], in that order. Several values of
    /// a header are joined by `, `. `None` if the page was served without it.
    pub http_headers: Vec<Option<String>>,
    /// Flaws that did not prevent reading the page: words of [`WARNINGS`], sorted, each once.
    pub warnings: Vec<&'static str>,
}

impl<'r> Page<'r> {
    /// A page given as HTML, at an address that may be empty.
    pub fn of_html(html: &'r str, url: &str) -> Self {
        Self {
            id: String::new(),
            record_id: String::new(),
            url: url.to_owned(),
            date: None,
            status: None,
            digest: None,
            mime: "text/html".to_owned(),
            kind: PageKind::Html,
            payload: html,
            charset: "UTF-8",
            charset_source: CharsetSource::Utf8,
            truncated: None,
            language: None,
            x_robots_tag: Vec::new(),
            tdm_reservation: None,
            http_headers: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// How a payload is segmented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// HTML or XHTML.
    Html,
    /// Plain text: a block per paragraph.
    Text,
}

/// Why a selected record is not processed. Every reason is a counter in the
/// manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// An auxiliary record of a crawler: the text or a picture of a page, lists, logs.
    NotAPage,
    /// The pipeline does not accept this HTTP status.
    Status,
    /// The pipeline does not accept this type of payload.
    ContentType,
    /// The page is larger than `max_page_bytes`, as stored, as decoded or in UTF-8,
    /// or has more elements or blocks than `max_elements`.
    TooLarge,
    /// The tokenizer failed on the page.
    Tokenizer,
    /// Processing the page panicked: an error in this program. The panic was caught.
    Panicked,
}

impl SkipReason {
    /// All reasons, in the order in which they are checked and reported.
    pub const ALL: [Self; 6] = [
        Self::NotAPage,
        Self::Status,
        Self::ContentType,
        Self::TooLarge,
        Self::Tokenizer,
        Self::Panicked,
    ];

    /// Whether there was a problem with the page. `false` if the pipeline just does not select it.
    pub fn is_fault(self) -> bool {
        !matches!(self, Self::NotAPage | Self::Status | Self::ContentType)
    }

    /// The stable word of manifests and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotAPage => "not_a_page",
            Self::Status => "status",
            Self::ContentType => "content_type",
            Self::TooLarge => "too_large",
            Self::Tokenizer => "tokenizer",
            Self::Panicked => "panicked",
        }
    }
}

/// A page that was not processed: the reason, and the details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// The reason under which it is counted.
    pub reason: SkipReason,
    /// One line for people.
    pub detail: String,
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.as_str(), self.detail)
    }
}

impl std::error::Error for Skip {}
