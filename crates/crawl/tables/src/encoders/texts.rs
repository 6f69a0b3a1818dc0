//! Columns of texts with few values. The file has each text once, and rows have its position.

use super::chunk::{About, Chunk, Zstd};
use super::hybrid;
use super::numbers::levels;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef};
use parquet::basic::{BoundaryOrder, Encoding, Type};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::metadata::ColumnIndexBuilder;
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::statistics::{Statistics, ValueStatistics};
use std::collections::HashMap;
use std::ops::Range;
use twox_hash::XxHash3_64;
use warcsieve_common::prefix;

/// Most bytes of a minimum that is stored for a page. A longer one is cut off, which makes it less.
const MAX_LIMIT_BYTES: usize = 64;

/// A column of texts of few values.
pub(in super::super) struct Texts {
    chunk: Chunk,
    dictionary: Dictionary,
    /// Positions of the texts of the open page.
    places: Vec<u32>,
    /// As in [`Numbers`](super::numbers::Numbers).
    levels: Vec<u32>,
    rows: usize,
    most_rows: usize,
    page: Vec<u8>,
    /// Positions of the texts of a batch, once they are known.
    of_batch: Vec<u32>,
    limits: Option<Limits>,
}

/// The position of a text that has none yet.
const NONE: u32 = u32::MAX;

/// The different texts, in the order in which they first appear.
#[derive(Default)]
struct Dictionary {
    /// Each text after its length, as in the file.
    bytes: Vec<u8>,
    texts: Vec<Range<usize>>,
    /// Positions by the hash of the text. A second text with the same hash gets a new position each
    /// time it comes; readers do not notice.
    places: HashMap<u64, u32>,
}

impl Dictionary {
    fn text(&self, place: u32) -> &[u8] {
        &self.bytes[self.texts[place as usize].clone()]
    }

    fn place(&mut self, text: &str) -> u32 {
        let hash = XxHash3_64::oneshot(text.as_bytes());
        let new = self.texts.len() as u32;
        let place = *self.places.entry(hash).or_insert(new);
        if place != new && self.text(place) == text.as_bytes() {
            return place;
        }
        self.bytes
            .extend_from_slice(&(text.len() as u32).to_le_bytes());
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text.as_bytes());
        self.texts.push(start..self.bytes.len());
        new
    }
}

/// Minimum and maximum of the texts of the chunk, and of each page.
struct Limits {
    index: ColumnIndexBuilder,
    chunk: Option<(u32, u32)>,
    nulls: u64,
}

impl Texts {
    /// With `limits`, the file stores the minimum and the maximum text.
    pub(super) fn new(chunk: Chunk, most_rows: usize, limits: bool) -> Self {
        Self {
            chunk,
            dictionary: Dictionary::default(),
            places: Vec::new(),
            levels: Vec::new(),
            rows: 0,
            most_rows,
            page: Vec::new(),
            of_batch: Vec::new(),
            limits: limits.then(|| Limits {
                index: ColumnIndexBuilder::new(Type::BYTE_ARRAY),
                chunk: None,
                nulls: 0,
            }),
        }
    }

    /// Appends rows: a dictionary of texts.
    pub(super) fn write(&mut self, rows: &ArrayRef, zstd: &mut Zstd) -> Result<()> {
        let rows = rows.as_dictionary::<UInt32Type>();
        let (keys, texts) = (rows.keys(), rows.values().as_string::<i32>());
        self.of_batch.clear();
        self.of_batch.resize(texts.len(), NONE);
        let mut at = 0;
        while at < keys.len() {
            let count = (keys.len() - at).min(self.most_rows - self.rows);
            let nulls = keys.nulls();
            for row in at..at + count {
                let is_there = nulls.is_none_or(|nulls| nulls.is_valid(row));
                if self.chunk.is_nullable() {
                    self.levels.push(u32::from(is_there));
                }
                if is_there {
                    let key = keys.values()[row] as usize;
                    let place = &mut self.of_batch[key];
                    if *place == NONE {
                        *place = self.dictionary.place(texts.value(key));
                    }
                    self.places.push(*place);
                }
            }
            self.rows += count;
            at += count;
            if self.rows == self.most_rows {
                self.end_page(zstd)?;
            }
        }
        Ok(())
    }

