//! Labels of blocks from gold text: which of a page's words are the gold's?
//!
//! The words of all blocks, in order, are aligned with the words of the gold.
//! A match counts 1, and ½ more if it continues the last one: the words before
//! both match each other. Page words that the gold does not have are left out
//! first; up to [`NEAR_PAGE`] of them interrupt no run. Of the alignment with the
//! greatest score, runs of fewer than [`SHORT`] words are dropped unless another
//! run is within [`NEAR_GOLD`] words of the gold and [`NEAR_PAGE`] of the page: an
//! isolated "Reply" is chance. Sequences of [`GRAM`] gold words that are still unmatched
//! may then match anywhere on the page, so gold in another order than the page's
//! is found as well.
//!
//! The alignment is exact as long as at most [`MOST_PAIRS`] pairs of a page word
//! and a gold word are equal. Beyond, the most frequent words are left out until
//! that holds, and join the runs of the others where these can be continued.
//! Memory: 16 bytes a pair, at most 64 MiB; about 20 bytes a word of the page and at
//! most about 100 a word of the gold. Time: linear in words, and a logarithm for
//! each pair.
//!
//! [`divide`] is another way, that of a paper.

pub mod divide;
mod path;
mod runs;
#[cfg(test)]
mod tests;
mod tokens;

use crate::document::Document;
use tokens::Tokens;

/// Pairs of equal words up to which an alignment is exact.
pub const MOST_PAIRS: usize = 1 << 22;
/// Runs of fewer words need a neighbour.
pub const SHORT: usize = 3;
/// Most gold words between neighbours.
pub const NEAR_GOLD: usize = 2;
/// Most page words between neighbours, and most left-out ones within a run.
pub const NEAR_PAGE: usize = 25;
/// Words of a sequence that may match out of order.
pub const GRAM: usize = 5;

/// How gold texts become labels of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// The alignment with the greatest score: [`align`].
    #[default]
    Tokens,
    /// Divide and conquer: [`divide::align`].
    Divide,
}

impl Alignment {
    /// What the command line and model files call it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Divide => "divide",
        }
    }

    /// Labels the blocks of a page by its gold text.
    pub fn align(self, doc: &Document, gold: &str) -> Vec<BlockGold> {
        match self {
            Self::Tokens => align(doc, gold),
            Self::Divide => divide::align(doc, gold),
        }
    }
}

/// What gold says about a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockGold {
    /// Words of the block, as measures count them.
    pub tokens: u32,
    /// Those that match words of the gold.
    pub matched: u32,
    /// At least half of the words match. A block without words is content if the
    /// nearest blocks with words before and after it both are.
    pub content: bool,
}

impl BlockGold {
    /// Whether at least 90 % or at most 10 % of the words match; a block without
    /// words is clear.
    pub fn is_clear(&self) -> bool {
        let (matched, tokens) = (10 * u64::from(self.matched), u64::from(self.tokens));
        matched >= 9 * tokens || matched <= tokens
    }
}

/// Labels the blocks of a page by its gold text.
///
/// ```
/// use warcsieve::{document::Document, eval::align::align};
/// use warcsieve::html::{Segmenter, SegmenterOptions};
///
/// let mut doc = Document::default();
/// let page = "<h1>A title</h1><p>Share</p><p>And all of its text.</p>";
/// Segmenter::new(SegmenterOptions::default()).segment_html(page, &mut doc)?;
/// let labels: Vec<_> = align(&doc, "A title\nAnd all of its text").iter().map(|b| b.content).collect();
/// assert_eq!(labels, [true, false, true]);
/// # Ok::<(), warcsieve::html::SegmentError>(())
/// ```
pub fn align(doc: &Document, gold: &str) -> Vec<BlockGold> {
    align_texts(doc.blocks.iter().map(|b| doc.block_text(b)), gold)
}

/// [`align`] for block texts from elsewhere.
pub fn align_texts<'t>(blocks: impl Iterator<Item = &'t str>, gold: &str) -> Vec<BlockGold> {
    let tokens = Tokens::of(blocks, gold);
    labels(&tokens, &matches(&tokens, MOST_PAIRS))
}

/// What the matches of words say about blocks.
fn labels(tokens: &Tokens, matches: &[u32]) -> Vec<BlockGold> {
    let mut labels = Vec::with_capacity(tokens.ends.len());
    let mut start = 0;
    for &end in &tokens.ends {
        let matched = matches[start..end].iter().filter(|m| **m != NONE).count();
        labels.push(BlockGold {
            tokens: (end - start) as u32,
            matched: matched as u32,
            content: end > start && 2 * matched >= end - start,
        });
        start = end;
    }
    label_wordless(&mut labels);
    labels
}

/// No match.
const NONE: u32 = u32::MAX;

/// For each page word the gold word that it matches, or [`NONE`].
fn matches(tokens: &Tokens, most_pairs: usize) -> Vec<u32> {
    let path = path::best(&tokens.page, &tokens.gold, tokens.words, most_pairs);
    let mut matches = vec![NONE; tokens.page.len()];
    runs::keep(&path, &mut matches);
    runs::extend(tokens, &mut matches);
    runs::elsewhere(tokens, &mut matches);
    matches
}

fn label_wordless(labels: &mut [BlockGold]) {
    let mut before = false;
    let mut at = 0;
    while at < labels.len() {
        if labels[at].tokens > 0 {
            before = labels[at].content;
            at += 1;
            continue;
        }
        let len = labels[at..].iter().take_while(|b| b.tokens == 0).count();
        let after = labels.get(at + len).is_some_and(|b| b.content);
        for label in &mut labels[at..at + len] {
            label.content = before && after;
        }
        at += len;
    }
}
