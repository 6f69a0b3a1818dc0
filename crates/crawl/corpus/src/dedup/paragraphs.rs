//! Finds paragraphs that occur more than once, exactly.
//!
//! A paragraph is a line of a text without the white space at its ends, as in Dolma.

use super::output::Output;
use super::scratch::{Kept, Page};
use super::sort::{Record, Sorter};
use std::path::Path;
use twox_hash::XxHash3_128;
use warcsieve_common::Result;

/// Number columns: the place of the paragraph, and the place of the first paragraph with its text.
const NUMBERS: [&str; 5] = ["page", "start", "end", "first_start", "first_end"];

/// All paragraphs, by text.
pub(super) struct Paragraphs {
    /// Records of (hash of the text: two numbers, page, place in the page's text).
    places: Sorter<4>,
    count: u64,
    memory: usize,
}

/// Counts of paragraphs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Repeated {
    pub(super) paragraphs: u64,
    pub(super) repeated: u64,
}

impl Paragraphs {
    pub(super) fn new(folder: &Path, memory: usize) -> Self {
        Self {
            places: Sorter::new(folder, memory),
            count: 0,
            memory,
        }
    }

    /// Adds the paragraphs of a page.
    pub(super) fn push(&mut self, page: u64, text: &str) -> Result<()> {
        let mut start = 0;
        for line in text.split('\n') {
            let paragraph = line.trim();
            if !paragraph.is_empty() {
                let before = start + line.len() - line.trim_start().len();
                let hash = XxHash3_128::oneshot(paragraph.as_bytes());
                let place = packed(before, before + paragraph.len());
                self.count += 1;
                self.places
                    .push([(hash >> 64) as u64, hash as u64, page, place])?;
            }
            start += line.len() + 1;
        }
        Ok(())
    }

    /// Writes `paragraphs.parquet`, in the order of pages. It has a row for each paragraph whose
    /// text occurred before. With a border, it has the paragraphs of the second corpus whose text
    /// is in the first corpus.
    pub(super) fn write(self, out: &Path, border: Option<u32>, kept: &Kept) -> Result<Repeated> {
        let border = border.map(u64::from);
        let mut repeats = Sorter::<4>::new(out, self.memory);
        let mut places = self.places.sorted()?;
        let mut first: Option<Record<4>> = None;
        while let Some(next) = places.next()? {
            let known = first.filter(|first| first[..2] == next[..2]);
            let Some([.., page, place]) = known else {
                first = Some(next);
                continue;
            };
            if border.is_none_or(|border| page < border && border <= next[2]) {
                repeats.push([next[2], next[3], page, place])?;
            }
        }
        let path = out.join("paragraphs.parquet");
        let mut table = Output::create(&path, ["id", "first_id"], NUMBERS, false)?;
        let (mut own, mut other) = (Page::default(), Page::default());
        let mut repeats = repeats.sorted()?;
        while let Some([page, place, first, first_place]) = repeats.next()? {
            // Page numbers are below 2^32.
            kept.read(page as usize, false, &mut own)?;
            kept.read(first as usize, false, &mut other)?;
            let ([start, end], [first_start, first_end]) = (unpacked(place), unpacked(first_place));
            let number = page - border.unwrap_or(0);
            let numbers = [number, start, end, first_start, first_end];
            table.push([Some(&own.id), Some(&other.id)], numbers, None)?;
        }
        Ok(Repeated {
            paragraphs: self.count,
            repeated: table.finish()?,
        })
    }
}

/// Start and end in a text of less than 4 GiB, as one number.
fn packed(start: usize, end: usize) -> u64 {
    (start as u64) << 32 | end as u64
}

fn unpacked(place: u64) -> [u64; 2] {
    [place >> 32, place & u64::from(u32::MAX)]
}
