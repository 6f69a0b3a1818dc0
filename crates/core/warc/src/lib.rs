//! A lenient reader of WARC and ARC: damage is located, counted and skipped, and reading continues
//! after it.

mod arc;
mod codec;
mod counted;
mod decoded;
mod digest;
mod framing;
mod gzip;
mod header;
pub mod http;
mod hunt;
pub mod ledger;
#[cfg(feature = "libdeflate")]
mod libdeflate;
mod limits;
mod member;
mod page_file;
mod progress;
mod read_from;
mod reader;
mod record;
mod record_start;
mod record_type;
mod select;
mod split;
#[cfg(feature = "warc")]
mod strict;
mod text_lines;
mod whole;
mod window;
mod zstd;

pub use digest::{DigestCheck, Digests, payload_sha1};
pub use limits::{Limits, Reader};
pub use page_file::PageFile;
pub use read_from::ReadFrom;
pub use reader::WarcReader;
pub use record::{Location, Record, RecordFlaws};
pub use record_type::RecordType;
pub use select::{SelectedReader, Span};
pub use split::{SplitReader, Splits};
#[cfg(feature = "warc")]
pub use strict::StrictReader;
pub use text_lines::{TextLines, begins_like_clueweb22_text};

use warcsieve_common::Result;

/// Whether the first bytes of a file are those of a compressed file or of a record. Every complete
/// crawl file begins like this, and no page does.
pub fn begins_like_crawl(bytes: &[u8]) -> bool {
    codec::Kind::of(bytes).is_some() || begins_like_record(bytes)
}

/// Whether the first bytes are those of a record.
pub fn begins_like_record(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    text.starts_with(b"WARC/") || text.starts_with(b"filedesc:")
}

/// A source of records.
pub trait Source {
    /// Refills `record` with the next record; `false` at the end of the input.
    ///
    /// Damage in the data is counted in the source's ledger and never an error.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) when the input itself cannot be read.
    fn read_record(&mut self, record: &mut Record) -> Result<bool>;
}

#[cfg(test)]
mod tests;
