//! Chooses the content of a page from the probabilities of its blocks: the choice with the highest
//! expected F-β.
//!
//! F-β = (1 + β²) · TP / (chosen + β² · relevant), all counted in tokens. A block of `w` tokens that is content with
//! probability `p` has p·w expected tokens of content. If a page consisted of many small and independent blocks, the
//! expected F-β of a choice would be about the quotient of the expectations, (1 + β²) · Σ p·w over the choice / (Σ w
//! over the choice + β² · Σ p·w over the page).
//!
//! But the blocks of a page are not independent. On one page lists are content, on another they are not. If a
//! classifier takes some kind of block on a page for content, it mostly does so for all blocks of that kind on the
//! page. So the quotient is computed for several kinds of pages: those with more content than the probabilities say,
//! and those with less (`shifts.rs`). The mean over these kinds is maximized.
//!
//! Invariant: no block that is left out has a higher probability than a block that is kept.
//!
//! So only prefixes of the blocks in order of falling probability are compared: of two blocks of equal size the
//! likelier one is the better choice on every kind of page. With β = 1, a block of 10 tokens with p = .99 and ninety
//! blocks of one token with p = .3:
//!
//! ```text
//! prefix       were they independent             the mean over kinds of pages
//! the first    2 ·  9.9 / ( 10 + 36.9) = .422    .587   on most pages the others are boilerplate,
//! all          2 · 36.9 / (100 + 36.9) = .539    .473   and without them the choice is right
//! ```

mod beta;
mod shifts;

pub use beta::Beta;

use serde::Deserialize;
use shifts::{KINDS, WEIGHTS, likely};
use warcsieve_common::with_defaults;
use warcsieve_features::structure::Comment;

/// How readers' comments are labelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comments {
    /// They are boilerplate if the page has other content. If it has none, as in a forum whose
    /// posts are called comments, they are labelled like any other text.
    #[default]
    Drop,
    /// What readers wrote is content, with a probability of at least .8. The rest of the comments is labelled like any
    /// other text. The forests need this, because they learn from pages where comments are boilerplate.
    Keep,
}

with_defaults! {
    /// How the content of a page is chosen.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Options {
        /// How readers' comments are labelled.
        pub comments: Comments = Comments::default(),
        /// A page whose expected content has fewer tokens than this has no content, unless at least
        /// nine in ten of the chosen tokens are expected to be content.
        pub least_tokens: u32 = 10,
        /// A page has content other than comments if at least this many tokens of content are expected
        /// outside of comments.
        pub other_tokens: u32 = 30,
        /// The weight of recall against precision, β of F-β: 1 weighs them equally; less keeps fewer
        /// blocks.
        pub beta: Beta = Beta::WORDS[1].1,
    }
}

impl Options {
    /// For methods that do not detect comments: all blocks are treated alike, and β is 1.
    pub fn keeping_comments() -> Self {
        Self {
            comments: Comments::Keep,
            least_tokens: 30,
            beta: Beta::of(1.0),
            ..Self::default()
        }
    }
}

/// A small amount of text is kept if its expected share of content is at least this.
const SURE: f64 = 0.9;

/// The lowest probability that text written by readers gets if comments are kept.
const WRITTEN: f32 = 0.8;

/// A scored block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The probability that it is content.
    pub probability: f32,
    /// Its tokens.
    pub tokens: u32,
    /// Its part in readers' comments.
    pub comment: Comment,
}

impl Scored {
    /// Whether its probability is raised because a reader wrote it.
    pub fn is_raised(&self, options: Options) -> bool {
        options.comments == Comments::Keep
            && self.comment == Comment::Text
            && self.probability < WRITTEN
    }

    /// Its expected tokens of content.
    fn expected(&self) -> f64 {
        f64::from(self.probability) * f64::from(self.tokens)
    }
}

/// The choice for a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// The number of blocks kept, those with the highest probabilities.
    pub blocks: usize,
    /// The lowest probability among them. No block that is left out has a higher one.
    pub cut: f32,
    /// Expected tokens of content among them: Σ p·w.
    pub expected: f64,
    /// Their tokens: Σ w.
    pub tokens: f64,
    /// The expected F1 of the choice, over all kinds of pages; 0 if no block is kept.
    pub f1: f64,
    /// Whether comments counted as boilerplate.
    pub without_comments: bool,
}

