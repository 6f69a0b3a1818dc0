//! The labels of blocks, from the matches of their words.

use super::tokens::{NONE, Tokens};

/// The gold label of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockGold {
    /// Number of words in the block, as the measures count them.
    pub tokens: u32,
    /// Number of words that match words of the gold.
    pub matched: u32,
    /// Whether at least half of the words match. A block without words is content if the nearest
    /// blocks with words before and after it both are.
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

/// A label for each block; `matches` has the gold word of each page word.
pub(super) fn labels(tokens: &Tokens, matches: &[u32]) -> Vec<BlockGold> {
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

/// Labels the blocks without words, as [`BlockGold::content`] says.
pub(super) fn label_wordless(labels: &mut [BlockGold]) {
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
