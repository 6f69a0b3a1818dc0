//! Learns the weights of the path score.
//!
//! A logistic regression on the hashed tokens of a block's path. A token has one weight for any place, and one more for
//! its distance. What is written is their sum, in eight bits. The weights are learned by AdaGrad (Duchi, Hazan, Singer
//! 2011), row by row, so equal rows in equal order lead to equal weights.
//!
//! We tried 19 other choices of passes, rate, start and slots. None had an out-of-fold area under the ROC curve that
//! was more than .006 above that of this one, and the forest with the best of them was no better.

use super::super::Folds;
use super::Pages;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use warcsieve_common::with_defaults;
use warcsieve_features::structure::{BUCKETS, PathWeights, Paths, slot};
use warcsieve_model::forest::probability;

/// How many hashed tokens have weights of their own.
pub const SLOTS: usize = 1 << 15;

/// Passes over the rows.
const PASSES: usize = 4;

/// Length of the steps.
const RATE: f32 = 0.1;

/// The sum of squared gradients that every weight starts with. It keeps the first rows from moving a weight too far.
const START: f32 = 10.0;

/// Seed of the order of pages.
const SEED: u64 = 1;

/// A row: where its tokens end, √tokens, weight and label.
#[derive(Clone, Copy)]
struct Row {
    end: usize,
    root: f32,
    weight: f32,
    content: bool,
}

/// The rows of a page: each token of a path as slot · 4 + bucket.
struct PageTokens {
    tokens: Vec<u32>,
    rows: Vec<Row>,
}

/// The rows of all pages that have tokens, to learn weights from some of the pages.
pub struct PathRows {
    pages: Vec<PageTokens>,
    slots: usize,
}

impl PathRows {
    /// The rows of full pages and of shortened pages.
    pub fn new(pages: &Pages, weights: &[f32], slots: usize) -> Self {
        let labels = &pages.dataset.labels;
        // Scales the weights to about 1, for which the other constants were chosen.
        let sum: f64 = pages.whole().map(|row| f64::from(weights[row])).sum();
        let mean = (sum / pages.whole().count().max(1) as f64) as f32;
        let of_page = |page: &super::PageRows| {
            let mut found = PageTokens {
                tokens: Vec::new(),
                rows: Vec::new(),
            };
            for (paths, rows) in [(&page.paths, &page.rows), (&page.short_paths, &page.short)] {
                for (block, row) in rows.clone().enumerate() {
                    let start = found.tokens.len();
                    paths.of_block(block, |hash, bucket| {
                        found.tokens.push((slot(hash, slots) * 4 + bucket) as u32);
                    });
                    let tokens = found.tokens.len() - start;
                    found.rows.push(Row {
                        end: found.tokens.len(),
                        root: (tokens.max(1) as f32).sqrt(),
                        weight: weights[row] / mean,
                        content: labels[row] != 0,
                    });
                }
            }
            found
        };
        Self {
            pages: pages.pages.par_iter().map(of_page).collect(),
            slots,
        }
    }

    /// The weights learned from the pages that `keep` selects.
    pub fn learn(&self, keep: impl Fn(usize) -> bool) -> PathWeights {
        // By slot: the weight anywhere, then those of the buckets.
        let mut learning = vec![Weight::default(); self.slots * 4];
        let mut bias = Weight::default();
        let mut order: Vec<usize> = (0..self.pages.len()).filter(|page| keep(*page)).collect();
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        for _ in 0..PASSES {
            order.shuffle(&mut random);
            for page in &order {
                self.pages[*page].pass(&mut learning, &mut bias);
            }
        }
        quantized(&learning)
    }
}

with_defaults! {
    /// A weight, and the sum of its squared gradients so far.
    #[derive(Clone, Copy)]
    struct Weight {
        value: f32 = 0.0,
        squares: f32 = START,
    }
}

impl Weight {
    fn step(&mut self, gradient: f32) {
        self.squares += gradient * gradient;
        self.value -= RATE * gradient / self.squares.sqrt();
    }
}

