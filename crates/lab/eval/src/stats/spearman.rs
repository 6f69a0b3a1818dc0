//! Spearman's rank correlation.

/// Pearson's correlation of the ranks; equal values share their mean rank. `None` if the numbers of values differ, or
/// one of the two has no two different values.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    let (ranks_a, ranks_b) = (ranks(a), ranks(b));
    let middle = (a.len() as f64 + 1.0) / 2.0;
    let (mut both, mut of_a, mut of_b) = (0.0, 0.0, 0.0);
    for (a, b) in ranks_a.iter().zip(&ranks_b) {
        let (a, b) = (a - middle, b - middle);
        both += a * b;
        of_a += a * a;
        of_b += b * b;
    }
    (a.len() == b.len() && of_a > 0.0 && of_b > 0.0).then(|| both / (of_a * of_b).sqrt())
}

/// The rank of each value, from 1.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (tied.len() as f64 + 1.0) / 2.0;
        tied.iter().for_each(|&at| ranks[at] = rank);
        before += tied.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.spearmanr`.
    #[test]
    fn correlations_equal_those_of_scipy() {
        let of = |a: &[f64], b: &[f64]| spearman(a, b);
        assert_eq!(of(&[1.0, 2.0, 3.0], &[0.1, 0.5, 9.0]), Some(1.0));
        assert_eq!(of(&[1.0, 2.0, 3.0], &[9.0, 0.5, 0.1]), Some(-1.0));
        let found = of(&[1.0, 2.0, 2.0, 3.0, 5.0], &[5.0, 6.0, 7.0, 8.0, 7.0]).unwrap();
        assert!((found - 0.763_157_894_736_842).abs() < 1e-12, "{found}");
        assert_eq!(of(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(of(&[], &[]), None);
    }
}
