//! Confidence intervals by resampling pages (Efron and Tibshirani 1993, chapter 13).

use super::quantile;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use warcsieve_common::with_defaults;

with_defaults! {
    /// Settings of the bootstrap: each sample has as many values as the data, drawn with replacement.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Bootstrap {
        /// Number of samples; 1,000 by default.
        pub resamples: u32 = 1_000,
        /// Share of the samples' means inside the interval; 0.95 by default.
        pub confidence: f64 = 0.95,
        /// Seed of the draws: equal seeds lead to equal intervals on every machine.
        pub seed: u64 = 0,
    }
}

/// A confidence interval of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Bootstrap {
    /// Percentile interval of the mean. `None` if there are no values or not all are
    /// finite, if `resamples` is 0, or if `confidence` is not between 0 and 1.
    pub fn mean(&self, values: &[f64]) -> Option<Interval> {
        self.interval(&self.means(values)?)
    }

    /// The means of the samples, ascending.
    fn means(&self, values: &[f64]) -> Option<Vec<f64>> {
        let n = u32::try_from(values.len()).ok().filter(|&n| n > 0)?;
        if !values.iter().all(|v| v.is_finite()) {
            return None;
        }
        let mut random = Pcg32::seed_from_u64(self.seed);
        let mut means: Vec<f64> = (0..self.resamples)
            .map(|_| {
                let drawn = (0..n).map(|_| values[random.random_range(0..n) as usize]);
                drawn.sum::<f64>() / f64::from(n)
            })
            .collect();
        means.sort_unstable_by(f64::total_cmp);
        Some(means)
    }

    fn interval(&self, means: &[f64]) -> Option<Interval> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return None;
        }
        let tail = (1.0 - self.confidence) / 2.0;
        Some(Interval {
            low: quantile(means, tail)?,
            high: quantile(means, 1.0 - tail)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 400 values from 0 to 1, evenly spread: deviation 0.2887, of the mean 0.01443.
    fn even() -> Vec<f64> {
        (0..400).map(|i| f64::from(i) / 399.0).collect()
    }

    #[test]
    fn the_interval_is_about_two_standard_errors() {
        let interval = Bootstrap::default().mean(&even()).unwrap();
        assert!(
            (interval.low - (0.5 - 1.96 * 0.01443)).abs() < 0.004,
            "{interval:?}"
        );
        assert!(
            (interval.high - (0.5 + 1.96 * 0.01443)).abs() < 0.004,
            "{interval:?}"
        );
        let wider = Bootstrap {
            confidence: 0.99,
            ..Bootstrap::default()
        };
        let wider = wider.mean(&even()).unwrap();
        assert!(wider.low < interval.low && interval.high < wider.high);
    }

    #[test]
    fn equal_seeds_lead_to_equal_draws() {
        let seeded = |seed| Bootstrap {
            seed,
            ..Bootstrap::default()
        };
        let draws = |seed| seeded(seed).mean(&even());
        assert_eq!(draws(7), draws(7));
        assert_ne!(draws(7), draws(8));
        // The generator's draws are part of the documented behaviour.
        let mut random = Pcg32::seed_from_u64(0);
        let drawn: Vec<u32> = (0..6).map(|_| random.random_range(0..1_000)).collect();
        assert_eq!(drawn, [69, 986, 78, 246, 246, 376]);
    }

    #[test]
    fn invalid_values_or_settings_have_no_interval() {
        let default = Bootstrap::default();
        assert_eq!(default.mean(&[]), None);
        assert_eq!(default.mean(&[0.5, f64::NAN]), None);
        for (resamples, confidence) in [(0, 0.95), (10, 0.0), (10, 1.0), (10, f64::NAN)] {
            let odd = Bootstrap {
                resamples,
                confidence,
                seed: 0,
            };
            assert_eq!(odd.mean(&[0.5]), None);
        }
    }
}
