//! Words by the text density of their block (§5.1): a beta distribution each for template text and
//! full text, and a normal distribution between them.

use super::least_squares::best;
use super::{Fit, FitError, Goodness, check, logistic, logit};
use std::f64::consts::PI;

/// A mixture of two beta distributions and a normal one over 0 to 1.
///
/// A density d of D, rounded up to an integer, is at x = (d − ½) / D, and its share of the words is
/// the mixture's density there, divided by D. The paper states neither its scale nor its
/// parameters. The mean of the normal part is between those of the betas. Without this constraint
/// the normal part could take the peak of full text. The normal part may extend beyond 0 to 1, so
/// its shares may sum to less than its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensityMixture {
    /// D: the largest density of the histogram.
    pub densities: u32,
    /// The beta distribution with the lower mean.
    pub template: Beta,
    /// The normal distribution between them.
    pub fuzzy: Normal,
    /// The beta distribution with the higher mean.
    pub full_text: Beta,
}

/// A beta distribution with its weight; the three weights sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    /// Share of the words.
    pub weight: f64,
    /// First shape parameter, above 0.
    pub alpha: f64,
    /// Second shape parameter, above 0.
    pub beta: f64,
}

/// A normal distribution with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// Share of the words.
    pub weight: f64,
    /// Mean, 0 to 1.
    pub mean: f64,
    /// Standard deviation, above 0.
    pub deviation: f64,
}

impl Beta {
    fn new(weight: f64, mean: f64, shapes: f64) -> Self {
        Self {
            weight,
            alpha: mean * shapes,
            beta: (1.0 - mean) * shapes,
        }
    }

    /// Density at `x` times the weight, as a function of `x`.
    fn density(self) -> impl Fn(f64) -> f64 {
        let Self {
            weight,
            alpha,
            beta,
        } = self;
        let whole = libm::lgamma(alpha + beta) - libm::lgamma(alpha) - libm::lgamma(beta);
        move |x| {
            let log = (alpha - 1.0) * libm::log(x) + (beta - 1.0) * libm::log(1.0 - x);
            weight * libm::exp(whole + log)
        }
    }
}

impl Normal {
    fn density(self, x: f64) -> f64 {
        let z = (x - self.mean) / self.deviation;
        self.weight * libm::exp(-0.5 * z * z) / (self.deviation * (2.0 * PI).sqrt())
    }
}

/// Two free weights, mean and sum of shapes of each beta, and mean and deviation of the normal.
const PARAMETERS: usize = 8;

impl DensityMixture {
    /// The share of the words at each density from 1 to D.
    pub fn shares(&self) -> Vec<f64> {
        let width = 1.0 / f64::from(self.densities);
        let (template, full_text) = (self.template.density(), self.full_text.density());
        let share = |at: u32| {
            let x = (f64::from(at) + 0.5) * width;
            width * (template(x) + self.fuzzy.density(x) + full_text(x))
        };
        (0..self.densities).map(share).collect()
    }

    /// Fits the mixture to the shares of words at densities 1, 2, 3 … by least squares, from ten
    /// starting points, which are computed from the moments of both sides of a split.
    ///
    /// # Errors
    /// If there are fewer than nine densities, or all have the same share.
    pub fn fit(shares: &[f64]) -> Result<Fit<Self>, FitError> {
        check(shares, PARAMETERS)?;
        let densities = u32::try_from(shares.len()).map_err(|_| FitError::NotFound)?;
        let curve = |p: &[f64; PARAMETERS]| Self::new(densities, p).shares();
        let splits = [0.15, 0.25, 0.35, 0.5, 0.65];
        let both = |split| [0.05, 0.15].map(|deviation| start(shares, split, deviation));
        let starts = splits.into_iter().flat_map(both);
        let (found, error) = best(&curve, shares, starts).ok_or(FitError::NotFound)?;
        Ok(Fit {
            model: Self::new(densities, &found),
            goodness: Goodness::of(shares, error, PARAMETERS),
        })
    }

    /// Maps any eight numbers to a valid mixture: the weights are the softmax of (p0, 0, p1), and
    /// each mean is a fraction of the way from another one, so that the mean of the normal part
    /// stays between the others.
    fn new(densities: u32, p: &[f64; PARAMETERS]) -> Self {
        let (low, high) = (libm::exp(p[0]), libm::exp(p[1]));
        let sum = low + 1.0 + high;
        let template = logistic(p[2]);
        let full_text = template + (1.0 - template) * logistic(p[3]);
        Self {
            densities,
            template: Beta::new(low / sum, template, libm::exp(p[4])),
            fuzzy: Normal {
                weight: 1.0 / sum,
                mean: template + (full_text - template) * logistic(p[6]),
                deviation: libm::exp(p[7]),
            },
            full_text: Beta::new(high / sum, full_text, libm::exp(p[5])),
        }
    }
}

