//! What other pages say about a page: the texts of links to it, and their number.
//!
//! ```text
//!  documents ─▶ key of address, page ─sort─┐
//!  links ─────▶ key of target, source ─sort┴─join─▶ page, source, text ─sort─▶ a row for each page that is linked to
//!         └───▶ texts (scratch file) ───────────────────────────────────────────┘
//! ```
//!
//! Pages are numbered in the order of shards and rows. All output is written from sorted records,
//! so it does not depend on threads or time.

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
/// A link leads to a page if its target and the page's address have the same
/// [key](warcsieve_engine::cdx::surt), as in an index of a crawl. If several pages have the same
/// address, the first one gets the links.
///
/// Memory: see [`AnchorOptions::memory`]. Disk space while it runs, in the folder of `out`: the
/// texts, and 72 bytes per link.
///
/// # Errors
/// [`Error::Invalid`] if a shard has no table of links. [`Error::Integrity`] if a shard differs
/// from its manifest row. [`Error::Io`]; [`Error::Stopped`].
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
