//! Means over pages, their confidence intervals, rank correlation, and tests whether two methods differ.

mod bootstrap;
mod randomization;
mod spearman;
mod wilcoxon;

pub use bootstrap::{Bootstrap, Interval};
pub use randomization::{Randomization, randomization};
pub use spearman::spearman;
pub use wilcoxon::{Wilcoxon, wilcoxon};

/// Arithmetic mean; `None` if there are no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Median: the middle value, or the mean of the middle two; `None` if there are no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

/// The `share`-quantile of ascending values, between two of them by linear interpolation
/// (type 7 of Hyndman and Fan 1996).
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = share.clamp(0.0, 1.0) * last as f64;
    let below = at.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    Some(low + (high - low) * (at - below as f64))
}

/// Relative tolerance within which two values count as equal: .3 − .2 and .2 − .1 differ only by
/// rounding.
const ROUNDING: f64 = 1e-9;

/// Differences of pairs; those below 10⁻¹² come from rounding and are set to 0. `None` if the
/// numbers of values differ, or a difference is not finite.
fn differences(a: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    let difference = |(a, b): (&f64, &f64)| {
        let d = a - b;
        if d.abs() < 1e-12 { 0.0 } else { d }
    };
    let differences: Vec<f64> = a.iter().zip(b).map(difference).collect();
    (a.len() == b.len() && differences.iter().all(|d| d.is_finite())).then_some(differences)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_medians() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[6.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[6.0, 1.0, 2.0, 4.0]), Some(3.0));
    }

    #[test]
    fn quantiles_interpolate() {
        // numpy.quantile([1, 2, 4, 8], [.025, .3, 1])
        let values = [1.0, 2.0, 4.0, 8.0];
        for (share, expected) in [(0.025, 1.075), (0.3, 1.9), (1.0, 8.0)] {
            let found = quantile(&values, share).unwrap();
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
    }
}
