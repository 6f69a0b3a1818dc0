//! Body Text Extraction: content is the one region with the most words inside
//! and the most tags outside.
//!
//! Finn, Kushmerick, Smyth: Fact or Fiction: Content Classification for Digital
//! Libraries, DELOS 2001; the rival of Kohlschütter et al. 2010, §2, §4.3.2, §6.
//!
//! A page is a sequence of tokens, each a word or a tag. The region from token i
//! to j is worth (words in i..j) + (tags before i) + (tags after j). Published as
//! a search over all pairs. Since the tags outside are all tags less those inside,
//! the worth is a constant plus (words − tags) inside: the maximum subarray of
//! +1 for a word and −1 for a tag, found in one pass without memory (Kadane).
//! Of regions of equal worth the first to begin is taken, and of those the
//! shortest: the one that the published search meets first.
//!
//! A region that is worth most begins and ends with a word, so with segmentation
//! `leaves`, where no tag stands inside a block, cutting at the borders of blocks
//! loses nothing.
//!
//! # Deviations
//! * With the other segmentations the region cannot end at a tag inside a block;
//!   such a block counts as its words less its inner tags. On L3S-GN1, CleanEval and
//!   Dragnet's pages `inline` and `paper` change the mean word F1 by .001 at most.
//! * Comments and declarations are not tags, and script and style hold no words.

use super::{Classifier, Label, Names};
use crate::config::{ParamError, StepParams};
use crate::document::{Block, Document};
use serde::Deserialize;
use std::ops::Range;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {}

struct Bte {
    inside: u32,
    outside: u32,
}

pub(super) fn build(
    params: StepParams<'_>,
    names: &mut Names,
) -> Result<Box<dyn Classifier>, ParamError> {
    let Params {} = params.read()?;
    Ok(Box::new(Bte {
        inside: names.reason("inside the region of most words and fewest tags"),
        outside: names.reason("outside the region of most words and fewest tags"),
    }))
}

/// The region of most (words − tags), as blocks; empty for a page without any.
fn region(blocks: &[Block]) -> Range<usize> {
    let mut best = 0..0;
    let mut most = i64::MIN;
    let mut start = 0;
    let mut worth = 0;
    for (i, block) in blocks.iter().enumerate() {
        worth -= i64::from(block.tags_before);
        if worth < 0 || i == 0 {
            (start, worth) = (i, 0);
        }
        worth += i64::from(block.tokens) - i64::from(block.tags_inside);
        if worth > most {
            (best, most) = (start..i + 1, worth);
        }
    }
    best
}

/// Words and tags of a region, the tags before its first block not among them.
fn words_and_tags(region: &[Block]) -> (u64, u64) {
    let words = region.iter().map(|b| u64::from(b.tokens)).sum();
    let inside: u64 = region.iter().map(|b| u64::from(b.tags_inside)).sum();
    let between: u64 = region
        .iter()
        .skip(1)
        .map(|b| u64::from(b.tags_before))
        .sum();
    (words, inside + between)
}

impl Classifier for Bte {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        let region = region(&doc.blocks);
        labels.fill(Label::plain(false, self.outside));
        labels[region].fill(Label::plain(true, self.inside));
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let region = region(&doc.blocks);
        let (words, tags) = words_and_tags(&doc.blocks[region.clone()]);
        format!(
            "bte: {} blocks {} to {}, of {words} words and {tags} tags",
            if region.contains(&block) {
                "inside"
            } else {
                "outside"
            },
            region.start,
            region.end.saturating_sub(1),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::fixture::{counted, segmented};
    use crate::html::Segmentation;
    use proptest::prelude::*;

    /// The published search, over blocks: words inside and tags outside.
    fn search(blocks: &[Block]) -> Range<usize> {
        let tags: u64 = blocks
            .iter()
            .map(|b| u64::from(b.tags_before + b.tags_inside))
            .sum();
        let mut best = (0..0, None);
        for i in 0..blocks.len() {
            for j in i + 1..=blocks.len() {
                let (words, inside) = words_and_tags(&blocks[i..j]);
                let worth = words + tags - inside;
                if best.1.is_none_or(|most| worth > most) {
                    best = (i..j, Some(worth));
                }
            }
        }
        best.0
    }

    /// The published search, over the tokens of the page: `true` is a tag.
    fn search_tokens(tokens: &[bool]) -> Range<usize> {
        let mut best = (0..0, 0);
        for i in 0..tokens.len() {
            for j in i + 1..=tokens.len() {
                let count = |part: &[bool], tag| part.iter().filter(|&&t| t == tag).count();
                let worth = count(&tokens[..i], true)
                    + count(&tokens[i..j], false)
                    + count(&tokens[j..], true);
                // A region that begins with a tag or ends with one is never alone the best.
                if worth > best.1 && !tokens[i] && !tokens[j - 1] {
                    best = (i..j, worth);
                }
            }
        }
        best.0
    }

    #[test]
    fn boilerplate_is_kept_where_the_tags_to_it_cost_less_than_its_words() {
        let page = [
            counted(9, 3, 0),
            counted(4, 50, 2),
            counted(5, 5, 0),
            counted(2, 3, 0),
            counted(9, 8, 0),
        ];
        // 50 − 2, then 5 − 5 pays for nothing, then 3 − 2 does.
        assert_eq!(region(&page), 1..4);
        assert_eq!(region(&page[..3]), 1..2);
        assert_eq!(words_and_tags(&page[1..4]), (58, 9));
    }

    #[test]
    fn the_first_and_shortest_of_equal_regions() {
        assert_eq!(region(&[counted(0, 5, 0), counted(5, 5, 0)]), 0..1);
        assert_eq!(
            region(&[counted(0, 5, 0), counted(9, 2, 0), counted(2, 5, 0)]),
            0..1
        );
        assert_eq!(region(&[counted(0, 2, 0), counted(2, 5, 0)]), 0..2);
        assert_eq!(
            region(&[counted(0, 1, 7), counted(0, 1, 3), counted(0, 1, 3)]),
            1..2
        );
        assert_eq!(region(&[]), 0..0);
    }

    fn any_page() -> impl Strategy<Value = Vec<Block>> {
        prop::collection::vec((0..6u32, 1..8u32, 0..5u32), 0..14)
            .prop_map(|page| page.iter().map(|&(a, b, c)| counted(a, b, c)).collect())
    }

    proptest! {
        #[test]
        fn one_pass_finds_what_the_published_search_finds(page in any_page()) {
            prop_assert_eq!(region(&page), search(&page));
        }

        /// On leaves, borders of blocks lose nothing against the sequence of tokens.
        #[test]
        fn leaves_are_the_sequence_of_tokens(tokens in prop::collection::vec(any::<bool>(), 0..40)) {
            let html: String = tokens.iter().map(|&tag| if tag { "<b>" } else { " w " }).collect();
            let doc = segmented(&html, Segmentation::Leaves);
            let expected = &tokens[search_tokens(&tokens)];
            let words = expected.iter().filter(|&&tag| !tag).count() as u64;
            let (found, tags) = words_and_tags(&doc.blocks[region(&doc.blocks)]);
            prop_assert_eq!((found, found + tags), (words, expected.len() as u64));
        }
    }
}
