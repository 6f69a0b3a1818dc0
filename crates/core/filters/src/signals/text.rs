//! A text that is measured, and the buffers for it.

use super::count::Table;
use super::grams::Grams;
pub(super) use crate::lines::count_chars;
use crate::words::Divider;
use std::ops::Range;
use warcsieve_common::{shrink, shrink_text};

/// A text and its words.
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    /// Unicode code points, as Python counts.
    pub(super) chars: usize,
    /// spaCy's words; none for families that do not need them.
    pub(super) words: &'t [Range<u32>],
}

impl<'t> Text<'t> {
    pub(super) fn of(text: &'t str, words: &'t [Range<u32>]) -> Self {
        Self {
            text,
            chars: count_chars(text),
            words,
        }
    }

    /// The words.
    pub(super) fn words(&self) -> impl Iterator<Item = &'t str> {
        let text = self.text;
        self.words
            .iter()
            .map(|w| &text[w.start as usize..w.end as usize])
    }
}

/// Buffers that are reused from text to text.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) divider: Divider,
    pub(super) words: Vec<Range<u32>>,
    /// Words of a line.
    pub(super) line_words: Vec<Range<u32>>,
    /// A line after some parts of it were removed.
    pub(super) line: String,
    pub(super) table: Table,
    pub(super) grams: Grams,
    pub(super) lengths: Vec<u32>,
    /// The results of counting lines for C4 in the last text.
    pub(super) c4: Option<[[usize; 3]; 2]>,
}

impl Scratch {
    /// Frees memory that measures of a large text needed, which the measures after them do not need.
    pub(super) fn shrink(&mut self) {
        shrink(&mut self.line_words);
        shrink_text(&mut self.line);
        self.grams.shrink();
        shrink(&mut self.lengths);
        self.table.shrink();
    }
}
