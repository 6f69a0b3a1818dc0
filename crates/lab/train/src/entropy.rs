//! Entropy of class weights. Weights are integers, so sums do not depend on their order.

use libm::log2;

/// `w · log2(w)`, 0 for 0.
pub fn xlog2x(weight: u64) -> f64 {
    if weight == 0 {
        0.0
    } else {
        let w = weight as f64;
        w * log2(w)
    }
}

/// Entropy in bits, times the total weight.
pub fn total_entropy(weights: &[u64]) -> f64 {
    let whole = xlog2x(weights.iter().sum());
    weights.iter().fold(whole, |sum, w| sum - xlog2x(*w))
}

#[test]
fn of_two_classes() {
    assert_eq!(total_entropy(&[4, 4]), 8.0);
    assert_eq!(total_entropy(&[4, 0]), 0.0);
    assert!((total_entropy(&[9, 5]) / 14.0 - 0.940_285_958_670_631).abs() < 1e-12);
}
