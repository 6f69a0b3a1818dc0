//! The information gain of a single feature about the class.
//!
//! Kohlschütter et al. 2010, §4.3.1 and Figure 1: IG(C, A) = H(C) − H(C|A), computed with Weka. As
//! in Weka's InfoGainAttributeEval, a numeric feature is first cut into intervals by the method of
//! Fayyad and Irani (Multi-Interval Discretization of Continuous-Valued Attributes for
//! Classification Learning, IJCAI 1993). It is cut at the lowest entropy, as long as the gain is
//! above (log2(cuts) + log2(3^k − 2) − k·H + k₁·H₁ + k₂·H₂) / N, where N is the weight (words), k
//! the number of classes that occur, and cuts the number of possible cuts (Weka's better encoding).
//! number of classes that occur, and cuts the number of possible cuts (Weka's better encoding).

use super::distinct::distinct;
use libm::{log2, pow};
use rayon::prelude::*;
use warcsieve_train::entropy::{total_entropy, xlog2x};
use warcsieve_train::{Sample, Sorted};

/// The information gain of one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct InformationGain {
    /// Name of the feature.
    pub feature: String,
    /// Bits per word of text; 0 if no cut is worth its cost.
    pub gain: f64,
    /// The boundaries of the intervals, ascending.
    pub cuts: Vec<f64>,
}

/// The information gain of every column, in order.
pub fn information_gain(sorted: &Sorted<'_>) -> Vec<InformationGain> {
    let sample = sorted.all();
    let columns = sample.columns().par_iter();
    columns.map(|column| of_column(&sample, *column)).collect()
}

