//! Chooses the content of a page from the probabilities of its blocks: the choice with the highest
//! expected F-β.
//!
//! F-β = (1 + β²) · TP / (chosen + β² · relevant), all counted in tokens. For a block of `w` tokens
//! that is content with probability `p`, p·w of its tokens are expected to be content. So the
//! expected true positives of a choice are Σ p·w over the choice, and the expected relevant tokens
//! are Σ p·w over the page; what is maximized is the quotient of these expectations.
//!
//! A block raises the quotient Σ p·w / (Σ w + β² · relevant) if its `p` is above the quotient,
//! whatever its `w`. So the best choice is the blocks above some probability: it is enough to sort
//! the blocks by falling probability and to compare all prefixes. With β = 1 and three blocks of 10
//! tokens with p = .9, .4 and .1, there are 14 relevant tokens expected:
//!
//! ```text
//! prefix   Σ p·w   Σ w   Σ p·w / (Σ w + 14)
//! 1          9      10    .375
//! 2         13      20    .382   the best: blocks below .5 may be worth keeping
//! 3         14      30    .318
//! ```

use serde::Deserialize;
use warcsieve_features::structure::Comment;

/// What is done with readers' comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comments {
    /// They are boilerplate if the page has other content. If it has none, as in a forum whose
    /// posts are called comments, they are labelled like any other text.
    #[default]
    Drop,
    /// What readers wrote is content, with a probability of .8 at least; the rest of comments is labelled
    /// like any other text. Forests learn from pages where comments are boilerplate.
    Keep,
}

/// How the content of a page is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What is done with readers' comments.
    pub comments: Comments,
    /// A page whose expected content has fewer tokens than this has no content, unless at least
    /// nine in ten of the chosen tokens are expected to be content.
    pub least_tokens: u32,
    /// A page has content other than comments if at least this many tokens of content are expected
    /// outside of comments.
    pub other_tokens: u32,
    /// The weight of recall against precision, β of F-β: 1 weighs them equally; less keeps fewer
    /// blocks.
    pub beta: Beta,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            comments: Comments::default(),
            least_tokens: 10,
            other_tokens: 30,
            beta: Beta::WORDS[1].1,
        }
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

/// The weight of recall against precision, above 0 and at most 100; in pipelines a number or one of
/// [`Beta::WORDS`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Value")]
pub struct Beta(f64);

impl Beta {
    /// Weights with names: for text with little noise, the default, and for text that is complete.
    pub const WORDS: [(&str, Self); 3] = [
        ("precision", Self::of(0.6)),
        ("balanced", Self::of(0.9)),
        ("recall", Self::of(1.0)),
    ];

    /// A default.
    ///
    /// # Panics
    /// If `value` is not above 0 and at most 100.
    pub const fn of(value: f64) -> Self {
        assert!(value > 0.0 && value <= 100.0);
        Self(value)
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<toml::Value> for Beta {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        let (number, written) = match &value {
            toml::Value::Float(number) => (Some(*number), number.to_string()),
            toml::Value::Integer(number) => (Some(*number as f64), number.to_string()),
            toml::Value::String(word) => {
                let known = Self::WORDS.iter().find(|(name, _)| name == word);
                (known.map(|(_, beta)| beta.0), word.clone())
            }
            other => (None, format!("a value of type {}", other.type_str())),
        };
        match number {
            Some(number) if number > 0.0 && number <= 100.0 => Ok(Self(number)),
            _ => {
                let words = Self::WORDS.map(|(name, _)| name).join(", ");
                Err(format!(
                    "{written} is no number above 0 and at most 100, and none of {words}"
                ))
            }
        }
    }
}

/// Expected share of content from which on a small amount of text is kept.
const SURE: f64 = 0.9;

/// Least probability of what readers wrote where comments are kept.
pub const WRITTEN: f32 = 0.8;

/// A scored block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The probability that it is content.
    pub probability: f32,
    /// Its tokens.
    pub tokens: u32,
    /// What it is of readers' comments.
    pub comment: Comment,
}

impl Scored {
    /// Expected tokens of content.
    fn expected(&self) -> f64 {
        f64::from(self.probability) * f64::from(self.tokens)
    }
}

/// What is kept of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// The number of blocks kept, those with the highest probabilities.
    pub blocks: usize,
    /// The lowest probability among them; no block that is left out has a higher one.
    pub cut: f32,
    /// Expected tokens of content among them: Σ p·w.
    pub expected: f64,
    /// Their tokens: Σ w.
    pub tokens: f64,
    /// The expected F1 of the choice: 2 · Σ p·w over the blocks kept / (Σ w over them + Σ p·w over
    /// all blocks); 0 if none is kept.
    pub f1: f64,
    /// Whether comments counted as boilerplate.
    pub without_comments: bool,
}

