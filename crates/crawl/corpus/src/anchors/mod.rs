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
mod options;
mod read;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod texts;

pub use options::AnchorOptions;
pub use summary::AnchorSummary;
pub use table::{AnchorTable, InLinks};

use std::path::Path;
use warcsieve_common::Result;
use warcsieve_common::files::make_folder;
use warcsieve_engine::Progress;
use warcsieve_run::shards::Shard;

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
    make_folder(folder)?;
    let mut summary = AnchorSummary::default();
    let read = read::read(shards, options, folder, &mut summary, progress)?;
    let joined = join::join(read.pages, read.links, options, folder, &mut summary)?;
    let texts = read.texts.finish()?;
    table::write(shards, joined, &texts, options, out, &mut summary)?;
    Ok(summary)
}
