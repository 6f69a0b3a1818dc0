//! Means of the scores of pages.

use crate::points;
use warcsieve_eval::score::Scores;
use warcsieve_eval::stats;

/// The mean of one of the scores.
pub fn mean(scores: &[Scores], of: fn(&Scores) -> f64) -> f64 {
    let values: Vec<f64> = scores.iter().map(of).collect();
    stats::mean(&values).unwrap_or_default()
}

/// The mean word F1.
pub fn f1(scores: &[Scores]) -> f64 {
    mean(scores, |s| s.f1)
}

/// The mean word F1, precision and recall.
pub fn shown(scores: &[Scores]) -> [String; 3] {
    let (precision, recall) = (mean(scores, |s| s.precision), mean(scores, |s| s.recall));
    [f1(scores), precision, recall].map(points)
}

/// How many pages have a higher value than in `base`, and how many a lower one.
pub fn better_and_worse(own: &[f64], base: &[f64]) -> (usize, usize) {
    let count = |is: fn(&f64, &f64) -> bool| {
        let pairs = own.iter().zip(base);
        pairs.filter(|(own, base)| is(own, base)).count()
    };
    (count(|own, base| own > base), count(|own, base| own < base))
}
