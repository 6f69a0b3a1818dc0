//! C4.5's pruning, which estimates errors from the training set itself.

use super::node::{Node, Split};
use crate::Sample;
use crate::dataset::class_weights;
use libm::{erfc, pow, sqrt};

/// How much worse an estimate must be, as in C4.5.
const SLACK: f64 = 0.1;

/// Replaces subtrees by leaves if their estimated error is not less than a leaf's, and replaces a
/// node by its heavier side if that has no more errors than the node (subtree raising).
pub fn prune(nodes: &mut [Node], sample: &Sample<'_>, confidence: f64) {
    let rows: Vec<usize> = sample.rows().collect();
    let estimate = Estimate {
        sample,
        confidence,
        z: z(confidence),
    };
    estimate.prune(nodes, 0, &rows);
}

struct Estimate<'a> {
    sample: &'a Sample<'a>,
    confidence: f64,
    /// The value that a standard normal variable exceeds with probability `confidence`.
    z: f64,
}

impl Estimate<'_> {
    /// The recursion is as deep as the tree; raising a subtree makes it no deeper.
    fn prune(&self, nodes: &mut [Node], at: usize, rows: &[usize]) {
        while let Some(split) = nodes[at].split {
            let parts = self.part(&split, rows);
            for (side, part) in split.sides.iter().zip(&parts) {
                self.prune(nodes, *side, part);
            }
            let leaf = self.leaf(&nodes[at].weights);
            let tree = self.tree(nodes, at);
            let [left, right] = split.sides;
            let heavier = if nodes[right].total() > nodes[left].total() {
                right
            } else {
                left
            };
            let raised = self.branch(nodes, heavier, rows);
            if leaf <= tree + SLACK && leaf <= raised + SLACK {
                nodes[at].split = None;
            } else if raised <= tree + SLACK {
                nodes[at].split = nodes[heavier].split;
                self.weigh(nodes, at, rows);
            } else {
                return;
            }
        }
    }

    /// The rows on each side of a split.
    fn part(&self, split: &Split, rows: &[usize]) -> [Vec<usize>; 2] {
        let values = &self.sample.data().columns[split.column];
        let (left, right) = rows.iter().partition(|r| values[**r] <= split.threshold);
        [left, right]
    }

    /// Sets the weights of the nodes from `at` down to those of these rows.
    fn weigh(&self, nodes: &mut [Node], at: usize, rows: &[usize]) {
        nodes[at].weights = class_weights(self.sample.data(), rows.iter().copied());
        if let Some(split) = nodes[at].split {
            for (side, part) in split.sides.iter().zip(self.part(&split, rows)) {
                self.weigh(nodes, *side, &part);
            }
        }
    }

    /// The estimated error of a subtree.
    fn tree(&self, nodes: &[Node], at: usize) -> f64 {
        match nodes[at].split {
            None => self.leaf(&nodes[at].weights),
            Some(split) => split.sides.iter().map(|s| self.tree(nodes, *s)).sum(),
        }
    }

    /// The estimated error of a subtree for these rows.
    fn branch(&self, nodes: &[Node], at: usize, rows: &[usize]) -> f64 {
        match nodes[at].split {
            None => self.leaf(&class_weights(self.sample.data(), rows.iter().copied())),
            Some(split) => {
                let parts = self.part(&split, rows);
                let sides = split.sides.iter().zip(&parts);
                sides
                    .map(|(side, part)| self.branch(nodes, *side, part))
                    .sum()
            }
        }
    }

    /// The estimated error of a leaf with these weights.
    fn leaf(&self, weights: &[u64]) -> f64 {
        let total: u64 = weights.iter().sum();
        let errors = total - weights.iter().max().copied().unwrap_or(0);
        match total {
            0 => 0.0,
            _ => errors as f64 + self.more(total as f64, errors as f64),
        }
    }

    /// Expected errors in addition to the `e` of `n` observed: from the upper confidence limit of a
    /// binomial proportion, by its normal approximation with continuity correction; exact for
    /// e = 0.
    fn more(&self, n: f64, e: f64) -> f64 {
        if e < 1.0 {
            return n * (1.0 - pow(self.confidence, 1.0 / n));
        }
        if e + 0.5 >= n {
            return (n - e).max(0.0);
        }
        let (z, f) = (self.z, (e + 0.5) / n);
        let spread = sqrt(f / n - f * f / n + z * z / (4.0 * n * n));
        let limit = (f + z * z / (2.0 * n) + z * spread) / (1.0 + z * z / n);
        limit * n - e
    }
}

/// The value that a standard normal variable exceeds with this probability, which is above 0 and at
/// most 0.5.
fn z(probability: f64) -> f64 {
    let exceeded = |z: f64| 0.5 * erfc(z / std::f64::consts::SQRT_2);
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if exceeded(middle) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sorted;
    use crate::fixture::one_column;

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (p, expected) in [
            (0.25, 0.674_489_750_196_082),
            (0.025, 1.959_963_984_540_054),
            (0.5, 0.0),
        ] {
            assert!((z(p) - expected).abs() < 1e-12, "{p}: {}", z(p));
        }
    }

    /// The worked examples of Quinlan 1993, §4.2: without errors among 6, 9 and 1 rows, the
    /// expected errors at a confidence of 25 % are .206, .143 and .750; C4.5's errors of 1 in 16
    /// are 2.51 by its approximation.
    #[test]
    fn expected_errors_equal_the_worked_examples() {
        let data = one_column(&[]);
        let sorted = Sorted::new(&data).unwrap();
        let sample = sorted.all();
        let estimate = Estimate {
            sample: &sample,
            confidence: 0.25,
            z: z(0.25),
        };
        for (n, share) in [(6, 0.206), (9, 0.143), (1, 0.750)] {
            assert!((estimate.leaf(&[n, 0]) / n as f64 - share).abs() < 5e-4);
        }
        assert!(
            (estimate.leaf(&[15, 1]) - 2.51).abs() < 0.05,
            "{}",
            estimate.leaf(&[15, 1])
        );
        assert_eq!(estimate.leaf(&[0, 0]), 0.0);
    }
}
