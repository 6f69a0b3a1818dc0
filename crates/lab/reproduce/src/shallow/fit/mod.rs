//! Fits of the stochastic text model to histograms (Kohlschütter et al. 2010, §5).

mod density;
mod geometric;
mod least_squares;
mod shares;

pub use density::DensityMixture;
pub use geometric::{Geometric, GeometricMixture};
pub use shares::{Bins, shares};

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// There are not more bins than parameters.
    #[error("{bins} bins are too few for {parameters} parameters")]
    TooFewBins {
        /// Number of points of the histogram.
        bins: usize,
        /// Number of parameters.
        parameters: usize,
    },
    /// All bins have the same share, so there is no variance to explain.
    #[error("all bins of the histogram hold the same")]
    Flat,
    /// A share is negative or not finite.
    #[error("the histogram holds a share that is negative or not finite")]
    NotShares,
    /// No starting point leads to a finite error.
    #[error("no fit was found")]
    NotFound,
}

/// A fitted model and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit<M> {
    /// The model.
    pub model: M,
    /// The goodness of the fit.
    pub goodness: Goodness,
}

/// Goodness of a least-squares fit of m parameters to n bins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goodness {
    /// n, the number of bins.
    pub bins: usize,
    /// 1 − SSE / SST: the share of the bins' variance about their mean that is explained.
    pub r_squared: f64,
    /// 1 − (SSE / (n − m)) / (SST / (n − 1)).
    pub adjusted_r_squared: f64,
    /// √(SSE / (n − m)), in shares.
    pub rmse: f64,
}

impl Goodness {
    fn of(shares: &[f64], squared_error: f64, parameters: usize) -> Self {
        let n = shares.len() as f64;
        let free = n - parameters as f64;
        let total = variation(shares);
        Self {
            bins: shares.len(),
            r_squared: 1.0 - squared_error / total,
            adjusted_r_squared: 1.0 - (squared_error / free) / (total / (n - 1.0)),
            rmse: (squared_error / free).sqrt(),
        }
    }
}

/// Sum of squared deviations from the mean.
fn variation(shares: &[f64]) -> f64 {
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    shares.iter().map(|y| (y - mean) * (y - mean)).sum()
}

/// Checks that `shares` can be fitted with this many parameters.
fn check(shares: &[f64], parameters: usize) -> Result<(), FitError> {
    if shares.len() <= parameters {
        return Err(FitError::TooFewBins {
            bins: shares.len(),
            parameters,
        });
    }
    if !shares.iter().all(|y| y.is_finite() && *y >= 0.0) {
        return Err(FitError::NotShares);
    }
    if shares.iter().all(|y| *y == shares[0]) {
        return Err(FitError::Flat);
    }
    Ok(())
}

/// Maps a real number into 0 to 1.
fn logistic(t: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-t))
}

/// Inverse of [`logistic`], for p between 0 and 1 (exclusive).
fn logit(p: f64) -> f64 {
    libm::log(p / (1.0 - p))
}
