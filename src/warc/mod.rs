//! Reading WARC and ARC, leniently: what is damaged is skipped, counted and
//! located, and reading goes on behind it.

mod arc;
mod codec;
mod decoded;
mod digest;
mod framing;
mod gzip;
mod header;
pub mod http;
mod hunt;
#[cfg(feature = "libdeflate")]
mod libdeflate;
mod member;
mod reader;
mod record;
mod select;
mod split;
mod whole;
mod window;
mod zstd;

#[cfg(feature = "parquet")]
pub(crate) use digest::payload_sha1;
pub use digest::{DigestCheck, Digests};
pub use reader::{Limits, WarcReader};
pub use record::{Location, Record, RecordFlaws, RecordType};
pub use select::{SelectedReader, Span};
pub use split::{ReadFrom, SplitReader, Splits};

use crate::error::Result;

/// Whether the first bytes of a file are those of a compressed file or of a record: what any crawl begins
/// with that is whole, and no page does.
pub fn begins_like_crawl(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let begins = |with: &[u8]| text.starts_with(with);
    codec::Kind::of(bytes).is_some() || begins(b"WARC/") || begins(b"filedesc:")
}

/// Where records come from.
pub trait Source {
    /// Refills `record` with the next record; `false` at the end of the input.
    ///
    /// Damage in the data is counted in the source's ledger and never an error.
    ///
    /// # Errors
    /// [`Error::Io`](crate::error::Error::Io) when the input itself cannot be read.
    fn read_record(&mut self, record: &mut Record) -> Result<bool>;
}

#[cfg(test)]
mod tests;
