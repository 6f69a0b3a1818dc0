//! Labels of blocks from gold text: finds the words of the page that are in the gold.
//!
//! The words of all blocks, in order, are aligned with the words of the gold. A match scores 1, and
//! ½ more if it continues the last match, that is, if the words before both match each other. Page
//! words that do not occur in the gold are removed first; up to [`NEAR_PAGE`] of them do not
//! interrupt a run. In the alignment with the greatest score, runs of fewer than [`SHORT`] words
//! are dropped unless another run is within [`NEAR_GOLD`] words in the gold and [`NEAR_PAGE`] on
//! the page: an isolated "Reply" matches by chance. Sequences of [`GRAM`] gold words that are still
//! unmatched may then match anywhere on the page, so gold in another order than the page's is found
//! too.
//!
//! The alignment is exact as long as at most [`MAX_PAIRS`] pairs of a page word and a gold word are equal. With more
//! pairs, the most frequent words are left out until that holds. They are matched afterwards where they extend runs of
//! the other words. Memory: 16 bytes per pair, at most 64 MiB; about 20 bytes per word of the page and at most about
//! 100 per word of the gold. Time: linear in the words, plus O(log n) per pair.
//!
//! [`divide`] is another alignment, from a paper.

pub mod divide;
mod labels;
mod path;
mod runs;
#[cfg(test)]
mod tests;
mod tokens;

pub use labels::BlockGold;
pub use runs::{GRAM, NEAR_GOLD, NEAR_PAGE, SHORT};

use labels::labels;
use tokens::{NONE, Tokens};
use warcsieve_html::document::Document;

/// Maximum number of pairs of equal words for an exact alignment.
pub const MAX_PAIRS: usize = 1 << 22;
/// How gold texts become labels of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// The alignment with the greatest score: [`align`].
    #[default]
    Tokens,
    /// Divide and conquer: [`divide::align`].
    Divide,
    /// Like divide and conquer, but a block is content if more than two thirds of its characters match, as in the
    /// published program of the paper's authors: [`divide::align_by_characters`].
    TwoThirds,
}

impl Alignment {
    /// Its name on the command line and in model files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Divide => "divide",
            Self::TwoThirds => "two-thirds",
        }
    }

    /// Labels the blocks of a page by its gold text.
    pub fn align(self, doc: &Document, gold: &str) -> Vec<BlockGold> {
        match self {
            Self::Tokens => align(doc, gold),
            Self::Divide => divide::align(doc, gold),
            Self::TwoThirds => divide::align_by_characters(doc, gold),
        }
    }
}

/// Labels the blocks of a page by its gold text.
///
/// ```
/// use warcsieve_eval::align::align;
/// use warcsieve_html::document::Document;
/// use warcsieve_html::{Segmenter, SegmenterOptions};
///
/// let mut doc = Document::default();
/// let page = "<h1>A title</h1><p>Share</p><p>And all of its text.</p>";
/// Segmenter::new(SegmenterOptions::default()).segment_html(page, &mut doc)?;
/// let labels: Vec<_> = align(&doc, "A title\nAnd all of its text").iter().map(|b| b.content).collect();
/// assert_eq!(labels, [true, false, true]);
/// # Ok::<(), warcsieve_html::SegmentError>(())
/// ```
pub fn align(doc: &Document, gold: &str) -> Vec<BlockGold> {
    align_texts(doc.blocks.iter().map(|b| doc.block_text(b)), gold)
}

/// [`align`] for block texts from elsewhere.
pub fn align_texts<'t>(blocks: impl Iterator<Item = &'t str>, gold: &str) -> Vec<BlockGold> {
    let tokens = Tokens::of(blocks, gold);
    labels(&tokens, &matches(&tokens, MAX_PAIRS))
}

/// Which words of a page match which words of a gold text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordMatches {
    /// For each word of the page, as [`words`](crate::words::words) splits the blocks, the index of the gold word that
    /// it matches.
    pub page: Vec<Option<u32>>,
    /// For each block the end of its words in `page`.
    pub ends: Vec<usize>,
    /// Number of words of the gold.
    pub gold: usize,
}

/// The matches from which [`align_texts`] computes labels.
pub fn match_words<'t>(blocks: impl Iterator<Item = &'t str>, gold: &str) -> WordMatches {
    let tokens = Tokens::of(blocks, gold);
    let matches = matches(&tokens, MAX_PAIRS);
    WordMatches {
        page: matches.iter().map(|&m| (m != NONE).then_some(m)).collect(),
        ends: tokens.ends,
        gold: tokens.gold.len(),
    }
}

/// For each page word the index of the gold word that it matches, or [`NONE`].
fn matches(tokens: &Tokens, most_pairs: usize) -> Vec<u32> {
    let path = path::best(&tokens.page, &tokens.gold, tokens.words, most_pairs);
    let mut matches = vec![NONE; tokens.page.len()];
    runs::keep(&path, &mut matches);
    runs::extend(tokens, &mut matches);
    runs::elsewhere(tokens, &mut matches);
    matches
}
