//! The Common Index File Format: an inverted index that search engines exchange (Lin et al. 2020,
//! *Supporting Interoperability Between Open-Source Search Engines with the Common Index File
//! Format*).
//!
//! A file is a sequence of protocol buffers, each preceded by its length: a header, the postings
//! lists in byte order of their terms, and a record per document.

mod index;
mod message;
#[cfg(test)]
mod tests;

use super::Compression;
use super::docno::docno;
use super::file::CompressedFile;
use super::run::ExportSummary;
use crate::index::source::Source;
use crate::index::{IndexSettings, IndexedText, Stemming};
use crate::omit::Omit;
use crate::shards::Shard;
use index::{TemporaryIndex, TermLists};
use message::Header;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;

/// What an index contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CiffSettings {
    /// The text.
    pub text: IndexedText,
    /// Whether titles come before texts.
    pub titles: bool,
    /// Whether terms are stems.
    pub stemming: Stemming,
    /// How the file is compressed.
    pub compression: Compression,
}

/// Bytes of postings kept in memory before they are written to the disk.
const HEAP: usize = 256 << 20;

/// Exports all pages of the shards that are not left out as one index, in their order, into the
/// file `out`.
///
/// The postings are collected in a folder `.NAME.index` next to it, which takes about as much space
/// as the uncompressed file and is removed at the end. One thread reads pages and another makes
/// postings. Memory: 256 MiB of postings, 32 MiB of queued pages, and one page.
///
/// [`Error::Invalid`] if `out` exists and `force` is not set, if there are more than 2³¹ − 1 pages,
/// which the format cannot number, or if shards lack something that the text requires (for Markdown
/// and HTML also the texts of blocks); [`Error::Integrity`] if a shard differs from what was
/// written; [`Error::Io`].
pub fn export_ciff(
    shards: &[Shard],
    settings: CiffSettings,
    omit: &Omit,
    out: &Path,
    force: bool,
    progress: &Progress,
) -> Result<ExportSummary> {
    let refuse = |why: &str| Err(Error::Invalid(format!("{}: {why}", out.display())));
    if is_there(out)? && !force {
        return refuse("is there already; use another --out, or --force to write it again");
    }
    if shards.iter().map(Shard::pages).sum::<u64>() > i32::MAX as u64 {
        return refuse("the format allows at most 2147483647 pages; export fewer shards");
    }
    let indexed = IndexSettings {
        text: settings.text,
        stemming: settings.stemming,
        ..IndexSettings::default()
    };
    let mut index = TemporaryIndex::create(out, &indexed, HEAP)?;
    let mut pages = 0;
    for shard in shards {
        let mut source = Source::open(shard, &indexed, None)?;
        while source.next(|page| {
            if !omit.stays(page.id) {
                return Ok(());
            }
            pages += 1;
            let title = if settings.titles { page.title } else { "" };
            index.add(&docno(page.id), &[title, page.text])
        })? {
            progress.go_on()?;
            progress.pages.fetch_add(1, Relaxed);
        }
        progress.bytes_read.fetch_add(shard.bytes(), Relaxed);
        progress.inputs_done.fetch_add(1, Relaxed);
    }
    let built = index.finish()?;
    let mut file = CompressedFile::create(out, settings.compression)?;
    let mut buffer = Vec::new();
    Header {
        postings_lists: built.count_terms()?,
        documents: pages,
        terms: built.terms(),
        description: description(settings),
    }
    .encode(&mut buffer);
    file.write(&buffer)?;
    let mut lists = TermLists::open(&built)?;
    while lists.advance() {
        lists.write(&mut buffer, &mut |bytes| file.write(bytes))?;
    }
    built.copy_records(&mut |bytes| file.write(bytes))?;
    Ok(ExportSummary {
        shards: shards.len() as u64,
        pages,
        files: 1,
        bytes: file.commit()?.0,
        ..ExportSummary::default()
    })
}

fn description(settings: CiffSettings) -> String {
    let text = match settings.text {
        IndexedText::Raw => "all blocks of pages",
        IndexedText::Clean => "content of pages",
    };
    let titles = if settings.titles {
        ", titles first"
    } else {
        ""
    };
    let stems = match settings.stemming {
        Stemming::None => "",
        Stemming::English => ", English stems (Snowball)",
    };
    format!("warcsieve: {text}{titles}; words of UAX #29 in lower case{stems}, no stop words")
}
