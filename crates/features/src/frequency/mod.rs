//! How many pages of a crawl hold a block's text (Kohlschütter et al. 2010, §3.1
//! and §4.2: their one feature that looks beyond the page).
//!
//! A text is identified by the xxh3-64 hash of its UTF-8 bytes as they are in the block: white
//! space collapsed, case and digits kept. In a table of 10⁹ texts, the chance that any two collide
//! is about 1 in 40 for the whole table; they then share their count. A text that occurs twice on a
//! page counts once.
//!
//! # The file
//! Little-endian; size = 64 + 12 × entries.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `wsvfreq\n` |
//! | 4 | version, 1 |
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
use warcsieve_base::{Error, Result};
use warcsieve_html::document::Document;

/// The share of a crawl's pages that hold a text, made by [`FrequencyCounter`].
///
/// Memory: 12 to 13 bytes per text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequencies {
    pages: u64,
    min_pages: u32,
    hashes: Vec<u64>,
    counts: Vec<u32>,
    starts: Starts,
}

impl Frequencies {
    /// From hashes in ascending order and a count for each.
    fn new(pages: u64, min_pages: u32, mut hashes: Vec<u64>, mut counts: Vec<u32>) -> Self {
        hashes.shrink_to_fit();
        counts.shrink_to_fit();
        Self {
            pages,
            min_pages,
            starts: Starts::of(&hashes),
            hashes,
            counts,
        }
    }

    /// The share of pages that hold the text, 0 to 1; 0 for texts that are not in the table because
    /// they are on fewer pages than [`Frequencies::min_pages`].
    pub fn get(&self, text: &str) -> f32 {
        let hash = key(text);
        let range = self.starts.range(hash);
        match self.hashes[range.clone()].binary_search(&hash) {
            Ok(i) => (f64::from(self.counts[range][i]) / self.pages as f64) as f32,
            Err(_) => 0.0,
        }
    }

    /// Pages that were counted.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Texts in the table.
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
    /// [`Error::Io`] if it cannot be read, [`Error::Usage`] saying why it is not a valid table.
    pub fn open(path: &Path) -> Result<Self> {
        let io = |e| Error::io(path, e);
        let file = File::open(path).map_err(io)?;
        let len = file.metadata().map_err(io)?.len();
        match Self::read(&mut BufReader::with_capacity(1 << 16, file), len) {
            Err(BadTable::Io(e)) => Err(io(e)),
            Err(bad) => Err(Error::Usage(format!("{}: {bad}", path.display()))),
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

/// The hash that identifies a text.
pub fn key(text: &str) -> u64 {
    XxHash3_64::oneshot(text.as_bytes())
}

/// Refills `keys` with the distinct keys of a page's block texts, in ascending order.
pub fn page_keys(doc: &Document, keys: &mut Vec<u64>) {
    keys.clear();
    keys.extend(doc.blocks.iter().map(|b| key(doc.block_text(b))));
    keys.sort_unstable();
    keys.dedup();
}
