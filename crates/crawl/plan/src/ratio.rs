//! Estimates totals of a population from a sample of its parts, with confidence intervals.

use serde::Serialize;

/// An estimated total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely total.
    pub value: f64,
    /// Lower end of the 95 % interval; `None` where the sample is too small for one.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// A total that is known.
    pub fn exact(value: f64) -> Self {
        Self {
            value,
            low: Some(value),
            high: Some(value),
        }
    }

    /// The sum of this total and a known one.
    pub fn plus(self, more: f64) -> Self {
        self.map(|value| value + more)
    }

    /// The total in another unit.
    pub fn times(self, factor: f64) -> Self {
        self.map(|value| value * factor)
    }

    fn map(self, to: impl Fn(f64) -> f64) -> Self {
        Self {
            value: to(self.value),
            low: self.low.map(&to),
            high: self.high.map(&to),
        }
    }
}

/// A part of a population that is sampled separately.
#[derive(Clone, Debug, Default)]
pub(super) struct Stratum {
    /// The sampled pairs of `x` and `y`.
    pub(super) parts: Vec<(f64, f64)>,
    /// Sum of `x` over the whole stratum.
    pub(super) whole: f64,
}

/// The total of `y` in a population of strata. Each stratum has its own ratio of `y` to `x` in a
/// sample drawn without replacement, where each part of a stratum is equally likely. This is the
/// separate ratio estimate (Cochran 1977, §6.3 and §6.11). Its variance (6.13) is summed over
/// strata. Intervals use Student's t with Satterthwaite's degrees of freedom (§5.4).
///
/// A stratum with one sampled part is assumed to vary as much as the others. If a stratum has no
/// sampled part, all strata are pooled into one. If no stratum has two sampled parts, there is no
/// interval, unless everything was sampled. If nothing was sampled, the total is 0.
pub(super) fn total(strata: &[Stratum]) -> Estimate {
    let mut sums: Vec<_> = strata.iter().map(Sums::of).collect();
    if sums.iter().any(|s| s.whole > 0.0 && s.x <= 0.0) && strata.len() > 1 {
        return total(&[Stratum {
            parts: strata.iter().flat_map(|s| s.parts.clone()).collect(),
            whole: strata.iter().map(|s| s.whole).sum(),
        }]);
    }
    sums.retain(|s| s.x > 0.0);
    if sums.is_empty() {
        return Estimate::default();
    }
    let value = sums.iter().map(|s| s.ratio * s.whole).sum();
    let (known, spread) = sums.iter().fold((0.0, 0.0), |(x, sum), s| match s.spread {
        Some(spread) => (x + s.x, sum + s.x * spread),
        None => (x, sum),
    });
    let others = (known > 0.0).then(|| spread / known);
    let (mut variance, mut squares) = (0.0, 0.0);
    for s in sums.iter().filter(|s| s.x < s.whole * (1.0 - 1e-12)) {
        let Some(spread) = s.spread.or(others) else {
            return Estimate {
                value,
                low: None,
                high: None,
            };
        };
        let left = 1.0 - s.x / s.whole;
        let own = left * spread * (s.ratio * s.whole).powi(2) / s.x;
        variance += own;
        squares += own.powi(2) / (s.n - 1.0).max(1.0);
    }
    if variance <= 0.0 {
        return Estimate::exact(value);
    }
    let freedom = (variance.powi(2) / squares + 1e-6).max(1.0) as usize;
    let margin = student_t(freedom) * variance.sqrt();
    let seen: f64 = sums.iter().map(|s| s.ratio * s.x).sum();
    Estimate {
        value,
        // The total is at least what was sampled.
        low: Some((value - margin).max(seen.min(value))),
        high: Some(value + margin),
    }
}

/// The sums of a stratum that the estimate needs.
struct Sums {
    /// Number of parts sampled.
    n: f64,
    /// Sum of `x` over these.
    x: f64,
    /// Sum of `x` over the whole stratum.
    whole: f64,
    /// `y` per unit of `x`.
    ratio: f64,
    /// Variance of `y` per unit of `x`, relative to the squared ratio. `None` with fewer than two
    /// parts.
    spread: Option<f64>,
}

