//! Chosen columns of the shallow features, one row per block.

use super::local::{Context, Local, NAMES, Needs, TEXT_DENSITY, WORDS, measure, quotient};
use super::table::SHALLOW;
use crate::enclosing::enclosing_bits;
use crate::frequency::Frequencies;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use warcsieve_common::shrink;
use warcsieve_html::document::Document;

/// Computes chosen features of [`SHALLOW`] for the blocks of a page.
///
/// A page takes time linear in its text, elements and blocks. Only what the columns need is read:
/// the text is scanned once or not at all. The buffers are kept from page to page. Values are
/// single quotients of counts, so they are the same on every machine.
///
/// Memory: 4 bytes per column and block, and 2 per element.
#[derive(Clone, Debug)]
pub struct Shallow {
    columns: Vec<Column>,
    needs: Needs,
    frequencies: Option<Arc<Frequencies>>,
    around: Vec<u16>,
    rows: Vec<f32>,
    /// Block of the first row.
    first: usize,
}

/// Where a column's value comes from.
#[derive(Clone, Copy, Debug)]
enum Column {
    /// A value of the previous (0), current (1) or next (2) block.
    Of(usize, usize),
    /// A value divided by that of the previous block.
    Quotient(usize),
}

impl Column {
    fn parse(name: &str) -> Option<Self> {
        SHALLOW.iter().find(|f| f.name == name)?;
        let (block, value) = match name.split_once('.') {
            Some(("prev", value)) => (0, value),
            Some((_, value)) => (2, value),
            None => (1, name),
        };
        Some(match value {
            "words_quotient" => Self::Quotient(WORDS),
            "text_density_quotient" => Self::Quotient(TEXT_DENSITY),
            _ => Self::Of(block, NAMES.iter().position(|n| *n == value)?),
        })
    }
}

impl Shallow {
    /// Columns in the order of `names`.
    ///
    /// # Errors
    /// The first name that is not in [`SHALLOW`].
    pub fn new<S: AsRef<str>>(names: &[S]) -> Result<Self, UnknownFeature> {
        let columns = names
            .iter()
            .map(|n| Column::parse(n.as_ref()).ok_or_else(|| UnknownFeature::new(n.as_ref())))
            .collect::<Result<Vec<_>, _>>()?;
        let mut needs = Needs::default();
        for column in &columns {
            match column {
                Column::Of(_, value) | Column::Quotient(value) => needs.add(*value),
            }
        }
        Ok(Self {
            columns,
            needs,
            frequencies: None,
            around: Vec::new(),
            rows: Vec::new(),
            first: 0,
        })
    }

    /// Uses a table of frequencies. Without a table the frequencies are 0, as for unknown texts.
    pub fn with_frequencies(mut self, frequencies: Arc<Frequencies>) -> Self {
        self.frequencies = Some(frequencies);
        self
    }

    /// Computes the rows of all blocks.
    pub fn compute(&mut self, doc: &Document) {
        self.compute_range(doc, 0..doc.blocks.len());
    }

    /// Computes the rows of a range of blocks, so that not all rows of a very large page must be in
    /// memory at the same time. A range that starts at 0 begins a page; other ranges continue it.
    pub fn compute_range(&mut self, doc: &Document, blocks: Range<usize>) {
        if blocks.start == 0 && self.needs.inside {
            shrink(&mut self.around);
            enclosing_bits(&doc.tree, &mut self.around);
        }
        self.first = blocks.start;
        shrink(&mut self.rows);
        self.rows.clear();
        let blocks = blocks.start..blocks.end.min(doc.blocks.len());
        self.rows.reserve(blocks.len() * self.columns.len());
        let context = Context {
            needs: self.needs,
            around: &self.around,
            frequencies: self.frequencies.as_deref(),
        };
        let before = blocks.start.checked_sub(1);
        let [mut prev, mut curr] = [before, Some(blocks.start)].map(|i| measure(doc, i, &context));
        for i in blocks {
            let next = measure(doc, Some(i + 1), &context);
            let around = [prev, curr, next];
            self.rows
                .extend(self.columns.iter().map(|c| c.value(&around)));
            [_, prev, curr] = around;
        }
    }

    /// The row of a block, in the order of the names given to [`Shallow::new`].
    ///
    /// # Panics
    /// If the block is not in the range computed last.
    pub fn row(&self, block: usize) -> &[f32] {
        let start = (block - self.first) * self.columns.len();
        &self.rows[start..start + self.columns.len()]
    }
}

impl Column {
    /// `blocks` are the previous, current and next one.
    fn value(self, blocks: &[Local; 3]) -> f32 {
        match self {
            Self::Of(block, value) => blocks[block][value],
            Self::Quotient(value) => quotient(blocks[1][value], blocks[0][value]),
        }
    }
}

/// A name that is not the name of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFeature {
    /// The name.
    pub name: String,
    /// Similar names, nearest first.
    pub near: Vec<&'static str>,
}

/// How many names are suggested for an unknown one.
const SUGGESTED: usize = 4;

/// How many characters of an unknown name are compared and shown.
const SHOWN: usize = 60;

impl UnknownFeature {
    fn new(name: &str) -> Self {
        let name: String = name.chars().take(SHOWN).collect();
        let mut near: Vec<_> = SHALLOW.iter().map(|f| f.name).collect();
        // The sort is stable, so equal names stay in the order of the table.
        near.sort_by_cached_key(|known| edits(&name, known));
        near.truncate(SUGGESTED);
        Self { name, near }
    }
}

impl fmt::Display for UnknownFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = self.near.join(", ");
        write!(f, "unknown feature `{}`; near it are {near}", self.name)
    }
}

impl std::error::Error for UnknownFeature {}

/// The Levenshtein distance: the fewest insertions, deletions and replacements from `a` to `b`.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}
