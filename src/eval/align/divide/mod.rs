//! Labels of blocks from gold text by divide and conquer (Vogels, Ganea, Eickhoff 2018, §4.1).
//!
//! A fragment that the page has exactly once, and the gold exactly once, divides both into two
//! parts, and the same is done in each until no fragment is unique. What matched is then continued
//! word by word to both sides, as far as page and gold go on alike.
//!
//! Fragments are sequences of 16 words at first, then, in the parts that are left, of 8, 4, 2 and 1:
//! what is long is no chance, and what is short is looked for only between what is long. What the page
//! repeats and the gold has once matches only where it continues something unique, and what stands
//! in another order than on the page does not match.
//!
//! # Deviations
//! * The paper draws fragments at random, of a length that it does not give. Here all unique ones of a
//!   length divide at once; where their orders differ, the most that are in order in both.
//! * A part is divided at most [`ROUNDS`] times by fragments of one length, one division within the
//!   other, so that the time is that of as many passes over page and gold.
//!
//! Memory: about 10 bytes a word of the page, and at most about 250 a word of the gold.

#[cfg(test)]
mod tests;

use super::tokens::Tokens;
use super::{BlockGold, NONE, labels, runs};
use crate::document::Document;
use std::collections::HashMap;
use std::ops::Range;

/// Words of a fragment.
pub const FRAGMENTS: [usize; 5] = [16, 8, 4, 2, 1];
/// Most divisions, one within the other, by fragments of one length.
pub const ROUNDS: usize = 8;

/// Labels the blocks of a page by its gold text, as [`super::align`] does by another alignment.
pub fn align(doc: &Document, gold: &str) -> Vec<BlockGold> {
    align_texts(doc.blocks.iter().map(|b| doc.block_text(b)), gold)
}

/// [`align`] for block texts from elsewhere.
pub fn align_texts<'t>(blocks: impl Iterator<Item = &'t str>, gold: &str) -> Vec<BlockGold> {
    let tokens = Tokens::of(blocks, gold);
    labels(&tokens, &matches(&tokens))
}

/// For each page word the gold word that it matches, or [`NONE`].
fn matches(tokens: &Tokens) -> Vec<u32> {
    let mut matches = vec![NONE; tokens.page.len()];
    let mut parts = vec![Part {
        page: 0..tokens.page.len(),
        gold: 0..tokens.gold.len(),
        length: 0,
        round: 0,
    }];
    while let Some(part) = parts.pop() {
        part.divide(tokens, &mut matches, &mut parts);
    }
    runs::extend(tokens, &mut matches);
    matches
}

/// A part of the page, and the part of the gold that is looked for in it.
struct Part {
    page: Range<usize>,
    gold: Range<usize>,
    /// Index of the fragments' length.
    length: usize,
    /// Divisions by that length so far.
    round: usize,
}

impl Part {
    /// Matches the unique fragments, and leaves the parts between them to be divided further.
    fn divide(mut self, tokens: &Tokens, matches: &mut [u32], parts: &mut Vec<Self>) {
        let Some(&words) = FRAGMENTS.get(self.length) else {
            return;
        };
        let found = in_order(&self.unique(tokens, words));
        self.round += 1;
        if found.is_empty() || self.round == ROUNDS {
            (self.length, self.round) = (self.length + 1, 0);
        }
        let mut last = None;
        for (page, gold) in found {
            let diagonal = page.wrapping_sub(gold);
            let is_behind = page >= self.page.start && gold >= self.gold.start;
            // Fragments that overlap are one match if they overlap alike.
            if !is_behind && last != Some(diagonal) {
                continue;
            }
            if is_behind {
                let between = Self {
                    page: self.page.start..page,
                    gold: self.gold.start..gold,
                    ..self
                };
                parts.extend(Some(between).filter(Self::can_match));
            }
            for word in 0..words {
                matches[page + word] = (gold + word) as u32;
            }
            (self.page.start, self.gold.start) = (page + words, gold + words);
            last = Some(diagonal);
        }
        parts.extend(Some(self).filter(Self::can_match));
    }

    fn can_match(&self) -> bool {
        !self.page.is_empty() && !self.gold.is_empty()
    }

    /// Places in page and gold of the fragments that both parts have exactly once, in the order of
    /// the gold.
    fn unique(&self, tokens: &Tokens, words: usize) -> Vec<(usize, usize)> {
        #[derive(Default)]
        struct Met {
            in_gold: u32,
            in_page: u32,
            page: u32,
        }
        let mut fragments: HashMap<&[u32], Met> = HashMap::new();
        let gold = || tokens.gold[self.gold.clone()].windows(words);
        for fragment in gold() {
            fragments.entry(fragment).or_default().in_gold += 1;
        }
        let page = tokens.page[self.page.clone()].windows(words);
        for (page, fragment) in (0..).zip(page) {
            if let Some(met) = fragments.get_mut(fragment) {
                met.in_page += 1;
                met.page = page;
            }
        }
        let place = |(gold, fragment)| {
            let met = fragments.get(fragment)?;
            let is_unique = met.in_gold == 1 && met.in_page == 1;
            is_unique.then(|| (self.page.start + met.page as usize, gold))
        };
        (self.gold.start..).zip(gold()).filter_map(place).collect()
    }
}

/// Of places in the order of the gold, the most that are in the order of the page as well: a longest
/// increasing subsequence, and of several that whose places on the page are least, the last first.
fn in_order(places: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Of each length, the end of the subsequence that ends first on the page.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; places.len()];
    for (at, (page, _)) in places.iter().enumerate() {
        let length = ends.partition_point(|end| places[*end].0 < *page);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut order = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        order.push(places[at]);
        next = before[at];
    }
    order.reverse();
    order
}
