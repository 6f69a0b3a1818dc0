//! Labels of blocks from gold text by divide and conquer (Vogels, Ganea, Eickhoff 2018, §4.1).
//!
//! A fragment that occurs exactly once in the page and exactly once in the gold divides both into
//! two parts. The parts are divided in the same way until no fragment is unique. Every match is
//! then extended word by word to both sides, as far as page and gold have equal words.
//!
//! Fragments are sequences of 16 words first, then, in the remaining parts, of 8, 4, 2 and 1. A long match is not
//! random, and short ones are searched only between long ones. If the page repeats a text that the gold has once, it
//! matches only where it extends a unique fragment. Text that is in another order in the gold than on the page does not
//! match.
//!
//! Example: page `home news a b c news`, gold `a b c`. With fragments of 2 words, `a b` and `b c`
//! are unique in both and overlap in the same way, so they make one match of 3 words; `home news`
//! and the last `news` remain unmatched.
//!
//! # Deviations
//! * The paper draws fragments at random and does not state their length. Here all unique fragments of a length divide
//!   at once. If their orders in page and gold differ, the largest set that is in order in both is used.
//! * Divisions by fragments of one length are nested at most [`ROUNDS`] deep. So for each length the time is that of
//!   this many passes over page and gold.
//! * In the authors' program a leaf is content if more than two thirds of its characters match. Here at least half of
//!   its words must match; [`align_by_characters`] is like the program, but counts only the characters of words.
//!
//! Memory: about 10 bytes per word of the page, and at most about 250 per word of the gold.

#[cfg(test)]
mod tests;

use super::labels::{BlockGold, label_wordless, labels};
use super::runs;
use super::tokens::{NONE, Tokens};
use crate::words::words;
use std::collections::HashMap;
use std::ops::Range;
use warcsieve_html::document::Document;

/// Lengths of fragments in words, in the order in which they are tried.
pub const FRAGMENTS: [usize; 5] = [16, 8, 4, 2, 1];
/// Maximum number of nested divisions by fragments of one length.
pub const ROUNDS: usize = 8;

/// Labels the blocks of a page by its gold text, like [`super::align`] but with another alignment.
pub fn align(doc: &Document, gold: &str) -> Vec<BlockGold> {
    align_texts(doc.blocks.iter().map(|b| doc.block_text(b)), gold)
}

/// [`align`] for block texts from elsewhere.
pub fn align_texts<'t>(blocks: impl Iterator<Item = &'t str>, gold: &str) -> Vec<BlockGold> {
    let tokens = Tokens::of(blocks, gold);
    labels(&tokens, &matches(&tokens))
}

/// Like [`align`], but a block is content if more than two thirds of the characters of its words match.
pub fn align_by_characters(doc: &Document, gold: &str) -> Vec<BlockGold> {
    let texts = || doc.blocks.iter().map(|b| doc.block_text(b));
    let tokens = Tokens::of(texts(), gold);
    let matches = matches(&tokens);
    let mut labels = labels(&tokens, &matches);
    let mut matches = matches.iter();
    for (label, text) in labels.iter_mut().zip(texts()) {
        let (mut found, mut all) = (0, 0);
        words(text, |word| {
            let chars = word.chars().count();
            all += chars;
            if matches.next().is_some_and(|gold| *gold != NONE) {
                found += chars;
            }
        });
        label.content = 3 * found > 2 * all;
    }
    label_wordless(&mut labels);
    labels
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

/// A part of the page, and the part of the gold to match with it.
struct Part {
    page: Range<usize>,
    gold: Range<usize>,
    /// Index into [`FRAGMENTS`].
    length: usize,
    /// Nested divisions by this length so far.
    round: usize,
}

impl Part {
    /// Matches the unique fragments, and pushes the parts between them to `parts` to be divided
    /// further.
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
            let is_after_last = page >= self.page.start && gold >= self.gold.start;
            // A fragment that overlaps the last match extends it only if page and gold overlap by
            // the same number of words (same diagonal); otherwise it is dropped.
            if !is_after_last && last != Some(diagonal) {
                continue;
            }
            if is_after_last {
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

    /// Positions in page and gold of the fragments that occur exactly once in each part, in the
    /// order of the gold.
    fn unique(&self, tokens: &Tokens, words: usize) -> Vec<(usize, usize)> {
        #[derive(Default)]
        struct Occurrences {
            in_gold: u32,
            in_page: u32,
            page: u32,
        }
        let mut fragments: HashMap<&[u32], Occurrences> = HashMap::new();
        let gold = || tokens.gold[self.gold.clone()].windows(words);
        for fragment in gold() {
            fragments.entry(fragment).or_default().in_gold += 1;
        }
        let page = tokens.page[self.page.clone()].windows(words);
        for (page, fragment) in (0..).zip(page) {
            if let Some(seen) = fragments.get_mut(fragment) {
                seen.in_page += 1;
                seen.page = page;
            }
        }
        let place = |(gold, fragment)| {
            let seen = fragments.get(fragment)?;
            let is_unique = seen.in_gold == 1 && seen.in_page == 1;
            is_unique.then(|| (self.page.start + seen.page as usize, gold))
        };
        (self.gold.start..).zip(gold()).filter_map(place).collect()
    }
}

/// The largest subset of `places`, which are in the order of the gold, that is in the order of the
/// page too: a longest increasing subsequence. Of several, the one with the smallest positions on
/// the page, compared from the last position to the first.
fn in_order(places: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Patience sorting. `ends[n]`: the end of the subsequence of length n + 1 that ends first on
    // the page; `before[i]`: the place before `i` in the subsequence that ends at `i`.
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
