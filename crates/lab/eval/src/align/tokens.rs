//! The words of a page and of its gold, as numbers.

use crate::words::{Vocabulary, words};

/// Used instead of the number of a gold word if none matches.
pub(super) const NONE: u32 = u32::MAX;

/// Words as numbers: equal words have equal numbers.
pub(super) struct Tokens {
    /// Words of the page; 0 is a word that does not occur in the gold.
    pub page: Vec<u32>,
    /// Words of the gold, numbered from 1.
    pub gold: Vec<u32>,
    /// The greatest word number plus one.
    pub words: usize,
    /// For each block the end of its words in `page`.
    pub ends: Vec<usize>,
}

impl Tokens {
    pub fn of<'t>(blocks: impl Iterator<Item = &'t str>, gold: &str) -> Self {
        let mut vocabulary = Vocabulary::default();
        let mut gold = vocabulary.ids(gold);
        gold.iter_mut().for_each(|word| *word += 1);
        let (mut page, mut ends) = (Vec::new(), Vec::new());
        for block in blocks {
            words(block, |word| {
                page.push(vocabulary.get(word).map_or(0, |id| id + 1))
            });
            ends.push(page.len());
        }
        Self {
            page,
            gold,
            words: vocabulary.len() + 1,
            ends,
        }
    }
}
