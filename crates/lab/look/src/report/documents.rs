//! Counts over the `documents` table.

use super::sample::{Drawn, Samples};
use crate::sketch::{Distinct, Sizes, Top};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use warcsieve_tables::read::{TableFile, Unreadable};

/// Rows in memory at a time.
const ROWS: usize = 8_192;

/// Columns that are read.
const COLUMNS: [&str; 16] = [
    "id",
    "title",
    "url",
    "date",
    "content_digest",
    "content_mime_type",
    "content_charset",
    "charset_source",
    "content_truncated",
    "language",
    "fetch_status",
    "n_blocks",
    "n_content_blocks",
    "html_bytes",
    "text_bytes",
    "warc_record_offset",
];

/// Words with their pages: how many are without content, and the bytes of text. 1,000 words are counted exactly.
pub type Words<const SHOWN: usize> = Top<2, 1_000, SHOWN>;

/// How many pages are listed for each order.
const MAX_LISTED_PAGES: usize = 20;

/// Bins of the share of blocks that is kept.
const SHARES: usize = 20;

/// Sums of a host: pages without content, blocks, content blocks, bytes of HTML and of text.
pub const HOST_SUMS: usize = 5;

/// Counts over pages.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Documents {
    /// Rows, and sums of columns.
    pub rows: u64,
    pub blocks: u64,
    pub content_blocks: u64,
    pub html: Sizes,
    pub text: Sizes,
    pub blocks_a_page: Sizes,
    pub empty: u64,
    pub truncated: Top<0, 1_000, 20>,
    pub undated: u64,
    pub without_address: u64,
    pub hosts: Top<HOST_SUMS, 20_000, 100>,
    pub distinct_hosts: Distinct,
    /// The number of pages that have a payload digest, and the different digests.
    pub digests: (u64, Distinct),
    pub languages: Words<40>,
    pub media_types: Words<40>,
    pub charsets: Words<40>,
    pub charset_sources: Words<10>,
    pub statuses: Words<20>,
    /// By day since 1970: pages, and how many of them have no content.
    #[serde(serialize_with = "pairs")]
    pub days: BTreeMap<i32, [u64; 2]>,
    /// Pages by the share of their blocks that is kept, in twentieths. Pages without blocks are not included.
    pub kept_shares: [u64; SHARES],
    pub without_blocks: u64,
    pub largest: Vec<Drawn>,
    pub most_blocks: Vec<Drawn>,
    /// The largest pages from which nothing is kept.
    pub largest_empty: Vec<Drawn>,
    #[serde(skip)]
    pub samples: Samples,
}

/// Days that are counted separately: years 1990 to 2100, because dates may have any value.
const DAYS: std::ops::Range<i32> = 7_305..47_482;

