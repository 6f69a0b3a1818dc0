//! Words per block for a random writer (§5.2): after each word the block ends with a fixed
//! probability.

use super::least_squares::best;
use super::{Fit, FitError, Goodness, check, logistic, logit};

/// One kind of text: the 1-displaced geometric distribution (Eq. 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    /// P_T(N): probability that a block ends after a word.
    pub end: f64,
}

/// Short and long text (Eq. 3); short text has the higher probability of ending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeometricMixture {
    /// P_N(S): share of blocks of short text.
    pub short_share: f64,
    /// P_S(N): probability that a block of short text ends after a word.
    pub short_end: f64,
    /// P_L(N): the same for long text.
    pub long_end: f64,
}

impl Geometric {
    /// Probability that a block has `words` words; 0 for 0 words.
    pub fn probability(&self, words: u32) -> f64 {
        match words {
            0 => 0.0,
            _ => self.end * libm::pow(1.0 - self.end, f64::from(words - 1)),
        }
    }

    /// Fits Eq. 2 to points of (words, share of blocks) by least squares, with equal weight for
    /// each point ([`shares`](super::shares())). Points with 0 words are left out.
    ///
    /// # Errors
    /// If there are fewer than two points, or all have the same share.
    pub fn fit(points: &[(u32, f64)]) -> Result<Fit<Self>, FitError> {
        let starts = [0.05, 0.3, 0.7].map(|end| [logit(end)]);
        let model = |&[end]: &[f64; 1]| Self { end: logistic(end) };
        fit(points, &starts, model, Self::probability)
    }
}

impl GeometricMixture {
    /// Probability that a block has `words` words; 0 for 0 words.
    pub fn probability(&self, words: u32) -> f64 {
        let of = |end| Geometric { end }.probability(words);
        self.short_share * of(self.short_end) + (1.0 - self.short_share) * of(self.long_end)
    }

    /// Fits Eq. 3 like [`Geometric::fit`] fits Eq. 2. If one kind of text suffices, the share of
    /// the other or both probabilities are arbitrary.
    ///
    /// # Errors
    /// If there are fewer than four points, or all have the same share.
    pub fn fit(points: &[(u32, f64)]) -> Result<Fit<Self>, FitError> {
        let mut starts = Vec::new();
        for share in [0.2, 0.5, 0.8] {
            for short in [0.25, 0.5, 0.8] {
                for long in [0.01, 0.05, 0.2] {
                    starts.push([share, short, long].map(logit));
                }
            }
        }
        let model = |p: &[f64; 3]| Self::new(p.map(logistic));
        fit(points, &starts, model, Self::probability)
    }

    fn new([share, end, other]: [f64; 3]) -> Self {
        let (short_share, short_end, long_end) = match end >= other {
            true => (share, end, other),
            false => (1.0 - share, other, end),
        };
        Self {
            short_share,
            short_end,
            long_end,
        }
    }
}

fn fit<const M: usize, T>(
    points: &[(u32, f64)],
    starts: &[[f64; M]],
    model: impl Fn(&[f64; M]) -> T,
    probability: impl Fn(&T, u32) -> f64,
) -> Result<Fit<T>, FitError> {
    let (words, shares): (Vec<u32>, Vec<f64>) = points.iter().filter(|p| p.0 > 0).copied().unzip();
    check(&shares, M)?;
    let curve = |p: &[f64; M]| {
        let model = model(p);
        let probabilities = words.iter().map(|&words| probability(&model, words));
        probabilities.collect()
    };
    let (found, error) = best(&curve, &shares, starts.iter().copied()).ok_or(FitError::NotFound)?;
    Ok(Fit {
        model: model(&found),
        goodness: Goodness::of(&shares, error, M),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn probabilities_equal_hand_computed_ones() {
        let one = Geometric { end: 0.25 };
        assert_eq!(
            [0, 1, 2, 3].map(|x| one.probability(x)),
            [0.0, 0.25, 0.1875, 0.140625]
        );
        assert_eq!(Geometric { end: 1.0 }.probability(1), 1.0);
        let two = GeometricMixture {
            short_share: 0.75,
            short_end: 0.5,
            long_end: 0.25,
        };
        assert_eq!(two.probability(2), 0.75 * 0.25 + 0.25 * 0.1875);
    }

    #[test]
    fn the_model_of_the_paper_is_recovered() {
        let paper = GeometricMixture {
            short_share: 0.7586,
            short_end: 0.3968,
            long_end: 0.04369,
        };
        let points: Vec<_> = (1..300).map(|x| (x, paper.probability(x))).collect();
        let Fit { model, goodness } = GeometricMixture::fit(&points).unwrap();
        assert!((model.short_share - 0.7586).abs() < 1e-8, "{model:?}");
        assert!((model.short_end - 0.3968).abs() < 1e-8, "{model:?}");
        assert!((model.long_end - 0.04369).abs() < 1e-8, "{model:?}");
        assert!(goodness.r_squared > 1.0 - 1e-12);
        // A model with one kind of text fits worse, and its goodness follows the definition.
        let one = Geometric::fit(&points).unwrap();
        let errors = points.iter().map(|p| p.1 - one.model.probability(p.0));
        let squares: f64 = errors.map(|e| e * e).sum();
        assert!((one.goodness.rmse - (squares / 298.0).sqrt()).abs() < 1e-12);
        assert!(one.goodness.adjusted_r_squared < 0.999);
        assert!(one.goodness.adjusted_r_squared <= one.goodness.r_squared);
    }

    #[test]
    fn degenerate_histograms_are_errors() {
        let few = |bins, parameters| Err(FitError::TooFewBins { bins, parameters });
        assert_eq!(Geometric::fit(&[]), few(0, 1));
        assert_eq!(Geometric::fit(&[(0, 0.5), (5, 0.5)]), few(1, 1));
        assert_eq!(
            GeometricMixture::fit(&[(1, 0.5), (2, 0.2), (3, 0.3)])
                .unwrap_err()
                .to_string(),
            "3 bins are too few for 3 parameters"
        );
        assert_eq!(Geometric::fit(&[(1, 0.5), (2, 0.5)]), Err(FitError::Flat));
        for bad in [f64::NAN, f64::INFINITY, -0.1] {
            assert_eq!(
                Geometric::fit(&[(1, 0.5), (2, bad)]),
                Err(FitError::NotShares)
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_histogram_has_a_finite_fit_or_an_error(
            counts in prop::collection::vec((1u32..2_000, 0.0f64..1.0), 0..40),
        ) {
            if let Ok(Fit { model, goodness }) = GeometricMixture::fit(&counts) {
                let shown = [model.short_share, model.short_end, model.long_end];
                prop_assert!(shown.iter().all(|p| (0.0..=1.0).contains(p)), "{model:?}");
                prop_assert!(model.short_end >= model.long_end);
                prop_assert!(goodness.rmse.is_finite() && goodness.r_squared <= 1.0);
            }
        }

        #[test]
        fn one_kind_of_text_is_recovered(end in 0.01f64..0.95) {
            let points: Vec<_> =
                (1..200).map(|x| (x, Geometric { end }.probability(x))).collect();
            let found = Geometric::fit(&points).unwrap().model.end;
            prop_assert!((found - end).abs() < 1e-7, "{} is not {}", found, end);
        }
    }
}
