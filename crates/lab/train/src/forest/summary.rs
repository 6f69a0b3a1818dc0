//! Out-of-fold figures of a forest.

use super::Learned;
use warcsieve_eval::score::Scores;

/// Out-of-fold means over pages, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of pages.
    pub pages: usize,
    /// Word F1.
    pub f1: f64,
    /// The lowest and the highest word F1 of the forests of a single seed.
    pub seeds: (f64, f64),
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// Share of the pages whose recall is under one half.
    pub missed: f64,
}

impl Learned {
    /// The figures over the pages that `which` selects by index; all 0 if it selects none.
    pub fn summary(&self, which: impl Fn(usize) -> bool) -> Summary {
        let mean = |scores: &[Scores], of: fn(&Scores) -> f64| {
            let taken = scores.iter().enumerate().filter(|(page, _)| which(*page));
            let (sum, n) = taken.fold((0.0, 0), |(sum, n), (_, s)| (sum + of(s), n + 1));
            sum / f64::from(n.max(1))
        };
        let seeds = || self.by_seed.iter().map(|scores| mean(scores, |s| s.f1));
        Summary {
            pages: (0..self.scores.len()).filter(|page| which(*page)).count(),
            f1: mean(&self.scores, |s| s.f1),
            seeds: (
                seeds().reduce(f64::min).unwrap_or_default(),
                seeds().reduce(f64::max).unwrap_or_default(),
            ),
            precision: mean(&self.scores, |s| s.precision),
            recall: mean(&self.scores, |s| s.recall),
            missed: mean(&self.scores, |s| f64::from(u8::from(s.recall < 0.5))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_model::Forest;

    fn scores(f1: [f64; 3]) -> Vec<Scores> {
        let scores = f1.map(|f1| Scores {
            precision: 1.0,
            recall: f1 / 2.0,
            f1,
        });
        scores.to_vec()
    }

    #[test]
    fn means_of_some_pages() {
        let learned = Learned {
            held_out: Vec::new(),
            forest: Forest::default(),
            seeds: vec![1, 2],
            probabilities: Vec::new(),
            scores: scores([0.4, 1.0, 0.1]),
            expected: vec![0.5; 3],
            by_seed: vec![scores([0.2, 1.0, 0.0]), scores([0.6, 0.8, 1.0])],
        };
        let summary = learned.summary(|page| page < 2);
        let expected = Summary {
            pages: 2,
            f1: 0.7,
            seeds: (0.6, 0.7),
            precision: 1.0,
            recall: 0.35,
            missed: 0.5,
        };
        assert_eq!(summary, expected);
        assert_eq!(learned.summary(|_| false).f1, 0.0);
    }
}