/// Chooses the content of a page and refills `order` with the probabilities and indices of its
/// blocks, in order of falling probability; blocks with equal ones stay in document order. The
/// first [`Kept::blocks`] of them are kept.
///
/// They are the shortest prefix of that order with the highest expected F-β, that is, the greatest
/// Σ p·w / (Σ w + β² · Σ_all p·w), where `p` is a block's probability and `w` its tokens (after Ye
/// et al. 2012, Optimizing F-measures). If too little content is expected, nothing is kept.
///
/// Time is that of sorting. Sums are taken in the sorted order, so they are the same on every
/// machine.
pub fn choose(blocks: &[Scored], options: Options, order: &mut Vec<(f32, u32)>) -> Kept {
    let other = blocks
        .iter()
        .filter(|b| b.comment == Comment::No)
        .map(Scored::expected);
    let without_comments = options.comments == Comments::Drop
        && blocks.iter().any(|b| b.comment != Comment::No)
        && other.sum::<f64>() >= f64::from(options.other_tokens);
    let probability = |b: &Scored| match (options.comments, b.comment) {
        (Comments::Drop, comment) if without_comments && comment != Comment::No => 0.0,
        (Comments::Keep, Comment::Text) => b.probability.max(WRITTEN),
        _ => b.probability,
    };
    order.clear();
    order.extend(blocks.iter().map(probability).zip(0..));
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let weighed = order.iter().map(|&(p, block)| {
        let tokens = f64::from(blocks[block as usize].tokens);
        (p, f64::from(p) * tokens, tokens)
    });
    let relevant: f64 = weighed.clone().map(|(_, expected, _)| expected).sum();
    let weighted_relevant = relevant * options.beta.get() * options.beta.get();
    // Of the prefix: expected true positives, and all tokens.
    let (mut true_positives, mut tokens) = (0.0, 0.0);
    let mut best = (0.0, Kept::default());
    for (i, (cut, expected, own)) in weighed.enumerate() {
        true_positives += expected;
        tokens += own;
        // Without the factor 1 + β², which is the same for all prefixes.
        let score = true_positives / (tokens + weighted_relevant).max(1.0);
        if score > best.0 {
            let kept = Kept {
                blocks: i + 1,
                cut,
                expected: true_positives,
                tokens,
                ..Kept::default()
            };
            best = (score, kept);
        }
    }
    let mut kept = best.1;
    kept.without_comments = without_comments;
    let sure = kept.expected >= SURE * kept.tokens;
    if kept.expected < f64::from(options.least_tokens) && !sure {
        kept.blocks = 0;
    }
    if kept.blocks > 0 {
        kept.f1 = 2.0 * kept.expected / (kept.tokens + relevant);
    }
    kept
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
        assert!((kept.f1 - 2.0 * 85.0 / (100.0 + 90.0)).abs() < 1e-6);
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
    fn a_weight_is_a_number_or_a_word() {
        #[derive(Debug, Deserialize)]
        struct Params {
            beta: Beta,
        }
        let of = |value: &str| toml::from_str::<Params>(&format!("beta = {value}")).map(|p| p.beta);
        for (value, beta) in [
            ("'precision'", 0.6),
            ("'balanced'", 0.9),
            ("'recall'", 1.0),
            ("2", 2.0),
            ("0.5", 0.5),
        ] {
            assert_eq!(of(value).unwrap().get(), beta, "{value}");
        }
        assert_eq!(Options::default().beta.get(), 0.9);
        for value in ["0", "-1.0", "nan", "101", "'most'", "true"] {
            let e = of(value).unwrap_err().to_string();
            assert!(e.contains("none of precision, balanced, recall"), "{e}");
        }
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
    fn what_readers_wrote_is_kept_on_demand() {
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

    proptest! {
        #[test]
        fn no_other_prefix_has_a_higher_expected_f1(
            page in prop::collection::vec((0.0..1.0f32, 0..100u32, any::<bool>()), 1..40)
        ) {
            let page = blocks(&page);
            let mut order = Vec::new();
            let kept = choose(&page, ALL, &mut order);
            let sum = |n: usize| order[..n].iter().map(|b| page[b.1 as usize].expected()).sum::<f64>();
            let f1 = |n: usize| {
                let tokens: u32 = order[..n].iter().map(|b| page[b.1 as usize].tokens).sum();
                2.0 * sum(n) / (f64::from(tokens) + sum(order.len())).max(1.0)
            };
            for n in 0..=order.len() {
                prop_assert!(f1(n) <= f1(kept.blocks) + 1e-9);
            }
        }
    }
}
