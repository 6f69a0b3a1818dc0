//! A set of pages with the results of labelling them.

use super::kinds::Kinds;
use crate::Result;
use warcsieve_classify::expected_f::Options;
use warcsieve_eval::score::Scores;
use warcsieve_train::forest::{PageRows, Pages};

/// The results for a page.
pub struct Judged {
    /// The scores of the chosen blocks.
    pub scores: Scores,
    /// The scores of the blocks that are content by their gold labels.
    pub ceiling: Scores,
    /// The scores of all blocks.
    whole: Scores,
    /// By kind: tokens that are kept although they are labelled boilerplate, and tokens that are
    /// lost although they are content.
    pub wrong: Vec<(f64, f64)>,
    /// The cost of a wrong token: 1 / (tokens kept + tokens of content).
    cost: f64,
    /// Whether nothing was chosen.
    pub is_empty: bool,
    /// Whether the gold has text.
    pub has_gold: bool,
}

/// A set of pages and their results.
pub struct Set {
    pub name: String,
    pub judged: Vec<Judged>,
    pub kinds: Vec<&'static str>,
    /// By kind: tokens of content, and all tokens.
    pub tokens: Vec<(f64, f64)>,
}

/// If a page's text contains less than this share of its gold's words, the gold is of another text.
const ABSENT: f64 = 0.5;

impl Judged {
    /// Whether most of the page's gold is not on the page.
    pub fn lacks_gold(&self) -> bool {
        self.has_gold && self.whole.recall < ABSENT
    }
}

impl Set {
    pub fn new(
        name: String,
        all: &Pages,
        pages: &[PageRows],
        probability: impl Fn(usize) -> f32,
        options: Options,
    ) -> Result<Self> {
        let kinds = Kinds::new(all)?;
        let mut tokens = vec![(0.0, 0.0); kinds.names.len()];
        let mut judged = Vec::new();
        for page in pages {
            let (chosen, _) = all.content(page, &probability, options, all.headline);
            let label = |block: usize| all.dataset.labels[page.rows.start + block] != 0;
            let blocks = || 0..chosen.len();
            let mut wrong = vec![(0.0, 0.0); kinds.names.len()];
            let mut sum = 0.0;
            for block in blocks() {
                let kind = kinds.of(page, block);
                let own = f64::from(all.dataset.weights[page.rows.start + block]);
                let (kept, content) = (chosen[block], label(block));
                wrong[kind].0 += if kept && !content { own } else { 0.0 };
                wrong[kind].1 += if content && !kept { own } else { 0.0 };
                sum += own * f64::from(u8::from(kept) + u8::from(content));
                tokens[kind].0 += if content { own } else { 0.0 };
                tokens[kind].1 += own;
            }
            judged.push(Judged {
                scores: page.text.scores(blocks().filter(|block| chosen[*block])),
                ceiling: page.text.scores(blocks().filter(|block| label(*block))),
                whole: page.text.scores(blocks()),
                wrong,
                cost: 1.0 / f64::max(sum, 1.0),
                has_gold: !page.text.gold.trim().is_empty(),
                is_empty: chosen.iter().all(|kept| !kept),
            });
        }
        Ok(Self {
            name,
            judged,
            kinds: kinds.names,
            tokens,
        })
    }

    pub fn mean(&self, of: impl Fn(&Judged) -> f64) -> f64 {
        self.judged.iter().map(of).sum::<f64>() / self.judged.len().max(1) as f64
    }

    /// How many pages have this property.
    pub fn count(&self, is: impl Fn(&Judged) -> bool) -> usize {
        self.judged.iter().filter(|page| is(page)).count()
    }

    /// The loss of a kind: wrongly kept, and lost.
    pub fn loss(&self, kind: usize) -> (f64, f64) {
        (
            self.mean(|page| page.wrong[kind].0 * page.cost),
            self.mean(|page| page.wrong[kind].1 * page.cost),
        )
    }
}