impl Sums {
    fn of(Stratum { parts, whole }: &Stratum) -> Self {
        let n = parts.len() as f64;
        let x: f64 = parts.iter().map(|(x, _)| x).sum();
        let y: f64 = parts.iter().map(|(_, y)| y).sum();
        let ratio = if x > 0.0 { y / x } else { 0.0 };
        let residuals: f64 = parts.iter().map(|(x, y)| (y - ratio * x).powi(2)).sum();
        let spread = match residuals > 0.0 {
            true => n / (n - 1.0) * residuals / x / ratio.powi(2),
            false => 0.0,
        };
        Self {
            n,
            x,
            whole: *whole,
            ratio,
            spread: (n >= 2.0).then_some(spread),
        }
    }
}

/// The absolute value that Student's t with `freedom` degrees of freedom exceeds in 5 % of all
/// cases. Values beyond the table come from the expansion of the normal distribution (Abramowitz
/// and Stegun 1964, 26.7.5).
fn student_t(freedom: usize) -> f64 {
    const FEW: [f64; 5] = [
        12.706_204_736,
        4.302_652_730,
        3.182_446_305,
        2.776_445_105,
        2.570_581_836,
    ];
    /// The same value for the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    match freedom {
        0 => f64::INFINITY,
        1..=5 => FEW[freedom - 1],
        _ => {
            let powers = |of: &[f64]| of.iter().fold(0.0, |sum, factor| sum * Z * Z + factor) * Z;
            let n = freedom as f64;
            Z + powers(&[1.0, 1.0]) / (4.0 * n)
                + powers(&[5.0, 16.0, 3.0]) / (96.0 * n.powi(2))
                + powers(&[3.0, 19.0, 17.0, -15.0]) / (384.0 * n.powi(3))
                + powers(&[79.0, 776.0, 1_482.0, -1_920.0, -945.0]) / (92_160.0 * n.powi(4))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::seq::index;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg32;

    #[test]
    fn quantiles_match_published_tables() {
        let table = [
            (1, 12.7062),
            (2, 4.3027),
            (3, 3.1824),
            (4, 2.7764),
            (5, 2.5706),
            (8, 2.3060),
            (10, 2.2281),
            (29, 2.0452),
            (100, 1.9840),
            (10_000, 1.9602),
        ];
        for (freedom, expected) in table {
            let found = student_t(freedom);
            assert!((found - expected).abs() < 3e-4, "{freedom}: {found}");
        }
        assert_eq!(student_t(0), f64::INFINITY);
    }

    /// The total of a single stratum.
    fn total(parts: &[(f64, f64)], whole: f64) -> Estimate {
        super::total(&[Stratum {
            parts: parts.to_vec(),
            whole,
        }])
    }

    #[test]
    fn strata_add_up() {
        let strata = |parts: [&[(f64, f64)]; 2], whole: [f64; 2]| {
            super::total(&[0, 1].map(|i| Stratum {
                parts: parts[i].to_vec(),
                whole: whole[i],
            }))
        };
        // Variances 12 and 2 * (1 - 4 / 8) * 2 * (8 / 4)^2 = 8; each has one degree of freedom,
        // both have 20^2 / (12^2 + 8^2) = 1.9.
        let found = strata(
            [&[(3.0, 2.0), (7.0, 3.0)], &[(2.0, 5.0), (2.0, 7.0)]],
            [40.0, 8.0],
        );
        assert_eq!(found.value, 20.0 + 24.0);
        let margin = 12.706_204_7 * 20.0_f64.sqrt();
        assert!(
            (found.high.unwrap() - 44.0 - margin).abs() < 1e-4,
            "{found:?}"
        );
        assert_eq!(found.low, Some(17.0), "as much was seen");
        // The ratio of a stratum does not depend on how much of it was drawn.
        let found = strata([&[(1.0, 1.0); 30], &[(90.0, 900.0)]], [1_000.0, 100.0]);
        assert_eq!(found.value, 2_000.0);
        // One part: it counts as uneven as the others, with its own ratio.
        let even = &[(1.0, 0.5), (1.0, 1.5)];
        let [small, large] = [1.0, 2.0].map(|ratio| {
            let found = strata([even, &[(1.0, ratio)]], [2.0, 50.0]);
            found.high.unwrap() - found.value
        });
        assert!((large / small - 2.0).abs() < 1e-9, "{small} {large}");
        // No part: the stratum is pooled with the others.
        let found = strata([&[(1.0, 2.0), (1.0, 2.0)], &[]], [6.0, 4.0]);
        assert_eq!(found, Estimate::exact(20.0));
        let found = strata([&[(1.0, 2.0), (1.0, 3.0)], &[]], [2.0, 0.0]);
        assert_eq!(found, Estimate::exact(5.0));
    }

    #[test]
    fn a_total_of_two_parts_is_as_computed_by_hand() {
        // Ratio 5 / 10; residuals 0.5 and -0.5; variance 0.75 * 2 / 1 * 0.5 * 16 = 12.
        let found = total(&[(3.0, 2.0), (7.0, 3.0)], 40.0);
        assert_eq!(found.value, 20.0);
        let margin = 12.706_204_7 * 12.0_f64.sqrt();
        assert!(
            (found.high.unwrap() - 20.0 - margin).abs() < 1e-4,
            "{found:?}"
        );
        assert_eq!(found.low, Some(5.0), "as much was seen");
    }

    #[test]
    fn samples_that_are_too_small_have_no_interval() {
        assert_eq!(total(&[], 10.0), Estimate::default());
        assert_eq!(total(&[(0.0, 0.0)], 10.0), Estimate::default());
        let one = total(&[(2.0, 3.0)], 10.0);
        assert_eq!((one.value, one.low, one.high), (15.0, None, None));
        assert_eq!(total(&[(2.0, 3.0)], 2.0), Estimate::exact(3.0));
    }

    /// Parts of a crawl: sizes, and costs that depend on them more or less.
    fn population(random: &mut Pcg32, parts: usize, noise: f64) -> Vec<(f64, f64)> {
        (0..parts)
            .map(|_| {
                let x = if random.random_bool(0.1) {
                    random.random_range(0.0..1.0)
                } else {
                    1.0
                };
                let dear = if random.random_bool(0.3) { 3.0 } else { 1.0 };
                (x, x * (1.0 + noise * dear * random.random::<f64>()))
            })
            .collect()
    }

    #[test]
    fn intervals_contain_the_total_in_95_percent_of_samples() {
        let mut random = Pcg32::seed_from_u64(7);
        for (parts, drawn, noise) in [(300, 30, 1.0), (60, 30, 5.0), (2_000, 100, 0.2)] {
            let population = population(&mut random, parts, noise);
            let sum = |of: fn(&(f64, f64)) -> f64| population.iter().map(of).sum::<f64>();
            let (x, y) = (sum(|p| p.0), sum(|p| p.1));
            let (mut inside, mut mean) = (0, 0.0);
            for _ in 0..2_000 {
                let sample: Vec<_> = index::sample(&mut random, parts, drawn)
                    .iter()
                    .map(|i| population[i])
                    .collect();
                let found = total(&sample, x);
                mean += found.value / 2_000.0;
                let within = found.low.unwrap()..=found.high.unwrap();
                inside += usize::from(within.contains(&y));
            }
            assert!((1_840..=1_960).contains(&inside), "{inside} of 2000");
            assert!((mean / y - 1.0).abs() < 0.01, "{mean} {y}");
        }
    }

    proptest! {
        #[test]
        fn an_exact_ratio_is_found(
            parts in prop::collection::vec(1.0f64..9.0, 1..40),
            more in 0.0f64..500.0,
            ratio in 0.0f64..3.0,
        ) {
            let whole = parts.iter().sum::<f64>() + more;
            let parts: Vec<_> = parts.iter().map(|x| (*x, x * ratio)).collect();
            let found = total(&parts, whole);
            prop_assert!((found.value - ratio * whole).abs() < 1e-6);
            if let (Some(low), Some(high)) = (found.low, found.high) {
                prop_assert!(low <= found.value + 1e-6 && high >= found.value - 1e-6);
                prop_assert!(high - low < 1e-3);
            }
        }
    }
}
