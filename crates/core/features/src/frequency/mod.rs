//! How many pages of a crawl hold a block's text (Kohlschütter et al. 2010, §3.1
//! and §4.2: their one feature that looks beyond the page).
//!
//! A text is identified by the xxh3-64 hash of its UTF-8 bytes as they are in the block: white space is collapsed, case
//! and digits are kept. In a table of 10⁹ texts, the chance that any two collide is about 1 in 40 for the whole table;
//! these two then share their count. A text that occurs twice on a page counts once.
//!
//! A table may also count texts by host. Such an entry is identified by the hash with the seed [`host_key`].
//!
//! # The file
//! Little-endian; size = 64 + 12 × entries.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `wsvfreq\n` |
//! | 4 | version: 1 of texts, 2 of texts and of texts by host |
//! | 4 | fewest pages of an entry |
//! | 8 | pages counted |
//! | 12 each | entries in ascending order of hash: hash (8), pages that hold the text (4) |
//! | 8 | number of entries |
//! | 32 | sha256 of everything before |

mod counter;
mod file;
mod spill;
mod starts;
#[cfg(test)]
mod tests;

pub use counter::{Counted, FrequencyCounter};
pub use file::BadTable;

use starts::Starts;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use twox_hash::XxHash3_64;
use warcsieve_common::{Error, Result, host};
use warcsieve_html::document::Document;

/// The share of a crawl's pages that hold a text, made by [`FrequencyCounter`].
///
/// Memory: 12 to 13 bytes per text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequencies {
    pages: u64,
    min_pages: u32,
    by_host: bool,
    hashes: Vec<u64>,
    counts: Vec<u32>,
    starts: Starts,
}

/// The header of a table.
#[derive(Clone, Copy)]
struct Head {
    pages: u64,
    min_pages: u32,
    by_host: bool,
}

impl Frequencies {
    /// `hashes` are in ascending order, each with a count.
    fn new(head: Head, mut hashes: Vec<u64>, mut counts: Vec<u32>) -> Self {
        hashes.shrink_to_fit();
        counts.shrink_to_fit();
        Self {
            pages: head.pages,
            min_pages: head.min_pages,
            by_host: head.by_host,
            starts: Starts::of(&hashes),
            hashes,
            counts,
        }
    }

    /// The share of pages that hold the text, 0 to 1; 0 for texts that are not in the table because
    /// they are on fewer pages than [`Frequencies::min_pages`].
    pub fn get(&self, text: &str) -> f32 {
        match self.count(key(text)) {
            0 => 0.0,
            pages => (f64::from(pages) / self.pages as f64) as f32,
        }
    }

    /// The number of pages that have the text; 0 if fewer than [`Frequencies::min_pages`] have it.
    pub fn pages_with(&self, text: &str) -> u32 {
        self.count(key(text))
    }

    /// The number of pages of the host with this [`host_key`] that have the text. 0 if fewer than
    /// [`Frequencies::min_pages`] have it, if the host is unknown, or if the table is not by host.
    pub fn pages_of_host(&self, host: u64, text: &str) -> u32 {
        match host {
            0 => 0,
            _ if self.by_host => self.count(key_of_host(host, text)),
            _ => 0,
        }
    }

    /// Whether texts were also counted by host.
    pub fn is_by_host(&self) -> bool {
        self.by_host
    }

    fn count(&self, hash: u64) -> u32 {
        let range = self.starts.range(hash);
        match self.hashes[range.clone()].binary_search(&hash) {
            Ok(i) => self.counts[range][i],
            Err(_) => 0,
        }
    }

    /// How many pages were counted.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// How many texts are in the table.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether no text is in the table.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Texts on fewer pages were left out.
    pub fn min_pages(&self) -> u32 {
        self.min_pages
    }

    /// Reads a table file and verifies it.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, [`Error::Invalid`] saying why it is not a valid table.
    pub fn open(path: &Path) -> Result<Self> {
        let io = |e| Error::io(path, e);
        let file = File::open(path).map_err(io)?;
        let len = file.metadata().map_err(io)?.len();
        match Self::read(&mut BufReader::with_capacity(1 << 16, file), len) {
            Err(BadTable::Io(e)) => Err(io(e)),
            Err(bad) => Err(Error::Invalid(format!("{}: {bad}", path.display()))),
            Ok(table) => Ok(table),
        }
    }

    /// Reads a table from a file's bytes.
    ///
    /// # Errors
    /// Why they are not a valid table.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadTable> {
        Self::read(&mut &*bytes, bytes.len() as u64)
    }
}

/// The size in bytes of the largest table that pipelines accept: about 89 million texts. In a table by host, a text has
/// an additional entry for each host.
pub const MAX_TABLE_BYTES: u64 = 1 << 30;

/// The hash that identifies a text.
pub fn key(text: &str) -> u64 {
    XxHash3_64::oneshot(text.as_bytes())
}

/// A number that identifies the host of an address; 0 if it has none.
pub fn host_key(url: &str) -> u64 {
    match host(url).as_str() {
        "" => 0,
        host => key(host).max(1),
    }
}

fn key_of_host(host: u64, text: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(host, text.as_bytes())
}

/// Refills `keys` with the distinct keys of a page's block texts, in ascending order. With `by_host`, these include the
/// keys for its host.
pub fn page_keys(doc: &Document, by_host: bool, keys: &mut Vec<u64>) {
    keys.clear();
    let texts = || doc.blocks.iter().map(|block| doc.block_text(block));
    keys.extend(texts().map(key));
    let host = if by_host { host_key(&doc.url) } else { 0 };
    if host != 0 {
        keys.extend(texts().map(|text| key_of_host(host, text)));
    }
    keys.sort_unstable();
    keys.dedup();
}