impl Documents {
    /// Counts a file. `input` is the name of its input.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(path: &Path, input: &str) -> Result<Self, Unreadable> {
        let file = File::open(path)?;
        let table = TableFile::open(file, ArrowReaderOptions::new())?;
        let missing = COLUMNS
            .iter()
            .find(|c| table.schema().field_with_name(c).is_err());
        if let Some(column) = missing {
            return Err(format!("has no column {column}").into());
        }
        let mut batches = table.read(&COLUMNS, ROWS)?;
        let mut counted = Self::default();
        while let Some(batch) = batches.next_batch()? {
            counted.add(&batch, input)?;
        }
        Ok(counted)
    }

    fn add(&mut self, batch: &RecordBatch, input: &str) -> Result<(), String> {
        let column = |name: &str| {
            batch
                .column_by_name(name)
                .ok_or_else(|| format!("has no column {name}"))
        };
        let other = |name: &str| format!("the column {name} has another type");
        let text = |name: &'static str| {
            column(name)?
                .as_string_opt::<i32>()
                .ok_or_else(|| other(name))
        };
        let int = |name: &'static str| {
            column(name)?
                .as_primitive_opt::<Int32Type>()
                .ok_or_else(|| other(name))
        };
        let (id, title, url) = (text("id")?, text("title")?, text("url")?);
        let date = column("date")?;
        let date = date
            .as_primitive_opt::<TimestampMicrosecondType>()
            .ok_or_else(|| other("date"))?;
        let (digest, mime) = (text("content_digest")?, text("content_mime_type")?);
        let (charset, source) = (text("content_charset")?, text("charset_source")?);
        let (truncated, language) = (text("content_truncated")?, text("language")?);
        let (status, n_blocks, n_content) = (
            int("fetch_status")?,
            int("n_blocks")?,
            int("n_content_blocks")?,
        );
        let (html, cleaned) = (int("html_bytes")?, int("text_bytes")?);
        let offset = column("warc_record_offset")?;
        let offset = offset
            .as_primitive_opt::<Int64Type>()
            .ok_or_else(|| other("warc_record_offset"))?;
        for row in 0..batch.num_rows() {
            let number = |n: i32| u64::try_from(n).unwrap_or(0);
            let (blocks, content) = (number(n_blocks.value(row)), number(n_content.value(row)));
            let (html, cleaned) = (number(html.value(row)), number(cleaned.value(row)));
            let is_empty = u64::from(content == 0);
            let sums = [is_empty, cleaned];
            self.rows += 1;
            self.empty += is_empty;
            self.html.add(html);
            self.text.add(cleaned);
            self.blocks_a_page.add(blocks);
            self.languages.add(language.value(row), sums);
            self.media_types.add(mime.value(row), sums);
            self.charsets.add(charset.value(row), sums);
            self.charset_sources.add(source.value(row), sums);
            if status.is_valid(row) {
                self.statuses.add(&status.value(row).to_string(), sums);
            }
            if truncated.is_valid(row) {
                self.truncated.add(truncated.value(row), []);
            }
            match host(url.value(row)) {
                Some(host) => {
                    self.distinct_hosts.add(host.as_bytes());
                    self.hosts
                        .add(&host, [is_empty, blocks, content, html, cleaned]);
                }
                None => self.without_address += 1,
            }
            if digest.is_valid(row) {
                self.digests.0 += 1;
                self.digests.1.add(digest.value(row).as_bytes());
            }
            let day = date
                .is_valid(row)
                .then(|| date.value(row).div_euclid(86_400_000_000));
            let day = day
                .and_then(|day| i32::try_from(day).ok())
                .filter(|day| DAYS.contains(day));
            match day {
                Some(day) => {
                    let counts = self.days.entry(day).or_default();
                    counts[0] += 1;
                    counts[1] += is_empty;
                }
                None => self.undated += 1,
            }
            match (content * SHARES as u64).checked_div(blocks) {
                None => self.without_blocks += 1,
                Some(share) => self.kept_shares[(share as usize).min(SHARES - 1)] += 1,
            }
            let drawn = || Drawn {
                id: id.value(row).to_owned(),
                title: warcsieve_common::prefix(title.value(row), 300).to_owned(),
                url: warcsieve_common::prefix(url.value(row), 500).to_owned(),
                input: input.to_owned(),
                offset: u64::try_from(offset.value(row)).unwrap_or(0),
                html_bytes: html,
                text_bytes: cleaned,
                blocks,
                content_blocks: content,
                first_row: self.blocks,
            };
            largest(&mut self.largest, html, drawn, |d| d.html_bytes);
            largest(&mut self.most_blocks, blocks, drawn, |d| d.blocks);
            if content == 0 {
                largest(&mut self.largest_empty, html, drawn, |d| d.html_bytes);
            }
            self.samples.offer(id.value(row), content > 0, drawn);
            self.blocks += blocks;
            self.content_blocks += content;
        }
        Ok(())
    }

    /// Adds the counts of the next input.
    pub fn merge(&mut self, other: Self) {
        self.rows += other.rows;
        self.blocks += other.blocks;
        self.content_blocks += other.content_blocks;
        self.html.merge(&other.html);
        self.text.merge(&other.text);
        self.blocks_a_page.merge(&other.blocks_a_page);
        self.empty += other.empty;
        self.truncated.merge(other.truncated);
        self.undated += other.undated;
        self.without_address += other.without_address;
        self.hosts.merge(other.hosts);
        self.distinct_hosts.merge(&other.distinct_hosts);
        self.digests.0 += other.digests.0;
        self.digests.1.merge(&other.digests.1);
        self.languages.merge(other.languages);
        self.media_types.merge(other.media_types);
        self.charsets.merge(other.charsets);
        self.charset_sources.merge(other.charset_sources);
        self.statuses.merge(other.statuses);
        for (day, more) in other.days {
            let counts = self.days.entry(day).or_default();
            counts[0] += more[0];
            counts[1] += more[1];
        }
        for (bin, more) in self.kept_shares.iter_mut().zip(other.kept_shares) {
            *bin += more;
        }
        self.without_blocks += other.without_blocks;
        let html: fn(&Drawn) -> u64 = |page| page.html_bytes;
        for (kept, more, size) in [
            (&mut self.largest, other.largest, html),
            (&mut self.most_blocks, other.most_blocks, |page| page.blocks),
            (&mut self.largest_empty, other.largest_empty, html),
        ] {
            for drawn in more {
                largest(kept, size(&drawn), || drawn, size);
            }
        }
        self.samples.merge(other.samples);
    }
}

/// Keeps the largest pages, the largest first; of equal ones the first.
fn largest(
    kept: &mut Vec<Drawn>,
    size: u64,
    drawn: impl FnOnce() -> Drawn,
    of: impl Fn(&Drawn) -> u64,
) {
    let place = kept.partition_point(|known| of(known) >= size);
    if place < MAX_LISTED_PAGES {
        kept.insert(place, drawn());
        kept.truncate(MAX_LISTED_PAGES);
    }
}

/// The host of an address, in lower case.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// Days with their counts, as a list.
fn pairs<S: Serializer>(days: &BTreeMap<i32, [u64; 2]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses() {
        for (url, expected) in [
            ("http://Example.ORG/a", Some("example.org")),
            ("https://a:b@x.y:8080?q", Some("x.y:8080")),
            ("http:///a", None),
            ("mailto:a@b", None),
            ("", None),
        ] {
            assert_eq!(host(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn the_largest_come_first_and_equal_ones_in_their_order() {
        let mut kept = Vec::new();
        for (i, size) in [3, 9, 3, 5].into_iter().enumerate() {
            let drawn = || Drawn {
                html_bytes: size,
                offset: i as u64,
                ..Drawn::default()
            };
            largest(&mut kept, size, drawn, |d| d.html_bytes);
        }
        assert_eq!(
            kept.iter().map(|d| d.offset).collect::<Vec<_>>(),
            [1, 3, 0, 2]
        );
    }
}
