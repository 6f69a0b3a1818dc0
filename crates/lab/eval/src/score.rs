//! Precision, recall and F1 of extracted items against the gold.

/// Three measures from three counts, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// Common items divided by extracted items.
    pub precision: f64,
    /// Common items divided by gold items.
    pub recall: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
}

impl Scores {
    /// The scores for `common` items out of `found` extracted and `gold` expected ones. If both
    /// sides are empty the scores are 1; if only one is empty they are 0.
    pub fn of(common: u64, found: u64, gold: u64) -> Self {
        if found == 0 && gold == 0 {
            return Self {
                precision: 1.0,
                recall: 1.0,
                f1: 1.0,
            };
        }
        if common == 0 || found == 0 || gold == 0 {
            return Self::default();
        }
        let precision = common as f64 / found as f64;
        let recall = common as f64 / gold as f64;
        Self {
            precision,
            recall,
            f1: 2.0 * precision * recall / (precision + recall),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_of_four_found_of_six() {
        let scores = Scores::of(3, 4, 6);
        assert_eq!((scores.precision, scores.recall), (0.75, 0.5));
        assert!((scores.f1 - 0.6).abs() < 1e-15);
    }

    #[test]
    fn two_empty_sides_score_one_and_one_empty_side_scores_zero() {
        let parts = |s: Scores| [s.precision, s.recall, s.f1];
        assert_eq!(parts(Scores::of(0, 0, 0)), [1.0; 3]);
        assert_eq!(parts(Scores::of(0, 0, 5)), [0.0; 3]);
        assert_eq!(parts(Scores::of(0, 5, 0)), [0.0; 3]);
        assert_eq!(parts(Scores::of(0, 5, 5)), [0.0; 3]);
    }
}