/// Starting parameters, whose betas have the moments of the shares below and above `split`.
fn start(shares: &[f64], split: f64, deviation: f64) -> [f64; PARAMETERS] {
    let n = shares.len() as f64;
    let at = ((split * n) as usize).clamp(1, shares.len() - 1);
    // Weight, mean, and sum of the shapes.
    let side = |from: usize, to: usize| {
        let (mut weight, mut first, mut second) = (1e-9, 0.0, 0.0);
        for (i, y) in shares.iter().enumerate().take(to).skip(from) {
            let x = (i as f64 + 0.5) / n;
            weight += y;
            first += y * x;
            second += y * x * x;
        }
        let mean = (first / weight).clamp(0.01, 0.98);
        let variance = (second / weight - mean * mean).max(1e-4);
        let shapes = mean * (1.0 - mean) / variance - 1.0;
        (weight, mean, shapes.clamp(0.1, 1e3))
    };
    let (low, high) = (side(0, at), side(at, shares.len()));
    let way = (high.1 - low.1).max(0.01);
    // A fifth of the words goes to the normal part.
    let fifth = 0.25 * (low.0 + high.0);
    [
        libm::log(low.0 / fifth),
        libm::log(high.0 / fifth),
        logit(low.1),
        logit(way / (1.0 - low.1)),
        libm::log(low.2),
        libm::log(high.2),
        logit(((at as f64 / n - low.1) / way).clamp(0.05, 0.95)),
        libm::log(deviation),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mixture() -> DensityMixture {
        DensityMixture {
            densities: 25,
            template: Beta {
                weight: 0.4,
                alpha: 2.5,
                beta: 14.0,
            },
            fuzzy: Normal {
                weight: 0.15,
                mean: 0.36,
                deviation: 0.08,
            },
            full_text: Beta {
                weight: 0.45,
                alpha: 45.0,
                beta: 40.0,
            },
        }
    }

    #[test]
    fn densities_equal_hand_computed_ones() {
        let beta = Beta {
            weight: 0.5,
            alpha: 2.0,
            beta: 3.0,
        };
        // 12 x (1 - x)² at 1/4, times a half.
        assert!((beta.density()(0.25) - 0.5 * 12.0 * 0.25 * 0.5625).abs() < 1e-12);
        let normal = Normal {
            weight: 1.0,
            mean: 0.5,
            deviation: 0.1,
        };
        assert!((normal.density(0.6) - 2.419_707_245_191_434).abs() < 1e-12);
        // scipy.stats.beta.pdf and norm.pdf
        let shares = mixture().shares();
        assert!((shares[4] - 0.060_438_134_671_507_82).abs() < 1e-14);
        assert!((shares[12] - 0.120_661_868_728_427_85).abs() < 1e-14);
    }

    #[test]
    fn a_mixture_is_recovered() {
        let Fit { model, goodness } = DensityMixture::fit(&mixture().shares()).unwrap();
        let parts = |m: DensityMixture| {
            let DensityMixture {
                template: t,
                fuzzy: f,
                full_text: l,
                ..
            } = m;
            [
                t.weight,
                t.alpha,
                t.beta,
                f.weight,
                f.mean,
                f.deviation,
                l.weight,
                l.alpha,
                l.beta,
            ]
        };
        for (found, expected) in parts(model).into_iter().zip(parts(mixture())) {
            assert!((found / expected - 1.0).abs() < 1e-3, "{model:?}");
        }
        assert!(goodness.r_squared > 1.0 - 1e-9);
        assert_eq!(goodness.bins, 25);
    }

    #[test]
    fn degenerate_histograms_are_errors() {
        let few = |bins| {
            Err(FitError::TooFewBins {
                bins,
                parameters: 8,
            })
        };
        assert_eq!(DensityMixture::fit(&[]), few(0));
        assert_eq!(DensityMixture::fit(&[1.0]), few(1));
        assert_eq!(DensityMixture::fit(&[0.1; 10]), Err(FitError::Flat));
        assert_eq!(
            DensityMixture::fit(&[f64::NAN; 10]),
            Err(FitError::NotShares)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn any_histogram_has_a_finite_fit_or_an_error(
            counts in prop::collection::vec(0u32..1_000, 9..30),
        ) {
            let sum = f64::from(counts.iter().sum::<u32>().max(1));
            let shares: Vec<_> = counts.iter().map(|&n| f64::from(n) / sum).collect();
            if let Ok(Fit { model, goodness }) = DensityMixture::fit(&shares) {
                prop_assert!(model.shares().iter().all(|y| y.is_finite()), "{model:?}");
                prop_assert!(goodness.rmse.is_finite() && goodness.r_squared <= 1.0);
            }
        }
    }
}
