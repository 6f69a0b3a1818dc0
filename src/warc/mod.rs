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
mod split;
mod whole;
mod window;
mod zstd;

pub use digest::{DigestCheck, Digests};
pub use reader::{Limits, WarcReader};
pub use record::{Location, Record, RecordFlaws, RecordType};
pub use split::{SplitReader, Splits};

use crate::error::Result;

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
