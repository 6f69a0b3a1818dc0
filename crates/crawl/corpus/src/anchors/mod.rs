//! What other pages say of a page: the texts of the links to it, and their number.
//!
//! ```text
//!  documents ─▶ key of address, page ─sort─┐
//!  links ─────▶ key of target, source ─sort┴─join─▶ page, source, text ─sort─▶ a row for each page that is linked to
//!         └───▶ texts (scratch file) ───────────────────────────────────────────┘
//! ```
//!
//! Pages are numbered in the order of shards and rows, so all that is written depends on sorted records alone.

mod join;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod texts;

pub use table::{AnchorTable, InLinks};

use serde::Serialize;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_run::shards::Shard;

/// Which links count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorOptions {
    /// Links of content blocks only.
    pub content: bool,
    /// Links from other hosts only.
    pub other_hosts: bool,
    /// Bytes for sorting; besides there are the pages of a shard that are read.
    pub memory: usize,
    /// Most bytes of the texts of a page; further links to it are counted only.
    pub longest: usize,
}

impl Default for AnchorOptions {
    /// All links, 512 MiB, 64 KiB of texts a page.
    fn default() -> Self {
        Self {
            content: false,
            other_hosts: false,
            memory: 512 << 20,
            longest: 64 << 10,
        }
    }
}

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

/// Gathers the links of all shards by the page that they lead to, into the Parquet file `out`.
///
/// An address and a target are one if their [keys](warcsieve_engine::cdx::surt) are, as in an index of a crawl. Of pages with one
/// address the first has the links.
///
/// Memory: see [`AnchorOptions::memory`]. Disk, in the folder of `out` while it runs: the texts, and 72 bytes a link.
///
/// # Errors
/// [`Error::Invalid`] if a shard has no links; [`Error::Integrity`] if one is not as it was written; [`Error::Io`];
/// [`Error::Stopped`].
pub fn gather(
    shards: &[Shard],
    options: &AnchorOptions,
    out: &Path,
    progress: &Progress,
) -> Result<AnchorSummary> {
    let folder = match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let mut summary = AnchorSummary::default();
    let read = read::read(shards, options, folder, &mut summary, progress)?;
    let joined = join::join(read.pages, read.links, options, folder, &mut summary)?;
    let texts = read.texts.finish()?;
    table::write(shards, joined, &texts, options, out, &mut summary)?;
    Ok(summary)
}
