//! Area under the ROC curve.

/// The probability that a positive observation has a higher score than a negative one, where equal
/// scores count half. It is the area under the ROC curve by the trapezoid rule, 0 to 1.
///
/// Takes (score, is positive, weight) in any order. `None` unless there is weight on both sides. A
/// NaN is above all numbers. All sums are sums of integers, so the result does not depend on the
/// order. O(n log n) time, 12 bytes per observation.
pub fn area(scored: impl Iterator<Item = (f32, bool, u32)>) -> Option<f64> {
    // Adding 0 turns -0 into +0, so that both compare as equal.
    let mut scored: Vec<_> = scored.map(|(s, p, w)| (s + 0.0, p, w)).collect();
    scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut positives, mut negatives, mut halves) = (0u128, 0u128, 0u128);
    for tied in scored.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let weight = |positive| {
            let of_it = tied.iter().filter(|t| t.1 == positive);
            of_it.map(|t| u128::from(t.2)).sum::<u128>()
        };
        let (positive, negative) = (weight(true), weight(false));
        halves += positive * (2 * negatives + negative);
        positives += positive;
        negatives += negative;
    }
    let pairs = 2 * positives * negatives;
    (pairs > 0).then(|| halves as f64 / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_area_with_ties_and_weights() {
        // Expected value from scikit-learn's roc_auc_score with sample_weight.
        let scored = [
            (0.1, false, 3),
            (0.4, false, 1),
            (0.35, true, 2),
            (0.8, true, 5),
            (0.4, false, 4),
            (0.4, true, 2),
        ];
        let area = area(scored.into_iter()).unwrap();
        assert!((area - 0.791_666_666_666_666_7).abs() < 1e-15, "{area}");
    }

    #[test]
    fn equal_scores_have_area_one_half_and_one_side_alone_has_none() {
        let all = [(0.0, true, 3), (-0.0, false, 5), (0.0, false, 1)];
        assert_eq!(area(all.into_iter()), Some(0.5));
        assert_eq!(area([(0.5, true, 3)].into_iter()), None);
        assert_eq!(area([(0.5, true, 3), (0.1, false, 0)].into_iter()), None);
        assert_eq!(area([].into_iter()), None);
    }

    proptest! {
        #[test]
        fn the_area_counts_pairs(
            scored in prop::collection::vec((0u8..9, any::<bool>(), 0u32..5), 0..40),
        ) {
            let (mut won, mut pairs) = (0.0, 0.0);
            for p in scored.iter().filter(|s| s.1) {
                for n in scored.iter().filter(|s| !s.1) {
                    let weight = f64::from(p.2 * n.2);
                    pairs += weight;
                    won += weight * match p.0.cmp(&n.0) {
                        std::cmp::Ordering::Less => 0.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 1.0,
                    };
                }
            }
            let area = area(scored.iter().map(|s| (f32::from(s.0), s.1, s.2)));
            prop_assert_eq!(area, (pairs > 0.0).then(|| won / pairs));
        }
    }
}
