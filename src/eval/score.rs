//! Precision, recall and F1 of what was found against what is gold.

/// Three quotients of three counts, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// What is common, by what was found.
    pub precision: f64,
    /// What is common, by what is gold.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
}

impl Scores {
    /// The scores of `common` things among `found` and `gold` ones. Nothing found where
    /// nothing is gold scores 1; one side alone empty scores 0.
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
    fn empty_against_empty_is_right_and_against_anything_else_wrong() {
        let parts = |s: Scores| [s.precision, s.recall, s.f1];
        assert_eq!(parts(Scores::of(0, 0, 0)), [1.0; 3]);
        assert_eq!(parts(Scores::of(0, 0, 5)), [0.0; 3]);
        assert_eq!(parts(Scores::of(0, 5, 0)), [0.0; 3]);
        assert_eq!(parts(Scores::of(0, 5, 5)), [0.0; 3]);
    }
}
