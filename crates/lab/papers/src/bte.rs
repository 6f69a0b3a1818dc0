//! Body Text Extraction: content is the one region with the most words inside
//! and the most tags outside.
//!
//! Finn, Kushmerick, Smyth: Fact or Fiction: Content Classification for Digital
//! Libraries, DELOS 2001; a baseline of Kohlschütter et al. 2010, §2, §4.3.2, §6.
//!
//! A page is a sequence of tokens, each a word or a tag. The value of the region from token i to j
//! is (words in i..j) + (tags before i) + (tags after j). The paper searches all pairs. The tags
//! outside are all tags minus those inside, so the value is a constant plus (words − tags) inside:
//! the maximum subarray of +1 for a word and −1 for a tag. It is found in one pass without memory
//! (Kadane). Of regions of equal value, the one that begins first is taken, and of those the
//! shortest. This is the one that the published search finds first.
//!
//! A region of greatest value begins and ends with a word. So with the segmentation `leaves`, in
//! which no tag is inside a block, regions of whole blocks are as good as regions of tokens.
//!
//! # Deviations
//! * With the other segmentations the region cannot end at a tag inside a block; such a block
//!   counts as its words minus its inner tags. On L3S-GN1, CleanEval and Dragnet's pages, `inline`
//!   and `paper` change the mean word F1 by .001 at most.
//! * Comments and declarations are not tags, and script and style contain no words.

use std::ops::Range;
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, ReasonPair, shipped};
use warcsieve_html::Segmentation;
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "bte",
    summary: "the one region with the most words inside and the most tags outside",
    family: "Methods that the papers compare with",
    paper: "Finn, Kushmerick, Smyth 2001 (Body Text Extraction); rival in Kohlschütter et al. 2010",
    segmentation: Segmentation::Leaves,
    pipelines: &[shipped!(
        "bte",
        "Body Text Extraction: it keeps the one region with the most words and the fewest tags, with everything inside that region. It is good for simple pages with one body of text."
    )],
    build,
    ..Method::PLAIN
};

struct Bte {
    reasons: ReasonPair,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    params.expect_none()?;
    Ok(Box::new(Bte {
        reasons: ReasonPair::new(
            names,
            "inside the region of most words and fewest tags",
            "outside the region of most words and fewest tags",
        ),
    }))
}

/// The range of blocks with the greatest (words − tags); empty for a page without blocks.
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

/// Words and tags of a region, not counting the tags before its first block.
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
        labels.fill(self.reasons.label(false));
        labels[region].fill(self.reasons.label(true));
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
    use proptest::prelude::*;
    use warcsieve_fixture::{counted, segmented};
    use warcsieve_html::Segmentation;

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
                // A region that begins or ends with a tag is never the best: without the tag it is
                // better.
                if worth > best.1 && !tokens[i] && !tokens[j - 1] {
                    best = (i..j, worth);
                }
            }
        }
        best.0
    }

    #[test]
    fn blocks_are_joined_where_their_words_outweigh_the_tags_between() {
        let page = [
            counted(9, 3, 0),
            counted(4, 50, 2),
            counted(5, 5, 0),
            counted(2, 3, 0),
            counted(9, 8, 0),
        ];
        // 50 − 2. Adding 5 − 5 gains nothing, but with the 3 − 2 after it, it does.
        assert_eq!(region(&page), 1..4);
        assert_eq!(region(&page[..3]), 1..2);
        assert_eq!(words_and_tags(&page[1..4]), (58, 9));
    }

    #[test]
    fn of_equal_regions_the_first_and_shortest_is_taken() {
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

        /// With leaves, regions of blocks are as good as regions of tokens.
        #[test]
        fn leaves_have_the_same_region_as_tokens(tokens in prop::collection::vec(any::<bool>(), 0..40)) {
            let html: String = tokens.iter().map(|&tag| if tag { "<b>" } else { " w " }).collect();
            let doc = segmented(&html, Segmentation::Leaves);
            let expected = &tokens[search_tokens(&tokens)];
            let words = expected.iter().filter(|&&tag| !tag).count() as u64;
            let (found, tags) = words_and_tags(&doc.blocks[region(&doc.blocks)]);
            prop_assert_eq!((found, found + tags), (words, expected.len() as u64));
        }
    }
}
