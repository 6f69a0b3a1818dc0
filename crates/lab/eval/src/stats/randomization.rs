//! The paired randomization test: do the means of two methods differ?

use super::{ROUNDING, differences, mean};
use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg32;

/// Result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Randomization {
    /// Number of topics or pages on which the two differ; the others do not affect the means.
    pub pairs: usize,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// Two-sided p; 1 if no pair differs.
    pub p: f64,
    /// Whether all ways to swap pairs were counted; otherwise 100,000 random ones.
    pub exact: bool,
}

/// Maximum number of pairs for which all ways are counted.
const EXACT: usize = 16;
const DRAWS: u32 = 100_000;
const SEED: u64 = 0;

/// Tests `a[i]` against `b[i]` (Smucker, Allan and Carterette, CIKM 2007, section 2.4). `None` if
/// the numbers of values differ, or not all are finite.
///
/// Under the null hypothesis, the two values of a pair can be swapped. p is the share of all ways
/// to swap pairs for which the means differ at least as much as observed. With up to 16 differing
/// pairs all ways are counted. Otherwise 100,000 are drawn with a fixed seed, and the observed one
/// is added, so p is never 0 (Phipson and Smyth 2010). p is the same on every machine.
pub fn randomization(a: &[f64], b: &[f64]) -> Option<Randomization> {
    let mut differences = differences(a, b)?;
    let difference = mean(&differences).unwrap_or(0.0);
    differences.retain(|&d| d != 0.0);
    let n = differences.len();
    // Sums that are mathematically equal may differ by rounding.
    let total: f64 = differences.iter().map(|d| d.abs()).sum();
    let least = differences.iter().sum::<f64>().abs() - ROUNDING * total;
    let is_far = |sum: f64| sum.abs() >= least;
    let exact = n <= EXACT;
    let p = if exact {
        let ways = 1u64 << n;
        let far = (0..ways).filter(|&way| is_far(swapped(&differences, || way)));
        far.count() as f64 / ways as f64
    } else {
        let mut random = Pcg32::seed_from_u64(SEED);
        let far = (0..DRAWS).filter(|_| is_far(swapped(&differences, || random.next_u64())));
        (far.count() + 1) as f64 / f64::from(DRAWS + 1)
    };
    Some(Randomization {
        pairs: n,
        difference,
        p,
        exact,
    })
}

/// The sum after swapping the pairs whose bit is set; `bits` yields 64 bits at a time.
fn swapped(differences: &[f64], mut bits: impl FnMut() -> u64) -> f64 {
    let mut sum = 0.0;
    for some in differences.chunks(64) {
        let bits = bits();
        for (i, d) in some.iter().enumerate() {
            sum += if bits >> i & 1 == 1 { -d } else { *d };
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(differences: &[f64]) -> Randomization {
        randomization(differences, &vec![0.0; differences.len()]).unwrap()
    }

    // Expected values are scipy.stats.permutation_test's (1.17), samples permuted.

    #[test]
    fn few_pairs_have_an_exact_p() {
        let eight = test(&[1.1, -0.4, 2.3, 0.7, -1.9, 3.1, 0.2, 1.5]);
        assert_eq!((eight.pairs, eight.exact, eight.p), (8, true, 0.1875));
        assert!((eight.difference - 0.825).abs() < 1e-12);
        // Sums of tenths that are mathematically equal, but not after rounding.
        let a = [0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.6, 0.7];
        let b = [0.2, 0.1, 0.1, 0.1, 0.3, 0.1, 0.3, 0.3];
        let tenths = randomization(&a, &b).unwrap();
        assert_eq!((tenths.pairs, tenths.exact, tenths.p), (7, true, 0.0625));
        assert_eq!(randomization(&[0.1 + 0.2], &[0.3]).unwrap().pairs, 0);
        assert_eq!(test(&[1.0; 16]).p, 2f64.powi(-15));
    }

    #[test]
    fn many_pairs_have_the_p_of_random_draws() {
        let many: Vec<f64> = (0..40)
            .map(|i| f64::from((i * 7919) % 101 - 37) / 10.0 + 0.013 * f64::from(i))
            .collect();
        let drawn = test(&many);
        assert_eq!((drawn.pairs, drawn.exact), (40, false));
        assert!((drawn.p - 0.0033).abs() < 0.0006, "{}", drawn.p);
        // All 2¹⁷ ways, by counting: 0.34995.
        let few = test(&many[..17]);
        assert!(!few.exact && (few.p - 0.34995).abs() < 0.005, "{}", few.p);
        // The draws are part of the documented behaviour.
        assert_eq!(few.p, test(&many[..17]).p);
        let alike = test(&[1.0; 100]);
        assert_eq!(alike.p, 1.0 / 100_001.0, "never 0");
    }

    #[test]
    fn no_difference_and_no_comparison() {
        assert_eq!((test(&[0.0, 0.0]).p, test(&[]).p), (1.0, 1.0));
        assert_eq!(randomization(&[1.0], &[]), None);
        assert_eq!(randomization(&[f64::NAN], &[1.0]), None);
        assert_eq!(randomization(&[f64::INFINITY], &[f64::INFINITY]), None);
    }
}
