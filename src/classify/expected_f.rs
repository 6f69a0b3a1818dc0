//! From probabilities of blocks to the content of a page: the choice with the highest expected F-β.

use serde::Deserialize;

/// What is done with readers' comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comments {
    /// They are boilerplate where the page has other content. Where it has not, as in a forum whose
    /// posts are called comments, they are labelled as any other text.
    #[default]
    Drop,
    /// They are labelled as any other text.
    Keep,
}

/// How the content of a page is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What is done with readers' comments.
    pub comments: Comments,
    /// Tokens of content that a page has to be expected to have, or else it has none; but little text
    /// that is nearly sure to be content, nine tokens in ten, is kept.
    pub least_tokens: u32,
    /// Tokens of content expected outside of comments from which on a page has other content.
    pub other_tokens: u32,
    /// What recall counts against precision, β of F-β: 1 weighs them alike; less keeps fewer blocks.
    pub beta: Beta,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            comments: Comments::default(),
            least_tokens: 30,
            other_tokens: 100,
            beta: Beta::of(0.75),
        }
    }
}

impl Options {
    /// For methods that do not tell comments apart: all blocks are alike, and β is 1.
    pub fn keeping_comments() -> Self {
        Self {
            comments: Comments::Keep,
            beta: Beta::of(1.0),
            ..Self::default()
        }
    }
}

/// What recall counts against precision, above 0 and at most 100.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Beta(f64);

impl Beta {
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

impl TryFrom<f64> for Beta {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if value > 0.0 && value <= 100.0 {
            Ok(Self(value))
        } else {
            Err(format!("{value} is not above 0 and at most 100"))
        }
    }
}

/// Share of content expected from which on little text is kept.
const SURE: f64 = 0.9;

/// A block as it was scored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// How likely it is content.
    pub probability: f32,
    /// Its tokens.
    pub tokens: u32,
    /// Whether it is among readers' comments.
    pub comment: bool,
}

impl Scored {
    fn expected(&self) -> f64 {
        f64::from(self.probability) * f64::from(self.tokens)
    }
}

/// What is kept of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// How many blocks, the most probable ones.
    pub blocks: usize,
    /// The least probability among them; of those left out none is higher.
    pub cut: f32,
    /// Tokens of content expected among them: Σ p · w.
    pub expected: f64,
    /// Tokens of them.
    pub tokens: f64,
    /// Comments counted as boilerplate.
    pub without_comments: bool,
}

/// Chooses the content of a page and refills `order` with its blocks and their probabilities, those
/// kept first; of equal ones the first of the page first.
///
/// Kept is what has the highest expected F-β: of blocks in order of falling probability `p` the shortest
/// prefix that maximizes Σ p·w / (Σ w + β² · Σ_all p·w), where `w` are the blocks' tokens (after Ye et
/// al. 2012, Optimizing F-measures). Of a page that is expected to have too little content nothing is.
///
/// Time is that of sorting; sums are taken in that order, so they are the same on every machine.
pub fn choose(blocks: &[Scored], options: Options, order: &mut Vec<(f32, u32)>) -> Kept {
    let other = blocks.iter().filter(|b| !b.comment).map(Scored::expected);
    let without_comments = options.comments == Comments::Drop
        && blocks.iter().any(|b| b.comment)
        && other.sum::<f64>() >= f64::from(options.other_tokens);
    let probability = |b: &Scored| match without_comments && b.comment {
        true => 0.0,
        false => b.probability,
    };
    order.clear();
    order.extend(blocks.iter().map(probability).zip(0..));
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let weighed = order.iter().map(|&(p, block)| {
        let tokens = f64::from(blocks[block as usize].tokens);
        (p, f64::from(p) * tokens, tokens)
    });
    let wanted = weighed
        .clone()
        .map(|(_, expected, _)| expected)
        .sum::<f64>()
        * options.beta.get()
        * options.beta.get();
    let (mut inside, mut tokens) = (0.0, 0.0);
    let mut best = (0.0, Kept::default());
    for (i, (cut, expected, own)) in weighed.enumerate() {
        inside += expected;
        tokens += own;
        let score = inside / (tokens + wanted).max(1.0);
        if score > best.0 {
            let kept = Kept {
                blocks: i + 1,
                cut,
                expected: inside,
                tokens,
                without_comments,
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
                comment,
            })
            .collect()
    }

    #[test]
    fn what_is_likely_is_kept() {
        let mut order = Vec::new();
        let page = blocks(&[(0.1, 50, false), (0.9, 50, false), (0.8, 50, true)]);
        let kept = choose(&page, ALL, &mut order);
        assert_eq!((kept.blocks, kept.cut), (2, 0.8));
        assert!((kept.expected - 85.0).abs() < 1e-4);
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
    fn where_little_is_likely_the_bar_is_low() {
        // Alone at .3: keeping all of it is expected to do better than nothing.
        let page = blocks(&[(0.3, 10, false); 5]);
        assert_eq!(choose(&page, ALL, &mut Vec::new()).blocks, 5);
    }

    #[test]
    fn comments_go_where_there_is_other_content() {
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

    proptest! {
        #[test]
        fn no_other_number_of_blocks_is_expected_to_do_better(
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
