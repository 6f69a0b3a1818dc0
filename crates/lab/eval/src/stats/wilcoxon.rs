//! Wilcoxon's signed-rank test: do two methods differ on the same pages?

use super::{ROUNDING, differences};

/// Result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// Number of pages on which the two differ; the others are dropped, as in Wilcoxon 1945.
    pub pairs: usize,
    /// Sum of the ranks where the first is larger.
    pub first: f64,
    /// Sum of the ranks where the second is larger.
    pub second: f64,
    /// Two-sided p; 1 if no page differs.
    pub p: f64,
    /// Whether p is from the exact distribution; otherwise from the normal approximation.
    pub exact: bool,
}

/// Maximum number of pairs for which the exact distribution is computed.
const EXACT: usize = 25;

/// Tests `a[i]` against `b[i]`. `None` if the numbers of values differ, or not all are finite.
///
/// Equal differences share their mean rank. Magnitudes within a relative 10⁻⁹ of the smallest of
/// them count as equal, and those below 10⁻¹² as 0. Otherwise rounding would break ties of values
/// such as P@10; if no two are that close, this changes nothing. For up to 25 pairs without ties p
/// is exact. Otherwise it is from the normal distribution, with the variance corrected for ties and
/// a continuity correction of ½.
pub fn wilcoxon(a: &[f64], b: &[f64]) -> Option<Wilcoxon> {
    let mut differences = differences(a, b)?;
    differences.retain(|&d| d != 0.0);
    differences.sort_unstable_by(|x, y| x.abs().total_cmp(&y.abs()));
    let n = differences.len();
    let (mut first, mut second, mut ties, mut before) = (0.0, 0.0, 0.0, 0);
    while let Some(least) = differences.get(before) {
        let most = least.abs() * (1.0 + ROUNDING);
        let tied = differences[before..].iter().take_while(|d| d.abs() <= most);
        let tied = &differences[before..before + tied.count()];
        let t = tied.len() as f64;
        let rank = before as f64 + (t + 1.0) / 2.0;
        let positive = tied.iter().filter(|&&d| d > 0.0).count() as f64;
        first += rank * positive;
        second += rank * (t - positive);
        ties += t * t * t - t;
        before += tied.len();
    }
    let exact = n <= EXACT && ties == 0.0;
    let smaller = f64::min(first, second);
    Some(Wilcoxon {
        pairs: n,
        first,
        second,
        p: if exact {
            exact_p(n, smaller as usize)
        } else {
            normal_p(n as f64, smaller, ties)
        },
        exact,
    })
}

/// Twice the share of the 2ⁿ ways to sign the ranks 1 to n whose positive ones sum up to
/// `sum` or less.
fn exact_p(n: usize, sum: usize) -> f64 {
    let mut ways = vec![0u64; sum + 1];
    ways[0] = 1;
    for rank in 1..=n {
        for s in (rank..=sum).rev() {
            ways[s] += ways[s - rank];
        }
    }
    let few: u64 = ways.iter().sum();
    (2.0 * few as f64 / (1u64 << n) as f64).min(1.0)
}

fn normal_p(n: f64, sum: f64, ties: f64) -> f64 {
    let mean = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = ((sum - mean).abs() - 0.5).max(0.0) / variance.sqrt();
    libm::erfc(z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(differences: &[f64]) -> Wilcoxon {
        wilcoxon(differences, &vec![0.0; differences.len()]).unwrap()
    }

    fn near(found: f64, expected: f64) {
        assert!(
            (found / expected - 1.0).abs() < 1e-12,
            "{found} is not {expected}"
        );
    }

    // Expected values are scipy.stats.wilcoxon's (1.17), correction on, zeros dropped.

    #[test]
    fn few_pairs_have_an_exact_p() {
        let eight = test(&[1.1, -0.4, 2.3, 0.7, -1.9, 3.1, 0.2, 1.5]);
        assert!(eight.exact);
        assert_eq!((eight.first, eight.second), (28.0, 8.0));
        assert_eq!(eight.p, 0.195_312_5);
        let rising: Vec<f64> = (1..=25).map(|i| f64::from(i) * 0.5).collect();
        near(test(&rising).p, 2f64.powi(-24));
        let mixed: Vec<f64> = (0..25)
            .map(|i| rising[i] * [-1.0, 1.0, 1.0][i % 3])
            .collect();
        assert_eq!(test(&mixed).second, 117.0);
        near(test(&mixed).p, 0.230_361_342_430_114_75);
    }

    #[test]
    fn ties_and_zeros_use_the_normal_approximation() {
        let a = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135].map(f64::from);
        let b = [110, 122, 125, 120, 140, 124, 123, 137, 135, 145].map(f64::from);
        let result = wilcoxon(&a, &b).unwrap();
        assert_eq!((result.pairs, result.first, result.second), (9, 27.0, 18.0));
        assert!(!result.exact);
        near(result.p, 0.635_289_318_835_206_9);
        near(
            test(&[1.0, 1.0, -1.0, 2.0, 2.0, 3.0, -4.0]).p,
            0.442_770_873_987_767_93,
        );
    }

    #[test]
    fn rounding_hides_no_tie() {
        // The first three differ by .1, the fourth by 0, each with another rounding error.
        let a = [0.3, 0.2, 0.8, 0.1 + 0.2, 0.5];
        let b = [0.2, 0.1, 0.9, 0.3, 0.1];
        let result = wilcoxon(&a, &b).unwrap();
        assert_eq!((result.pairs, result.first, result.second), (4, 8.0, 2.0));
        assert!(!result.exact);
        assert_eq!(Some(result), wilcoxon(&[1.0, 1.0, -1.0, 4.0], &[0.0; 4]));
    }

    #[test]
    fn many_pairs_use_the_normal_approximation() {
        let many: Vec<f64> = (0..40)
            .map(|i| f64::from((i * 7919) % 101 - 37) / 10.0 + 0.013 * f64::from(i))
            .collect();
        let result = test(&many);
        assert_eq!((result.pairs, result.exact), (40, false));
        assert_eq!(result.first.min(result.second), 212.0);
        near(result.p, 0.007_938_927_051_143_638);
    }

    #[test]
    fn no_difference_and_no_comparison() {
        assert_eq!(test(&[0.0, 0.0]).p, 1.0);
        assert_eq!(test(&[]).pairs, 0);
        assert_eq!(test(&[0.5]).p, 1.0);
        assert_eq!(wilcoxon(&[1.0], &[]), None);
        assert_eq!(wilcoxon(&[f64::NAN], &[1.0]), None);
    }
}