/// Chooses the content of a page. Refills `order` with the probabilities and indices of its blocks, in order of falling
/// probability; blocks with equal ones stay in document order. The first [`Kept::blocks`] of them are kept.
///
/// They are the shortest prefix of that order with the highest expected F-β (after Ye et al. 2012, Optimizing
/// F-measures; the kinds of pages are our addition). If too little content is expected, nothing is kept.
///
/// The time is that of sorting. Sums are computed in the sorted order, so they are the same on every machine.
pub fn choose(blocks: &[Scored], options: Options, order: &mut Vec<(f32, u32)>) -> Kept {
    let other = blocks
        .iter()
        .filter(|b| b.comment == Comment::No)
        .map(Scored::expected);
    let without_comments = options.comments == Comments::Drop
        && blocks.iter().any(|b| b.comment != Comment::No)
        && other.sum::<f64>() >= f64::from(options.other_tokens);
    let probability = |b: &Scored| match b.is_raised(options) {
        true => WRITTEN,
        false if without_comments && b.comment != Comment::No => 0.0,
        false => b.probability,
    };
    order.clear();
    order.extend(blocks.iter().map(probability).zip(0..));
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let weighed = order.iter().map(|&(p, block)| {
        let tokens = f64::from(blocks[block as usize].tokens);
        (p, tokens, likely(p).map(|p| p * tokens))
    });
    // By kind of page: the expected tokens of content.
    let mut relevant = [0.0; KINDS];
    for (_, _, expected) in weighed.clone() {
        add(&mut relevant, expected);
    }
    let mean = |weight: f64, true_positives: [f64; KINDS], tokens: f64| {
        let of_kind = |k: usize| true_positives[k] / (tokens + weight * relevant[k]).max(1.0);
        (0..KINDS).map(|k| WEIGHTS[k] * of_kind(k)).sum::<f64>()
    };
    let weight = options.beta.get() * options.beta.get();
    // The sums over the prefix so far.
    let (mut true_positives, mut expected, mut tokens) = ([0.0; KINDS], 0.0, 0.0);
    let mut best = (0.0, Kept::default(), true_positives);
    for (i, (cut, own, content)) in weighed.enumerate() {
        add(&mut true_positives, content);
        expected += f64::from(cut) * own;
        tokens += own;
        // Without the factor 1 + β², which is the same for all prefixes.
        let score = mean(weight, true_positives, tokens);
        if score > best.0 {
            let kept = Kept {
                blocks: i + 1,
                cut,
                expected,
                tokens,
                ..Kept::default()
            };
            best = (score, kept, true_positives);
        }
    }
    let (_, mut kept, found) = best;
    kept.without_comments = without_comments;
    let sure = kept.expected >= SURE * kept.tokens;
    if kept.expected < f64::from(options.least_tokens) && !sure {
        kept.blocks = 0;
    }
    if kept.blocks > 0 {
        kept.f1 = 2.0 * mean(1.0, found, kept.tokens);
    }
    kept
}