    fn end_page(&mut self, zstd: &mut Zstd) -> Result<()> {
        self.page.clear();
        levels(&mut self.levels, &mut self.page);
        let width = hybrid::width(self.dictionary.texts.len());
        self.page.push(width as u8);
        hybrid::encode(&self.places, width, &mut self.page);
        if let Some(limits) = &mut self.limits {
            limits.add(&self.places, self.rows, &self.dictionary);
        }
        self.places.clear();
        let rows = std::mem::take(&mut self.rows);
        self.chunk
            .add(rows, &self.page, Encoding::RLE_DICTIONARY, zstd)
    }

    /// The approximate number of bytes it will have.
    pub(super) fn bytes(&self) -> usize {
        let width = hybrid::width(self.dictionary.texts.len());
        let open = self.places.len() * width as usize / 8;
        self.chunk.bytes() + open + self.dictionary.bytes.len()
    }

    pub(super) fn close(mut self, zstd: &mut Zstd) -> Result<(Vec<u8>, ColumnCloseResult)> {
        if self.rows > 0 {
            self.end_page(zstd)?;
        }
        let (statistics, index) = match self.limits.take() {
            Some(limits) => limits.close(&self.dictionary)?,
            None => (None, None),
        };
        let Dictionary { bytes, texts, .. } = self.dictionary;
        let about = About {
            dictionary: Some((bytes, texts.len())),
            statistics,
            index,
        };
        self.chunk.close(about, zstd)
    }
}

impl Limits {
    /// Adds a page of rows, with the positions of those that have a text.
    fn add(&mut self, places: &[u32], rows: usize, dictionary: &Dictionary) {
        let mut limits = None;
        for run in places.chunk_by(|a, b| a == b) {
            limits = Some(wider(limits, (run[0], run[0]), dictionary));
        }
        let nulls = rows - places.len();
        self.nulls += nulls as u64;
        let nulls = nulls as i64;
        let Some((least, greatest)) = limits else {
            return self.index.append(true, Vec::new(), Vec::new(), nulls, None);
        };
        self.chunk = Some(wider(self.chunk, (least, greatest), dictionary));
        let least = at_most(dictionary.text(least)).to_vec();
        let greatest = dictionary.text(greatest).to_vec();
        self.index.append(false, least, greatest, nulls, None);
    }

    fn close(
        mut self,
        dictionary: &Dictionary,
    ) -> Result<(Option<Statistics>, Option<ColumnIndexMetaData>)> {
        self.index.set_boundary_order(BoundaryOrder::UNORDERED);
        let statistics = self.chunk.map(|(least, greatest)| {
            let (whole, greatest) = (dictionary.text(least), dictionary.text(greatest));
            let least = at_most(whole);
            let is_exact = least.len() == whole.len();
            let limit = |text: &[u8]| Some(ByteArray::from(text.to_vec()));
            ValueStatistics::new(limit(least), limit(greatest), None, Some(self.nulls), false)
                .with_min_is_exact(is_exact)
                .into()
        });
        Ok((statistics, Some(self.index.build()?)))
    }
}

/// The limits of both together.
fn wider(
    limits: Option<(u32, u32)>,
    (least, greatest): (u32, u32),
    dictionary: &Dictionary,
) -> (u32, u32) {
    let Some((mut low, mut high)) = limits else {
        return (least, greatest);
    };
    if dictionary.text(least) < dictionary.text(low) {
        low = least;
    }
    if dictionary.text(greatest) > dictionary.text(high) {
        high = greatest;
    }
    (low, high)
}

/// The beginning of a text, in whole characters.
fn at_most(text: &[u8]) -> &[u8] {
    match std::str::from_utf8(text) {
        Ok(text) => prefix(text, MAX_LIMIT_BYTES).as_bytes(),
        Err(_) => text,
    }
}
