//! Tests whether runs differ over topics.

use super::figure::{Comparison, Figure};
use warcsieve_eval::stats::{mean, randomization, wilcoxon};

/// A test of paired values; both are two-sided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Test {
    /// Wilcoxon's signed-rank test, as in Vogels et al. 2018.
    #[default]
    Wilcoxon,
    /// The randomization test of the difference of means.
    Randomization,
}

impl Test {
    /// p-value of the hypothesis of no difference; `None` if the numbers of values differ or not
    /// all are finite.
    pub fn p(self, a: &[f64], b: &[f64]) -> Option<f64> {
        match self {
            Self::Wilcoxon => wilcoxon(a, b).map(|t| t.p),
            Self::Randomization => randomization(a, b).map(|t| t.p),
        }
    }
}

/// Compares runs by their figures for one measure, with values for the same topics in the same
/// order; the first run is the baseline. The tests use the values, and α is not corrected for the
/// number of comparisons.
pub fn compare(runs: &[&Figure], test: Test, alpha: f64) -> Vec<Comparison> {
    let p = |a: usize, b: usize| test.p(&runs[a].values, &runs[b].values);
    let below = |p: Option<f64>| p.is_some_and(|p| p < alpha);
    let means: Vec<Option<f64>> = runs.iter().map(|r| mean(&r.values)).collect();
    // The two may disagree: a harmonic mean of means is not a mean over topics.
    let is_higher = |a: usize, b: usize| runs[a].overall > runs[b].overall && means[a] > means[b];
    let best = |i: usize| {
        let others = (0..runs.len()).filter(|&j| j != i);
        // Checked first: it is cheap, and true for at most one run.
        let is_highest = runs.len() > 1 && others.clone().all(|j| is_higher(i, j));
        is_highest && others.clone().all(|j| below(p(i, j)))
    };
    let compared = (0..runs.len()).map(|i| {
        let p = (i > 0).then(|| p(i, 0)).flatten();
        Comparison {
            p,
            differs: below(p),
            best: best(i),
        }
    });
    compared.collect()
}