fn of_column(sample: &Sample<'_>, column: usize) -> InformationGain {
    let data = sample.data();
    let (values, sums) = values(sample, column);
    let mut cuts: Vec<usize> = Vec::new();
    let mut open = vec![(0, values.len())];
    while let Some((start, end)) = open.pop() {
        if let Some(cut) = best_cut(&sums, start, end) {
            cuts.push(cut);
            open.extend([(start, cut), (cut, end)]);
        }
    }
    cuts.sort_unstable();
    let all = weights(&sums, 0, values.len());
    let total: u64 = all.iter().sum();
    let ends = cuts.iter().copied().chain([values.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let within = starts.zip(ends).fold(0.0, |sum, (start, end)| {
        sum + total_entropy(&weights(&sums, start, end))
    });
    let gain = match cuts.len() {
        0 => 0.0,
        _ => (total_entropy(&all) - within) / total as f64,
    };
    let middle = |cut: usize| f64::midpoint(f64::from(values[cut - 1]), f64::from(values[cut]));
    InformationGain {
        feature: data.names[column].clone(),
        gain,
        cuts: cuts.into_iter().map(middle).collect(),
    }
}

/// The distinct values; and cumulative weights of the classes, before each value and after the
/// last.
fn values(sample: &Sample<'_>, column: usize) -> (Vec<f32>, Vec<Vec<u64>>) {
    let mut sums = vec![vec![0; sample.data().classes.len()]];
    let values = distinct(sample, column, u64::from).into_iter();
    let values = values.map(|(value, weights)| {
        let before = &sums[sums.len() - 1];
        let pairs = before.iter().zip(weights);
        sums.push(pairs.map(|(sum, own)| sum + own).collect());
        value
    });
    (values.collect(), sums)
}

/// Weights of the classes over the values from `start` to before `end`.
fn weights(sums: &[Vec<u64>], start: usize, end: usize) -> Vec<u64> {
    let pairs = sums[end].iter().zip(&sums[start]);
    pairs.map(|(end, start)| end - start).collect()
}

/// The index of the value before which the range is cut, if the cut is worth its cost.
fn best_cut(sums: &[Vec<u64>], start: usize, end: usize) -> Option<usize> {
    let entropy_within = |cut: usize| {
        let (mut left, mut right, mut within) = (0, 0, 0.0);
        for ((first, middle), last) in sums[start].iter().zip(&sums[cut]).zip(&sums[end]) {
            within -= xlog2x(middle - first) + xlog2x(last - middle);
            left += middle - first;
            right += last - middle;
        }
        within + xlog2x(left) + xlog2x(right)
    };
    let mut least: Option<(f64, usize)> = None;
    for cut in start + 1..end {
        let within = entropy_within(cut);
        if least.is_none_or(|l| within < l.0) {
            least = Some((within, cut));
        }
    }
    let (within, cut) = least?;
    let (all, left, right) = (
        weights(sums, start, end),
        weights(sums, start, cut),
        weights(sums, cut, end),
    );
    let total = all.iter().sum::<u64>() as f64;
    let gain = (total_entropy(&all) - within) / total;
    // Number of classes that occur, times the entropy.
    let part = |weights: &[u64]| {
        let classes = weights.iter().filter(|w| **w > 0).count() as f64;
        let weight = weights.iter().sum::<u64>() as f64;
        (classes, classes * total_entropy(weights) / weight)
    };
    let (classes, whole) = part(&all);
    let delta = log2(pow(3.0, classes) - 2.0) - (whole - part(&left).1 - part(&right).1);
    let cuts = (end - start - 1) as f64;
    (gain > 0.0 && gain > (log2(cuts) + delta) / total).then_some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use warcsieve_train::fixture::{dataset, one_column};

    fn gain(rows: &[(f32, u8, u32)]) -> (f64, Vec<f64>) {
        let data = one_column(rows);
        let found = information_gain(&Sorted::new(&data).unwrap()).remove(0);
        (found.gain, found.cuts)
    }

    #[test]
    fn a_perfect_cut_has_the_full_gain() {
        // Gain 1 bit; cost (log2 3 + log2 7 − 2) / 32 = .075.
        let rows = [(1.0, 0, 8), (2.0, 0, 8), (3.0, 1, 8), (4.0, 1, 8)];
        assert_eq!(gain(&rows), (1.0, vec![2.5]));
    }

    #[test]
    fn a_cut_has_to_be_worth_its_cost() {
        // One row each: gain 1, cost (0 + log2 7 − 2) / 2 = .404.
        assert_eq!(gain(&[(0.0, 0, 1), (1.0, 1, 1)]), (1.0, vec![0.5]));
        // 3:2 against 2:3: gain .029, cost log2 7 − 2 + (the entropies about cancel) by 10 = .09.
        let rows = |w: u32| {
            [
                (0.0, 0, 3 * w),
                (0.0, 1, 2 * w),
                (1.0, 0, 2 * w),
                (1.0, 1, 3 * w),
            ]
        };
        assert_eq!(gain(&rows(1)), (0.0, vec![]));
        // The same shares in a hundred times as many words are worth it.
        let (bits, cuts) = gain(&rows(100));
        assert!((bits - 0.029_049_4).abs() < 1e-6 && cuts == [0.5], "{bits}");
    }

    #[test]
    fn a_feature_can_have_several_cuts() {
        let rows = [(1.0, 0, 50), (2.0, 1, 50), (3.0, 0, 50)];
        let (bits, cuts) = gain(&rows);
        assert_eq!(cuts, [1.5, 2.5]);
        assert!((bits - 0.918_295_8).abs() < 1e-6, "{bits}");
        assert_eq!(gain(&[]), (0.0, vec![]));
    }

    proptest! {
        #[test]
        fn gain_is_between_nothing_and_the_entropy(data in dataset(40)) {
            let sorted = Sorted::new(&data).unwrap();
            let weights = sorted.all().class_weights();
            let total = weights.iter().sum::<u64>().max(1) as f64;
            for found in information_gain(&sorted) {
                prop_assert!(found.gain >= 0.0);
                prop_assert!(found.gain <= total_entropy(&weights) / total + 1e-9);
                prop_assert!(found.cuts.is_sorted());
            }
        }
    }
}