fn add(sums: &mut [f64; KINDS], values: [f64; KINDS]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: Options = Options {
        comments: Comments::Keep,
        least_tokens: 0,
        other_tokens: 100,
        beta: Beta::of(1.0),
    };

    fn blocks(blocks: &[(f32, u32, bool)]) -> Vec<Scored> {
        let blocks = blocks.iter();
        blocks
            .map(|&(probability, tokens, comment)| Scored {
                probability,
                tokens,
                comment: match comment {
                    true => Comment::Rest,
                    false => Comment::No,
                },
            })
            .collect()
    }

    #[test]
    fn likely_blocks_are_kept() {
        let mut order = Vec::new();
        let page = blocks(&[(0.1, 50, false), (0.9, 50, false), (0.8, 50, true)]);
        let kept = choose(&page, ALL, &mut order);
        assert_eq!((kept.blocks, kept.cut), (2, 0.8));
        assert!((kept.expected - 85.0).abs() < 1e-4);
        assert!((kept.f1 - 0.863).abs() < 5e-4, "{kept:?}");
        assert_eq!(order.iter().map(|b| b.1).collect::<Vec<_>>(), [1, 2, 0]);
        let much = Options {
            least_tokens: 86,
            ..ALL
        };
        assert_eq!(choose(&page, much, &mut order).blocks, 0);
        let sure = blocks(&[(0.95, 20, false), (0.1, 5, false)]);
        assert_eq!(choose(&sure, much, &mut order).blocks, 1);
        assert_eq!(choose(&[], ALL, &mut order), Kept::default());
        assert_eq!(
            choose(&blocks(&[(0.0, 9, false)]), ALL, &mut order).blocks,
            0
        );
    }

    #[test]
    fn unlikely_blocks_are_kept_if_there_are_no_better_ones() {
        // All at .3: keeping all of them is expected to do better than keeping none.
        let page = blocks(&[(0.3, 10, false); 5]);
        assert_eq!(choose(&page, ALL, &mut Vec::new()).blocks, 5);
    }

    #[test]
    fn comments_are_dropped_if_there_is_other_content() {
        let drop = Options {
            comments: Comments::Drop,
            ..ALL
        };
        let mut order = Vec::new();
        let mut page = blocks(&[(0.9, 90, false), (0.95, 500, true)]);
        let kept = choose(&page, drop, &mut order);
        assert_eq!((kept.blocks, kept.without_comments), (2, false));
        page[0].tokens = 120;
        let kept = choose(&page, drop, &mut order);
        assert_eq!((kept.blocks, kept.without_comments), (1, true));
        assert_eq!(order.iter().map(|b| b.1).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn text_of_readers_is_kept_on_request() {
        let mut page = blocks(&[(0.9, 90, false), (0.1, 5, true), (0.1, 50, true)]);
        page[2].comment = Comment::Text;
        let mut order = Vec::new();
        assert_eq!(choose(&page, ALL, &mut order).blocks, 2);
        assert_eq!(order[..2], [(0.9, 0), (WRITTEN, 2)]);
        page[2].probability = 0.95;
        choose(&page, ALL, &mut order);
        assert_eq!(order[0], (0.95, 2));
        let drop = Options {
            comments: Comments::Drop,
            other_tokens: 0,
            ..ALL
        };
        assert_eq!(choose(&page, drop, &mut order).blocks, 1);
    }

    /// The expected F1, as a mean over kinds of pages, computed with shifts of log-odds.
    fn expected_f1(page: &[Scored], chosen: &[(f32, u32)]) -> f64 {
        let deviation = (3.0 / (256.0 / (75.0 * std::f64::consts::PI.powi(2)))).sqrt();
        let nodes = [-2.856_970, -1.355_626, 0.0, 1.355_626, 2.856_970];
        let of_kind = |node: f64| {
            let content = |b: &Scored| {
                let p = f64::from(b.probability);
                let log_odds = 2.0 * (p / (1.0 - p)).ln() + deviation * node;
                f64::from(b.tokens) / (1.0 + (-log_odds).exp())
            };
            let chosen = || chosen.iter().map(|b| &page[b.1 as usize]);
            let found: f64 = chosen().map(content).sum();
            let tokens: u32 = chosen().map(|b| b.tokens).sum();
            2.0 * found / (f64::from(tokens) + page.iter().map(content).sum::<f64>()).max(1.0)
        };
        nodes
            .into_iter()
            .map(of_kind)
            .zip(WEIGHTS)
            .map(|(f1, weight)| f1 * weight)
            .sum()
    }

    proptest! {
        #[test]
        fn no_other_prefix_has_a_higher_expected_f1(
            page in prop::collection::vec((0.0..1.0f32, 0..100u32, any::<bool>()), 1..40)
        ) {
            let page = blocks(&page);
            let mut order = Vec::new();
            let kept = choose(&page, ALL, &mut order);
            prop_assert!((kept.f1 - expected_f1(&page, &order[..kept.blocks])).abs() < 1e-4);
            for n in 0..=order.len() {
                prop_assert!(expected_f1(&page, &order[..n]) <= kept.f1 + 1e-4);
            }
        }
    }

    #[test]
    fn blocks_of_a_page_hang_together() {
        let mut page = blocks(&[(0.99, 10, false)]);
        page.extend(blocks(&[(0.3, 1, false); 90]));
        let mut order = Vec::new();
        let kept = choose(&page, ALL, &mut order);
        assert_eq!(kept.blocks, 1);
        assert!((kept.f1 - 0.587).abs() < 5e-4, "{kept:?}");
        assert!((expected_f1(&page, &order) - 0.473).abs() < 5e-4);
    }
}
