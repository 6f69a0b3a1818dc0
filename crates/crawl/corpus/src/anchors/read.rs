//! The first pass: reads the addresses of pages, and their links.

use super::options::AnchorOptions;
use super::summary::AnchorSummary;
use super::texts::Texts;
use crate::dedup::sort::Sorter;
use arrow_schema::{DataType, Field, Schema};
use std::path::Path;
use twox_hash::XxHash3_128;
use warcsieve_common::Result;
use warcsieve_engine::Progress;
use warcsieve_engine::cdx::surt;
use warcsieve_run::shards::{Checked, Rows, Shard, lacking};

/// Maximum number of rows in a batch.
const ROWS: usize = 1024;

/// The two sides of the join, and the texts.
pub(super) struct Read {
    /// Records of (key of the address: two numbers, page).
    pub(super) pages: Sorter<3>,
    /// Records of (key of the target: two numbers, page with the link, place of its text).
    pub(super) links: Sorter<4>,
    pub(super) texts: Texts,
}

/// Reads all shards in order.
pub(super) fn read(
    shards: &[Shard],
    options: &AnchorOptions,
    folder: &Path,
    summary: &mut AnchorSummary,
    progress: &Progress,
) -> Result<Read> {
    let mut read = Read {
        pages: Sorter::new(folder, options.memory / 4),
        links: Sorter::new(folder, options.memory / 2),
        texts: Texts::new(folder)?,
    };
    for shard in shards {
        read.shard(shard, options, summary, progress)?;
        progress.add_bytes(shard.bytes());
        progress.input_done();
    }
    Ok(read)
}

impl Read {
    fn shard(
        &mut self,
        shard: &Shard,
        options: &AnchorOptions,
        summary: &mut AnchorSummary,
        progress: &Progress,
    ) -> Result<()> {
        let mut pages = open_pages(shard)?;
        let mut links = open_links(shard)?;
        let mut has_link = links.advance()?;
        while pages.advance()? {
            if summary.pages.is_multiple_of(1024) {
                progress.go_on()?;
            }
            let number = summary.pages;
            summary.pages += 1;
            progress.add_pages(1);
            let (id, url) = (pages.text("id"), pages.text("url").unwrap_or_default());
            let source = (!url.is_empty()).then(|| surt(url));
            if let Some(source) = &source {
                let [high, low] = key(source);
                self.pages.push([high, low, number])?;
            }
            // The rows of `links` have the order of pages, so the links of a page are consecutive.
            while has_link && links.text("id") == id {
                summary.links += 1;
                let target = surt(links.text("target").unwrap_or_default());
                let own = source.as_deref();
                let is_other_host = own.map(host) != Some(host(&target));
                let is_left_out = own == Some(&target)
                    || options.other_hosts && !is_other_host
                    || options.content && links.text("label") != Some("content");
                match is_left_out {
                    true => summary.links_left_out += 1,
                    false => {
                        let place = self.texts.push(links.text("text").unwrap_or_default())?;
                        let [high, low] = key(&target);
                        self.links.push([high, low, number, place])?;
                    }
                }
                has_link = links.advance()?;
            }
        }
        match has_link {
            true => Err(links.broken("a link of no page")),
            false => Ok(()),
        }
    }
}

fn key(surt: &str) -> [u64; 2] {
    let hash = XxHash3_128::oneshot(surt.as_bytes());
    [(hash >> 64) as u64, hash as u64]
}

/// The host in a key, with reversed labels and its port.
fn host(surt: &str) -> &str {
    surt.split(')').next().unwrap_or_default()
}

fn open(file: Checked, columns: &[&str]) -> Result<Rows> {
    let field = |name: &&str| Field::new(*name, DataType::Utf8, true);
    let fields: Vec<_> = columns.iter().map(field).collect();
    file.read(&Schema::new(fields), ROWS)
}

/// Opens the ids and addresses of a shard's pages.
pub(super) fn open_pages(shard: &Shard) -> Result<Rows> {
    open(
        Checked::open(&shard.folder, &shard.documents)?,
        &["id", "url"],
    )
}

fn open_links(shard: &Shard) -> Result<Rows> {
    let Some(links) = &shard.links else {
        let path = shard.folder.join(&shard.documents.path);
        return Err(lacking(
            &path,
            "its links were not written",
            "link_table = true",
        ));
    };
    let file = Checked::open(&shard.folder, links)?;
    open(file, &["id", "target", "text", "label"])
}