impl PageTokens {
    fn pass(&self, weights: &mut [Weight], bias: &mut Weight) {
        let mut start = 0;
        for row in &self.rows {
            let tokens = &self.tokens[start..row.end];
            start = row.end;
            if tokens.is_empty() || row.weight <= 0.0 {
                continue;
            }
            let of = |token: &u32| {
                let at = *token as usize;
                weights[at & !3].value + weights[at + 1].value
            };
            let sum: f32 = tokens.iter().map(of).sum();
            let p = probability(bias.value + sum / row.root);
            let gradient = row.weight * (p - f32::from(u8::from(row.content)));
            bias.step(gradient);
            let gradient = gradient / row.root;
            for token in tokens {
                let at = *token as usize;
                weights[at & !3].step(gradient);
                weights[at + 1].step(gradient);
            }
        }
    }
}

/// The weights in eight bits.
fn quantized(learned: &[Weight]) -> PathWeights {
    let sums = |at: &[Weight]| {
        let mut sums = [0.0; BUCKETS];
        for (sum, own) in sums.iter_mut().zip(&at[1..]) {
            *sum = at[0].value + own.value;
        }
        sums
    };
    let sums: Vec<[f32; BUCKETS]> = learned.chunks_exact(4).map(sums).collect();
    let most = sums
        .iter()
        .flatten()
        .fold(0.0f32, |most, w| most.max(w.abs()));
    let unit = if most > 0.0 {
        most / f32::from(i8::MAX)
    } else {
        1.0
    };
    let weights = sums.iter().map(|s| s.map(|w| (w / unit).round() as i8));
    let weights: Vec<_> = weights.collect();
    PathWeights::new(&weights, unit).expect("the number of slots is a power of two")
}

/// Writes the path scores of the rows of a page with these weights.
pub fn write_scores(page: &super::PageRows, weights: &PathWeights, column: &mut [f32]) {
    let of = |paths: &Paths, column: &mut [f32]| {
        for (block, score) in column.iter_mut().enumerate() {
            *score = paths.score(block, weights);
        }
    };
    of(&page.paths, &mut column[page.rows.clone()]);
    of(&page.short_paths, &mut column[page.short.clone()]);
}

/// Path scores with weights that were not learned from the row.
pub struct PathFolds {
    /// By pair of folds, `first · count + second` for `first <= second`: weights learned without both.
    without: Vec<Option<PathWeights>>,
    /// The fold of each page.
    of_page: Vec<usize>,
    count: usize,
    /// Weights learned from all pages.
    pub all: PathWeights,
}

impl PathFolds {
    /// Learns weights without each fold and without each pair of folds.
    pub fn new(pages: &Pages, weights: &[f32], folds: &Folds, slots: usize) -> Self {
        let rows = PathRows::new(pages, weights, slots);
        // A page without rows is in no fold.
        let of_page: Vec<usize> = (pages.pages.iter())
            .map(|page| folds.of_row[page.rows.clone()].first().copied())
            .map(|fold| fold.unwrap_or(folds.count))
            .collect();
        let pairs = (0..folds.count * folds.count).into_par_iter();
        let without = pairs.map(|pair| {
            let (first, second) = (pair / folds.count, pair % folds.count);
            let keep = |page: usize| of_page[page] != first && of_page[page] != second;
            (first <= second).then(|| rows.learn(keep))
        });
        Self {
            without: without.collect(),
            all: rows.learn(|_| true),
            count: folds.count,
            of_page,
        }
    }

    /// The weights learned from all pages except those of a fold; `None` if there is no such fold.
    pub fn without(&self, fold: usize) -> Option<&PathWeights> {
        self.without.get(fold * self.count + fold)?.as_ref()
    }

    /// The scores of all rows for a forest that is learned without `fold`, or from all pages. Each score uses weights
    /// that were learned without the row's own fold and without `fold`.
    pub fn scores(&self, pages: &Pages, fold: Option<usize>) -> Vec<f32> {
        let mut column = vec![0.0; pages.dataset.rows()];
        for (page, own) in pages.pages.iter().zip(&self.of_page) {
            let fold = fold.unwrap_or(*own);
            let pair = fold.min(*own) * self.count + fold.max(*own);
            if let Some(Some(weights)) = self.without.get(pair) {
                write_scores(page, weights, &mut column);
            }
        }
        column
    }
}
