//! Chosen columns of the shallow features, a row a block.

use super::local::{Context, Local, NAMES, Needs, TEXT_DENSITY, WORDS, measure, quotient};
use super::table::SHALLOW;
use crate::document::{Document, shrink};
use crate::features::enclosing::around_all;
use crate::features::frequency::Frequencies;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Computes chosen features of [`SHALLOW`] for the blocks of a page.
///
/// A page takes time linear in its text, elements and blocks, and of these only what
/// the columns need: the text is scanned once, if at all. The buffers are kept from
/// page to page. Values are single quotients of counts, the same on every machine.
///
/// Memory: 4 bytes a column and block, and 2 an element.
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
    /// A value by that of the block before.
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

    /// Takes frequencies from a table. Without one they are 0, as of unknown texts.
    pub fn with_frequencies(mut self, frequencies: Arc<Frequencies>) -> Self {
        self.frequencies = Some(frequencies);
        self
    }

    /// Computes the rows of all blocks.
    pub fn compute(&mut self, doc: &Document) {
        self.compute_range(doc, 0..doc.blocks.len());
    }

    /// Computes the rows of some blocks, so that those of a page of very many need
    /// not stand in memory together. A range from 0 begins a page; others go on with it.
    pub fn compute_range(&mut self, doc: &Document, blocks: Range<usize>) {
        if blocks.start == 0 && self.needs.inside {
            shrink(&mut self.around);
            around_all(&doc.tree, &mut self.around);
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

    /// The row of a block of those computed last, in the order of the names given.
    ///
    /// # Panics
    /// If the block is not among them.
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

/// A name that is none of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFeature {
    /// The name.
    pub name: String,
    /// Names that are like it, nearest first.
    pub near: Vec<&'static str>,
}

/// Names offered in place of an unknown one.
const OFFERED: usize = 4;

/// Characters of an unknown name that are looked at and shown.
const SHOWN: usize = 60;

impl UnknownFeature {
    fn new(name: &str) -> Self {
        let name: String = name.chars().take(SHOWN).collect();
        let mut near: Vec<_> = SHALLOW.iter().map(|f| f.name).collect();
        // Stable, so that equals stay in the table's order.
        near.sort_by_cached_key(|known| edits(&name, known));
        near.truncate(OFFERED);
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

/// Least number of characters inserted, deleted and replaced from `a` to `b`.
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
