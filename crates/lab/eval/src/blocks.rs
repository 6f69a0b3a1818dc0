//! Measures over classified blocks: how well predicted classes agree with gold ones.
//!
//! Averages over classes are weighted by each class's share of the weight, as printed by Weka and
//! in Table 2 of Kohlschütter et al. 2010, where the weight of an observation is its number of
//! words. A quotient by 0 is 0, as in the Weka of that time: for example the precision and F1 of a
//! class that is never predicted (later versions of Weka print `?` instead). So a classifier that
//! always predicts a class of share s has average precision s².

use super::roc;
use serde::Serialize;

/// The observations so far. Each thread fills its own, and they are [merged](Self::merge). No measure depends on the
/// order of observations or merges.
///
/// Memory: the square of the number of classes; with scores also 8 bytes per observation and 4 per
/// score.
#[derive(Clone, Debug, Default)]
pub struct BlockMeasures {
    /// Weight by gold class, then by predicted class; a square matrix that grows with the classes
    /// seen.
    confusion: Vec<Vec<u64>>,
    observations: u64,
    /// Gold class and weight of each scored observation.
    scored: Vec<(u8, u32)>,
    /// Scores of the scored observations, one row each.
    scores: Vec<f32>,
}

/// How well one class is found; also the average over classes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassMeasures {
    /// Weight of the gold class divided by all weight; 1 for the average.
    pub share: f64,
    /// True positives divided by all predicted positives.
    pub precision: f64,
    /// True positives divided by all gold positives.
    pub recall: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
    /// False positives divided by all gold negatives.
    pub false_positive_rate: f64,
    /// Area under the ROC curve of this class against all others; `None` if an observation has no
    /// scores, or if one side has no weight.
    pub roc_area: Option<f64>,
}

/// Observations with similar scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ScoreBin {
    /// Their weight.
    pub weight: u64,
    /// Mean score, by weight.
    pub score: f64,
    /// Share of the weight that is of gold class 1.
    pub content: f64,
}

/// All measures of a set of observations.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Correctly classified weight divided by all weight.
    pub accuracy: f64,
    /// Measures of each class, indexed by class number.
    pub classes: Vec<ClassMeasures>,
    /// Average over the classes, weighted by share. No ROC area if a class with weight has none.
    pub average: ClassMeasures,
}

impl Measured {
    /// The mean recall of the classes that have weight. Always predicting one of n such classes
    /// gives 1/n.
    pub fn balanced_accuracy(&self) -> f64 {
        let recalls = self.classes.iter().filter(|c| c.share > 0.0);
        let (sum, count) = recalls.fold((0.0, 0.0), |(sum, n), c| (sum + c.recall, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }
}

impl BlockMeasures {
    /// Adds a block. `weight` is its number of words, or 1. `scores` has one score per class, or
    /// for two classes only that of class 1, higher meaning likelier; or it is empty.
    pub fn add(&mut self, gold: u8, predicted: u8, scores: &[f32], weight: u32) {
        self.grow(usize::from(gold.max(predicted)) + 1);
        self.confusion[usize::from(gold)][usize::from(predicted)] += u64::from(weight);
        self.observations += 1;
        if !scores.is_empty() {
            self.scored.push((gold, weight));
            self.scores.extend_from_slice(scores);
        }
    }

    /// Adds the observations of another one.
    pub fn merge(&mut self, other: &Self) {
        self.grow(other.confusion.len());
        for (mine, theirs) in self.confusion.iter_mut().zip(&other.confusion) {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        }
        self.observations += other.observations;
        self.scored.extend_from_slice(&other.scored);
        self.scores.extend_from_slice(&other.scores);
    }

    /// Observations of two classes by their score, in bins of equal width from 0 to 1. They show how far scores can be
    /// trusted as probabilities.
    pub fn reliability(&self, bins: usize) -> Vec<ScoreBin> {
        let mut sums = vec![(0_u64, 0.0, 0_u64); bins.max(1)];
        if self.scores.len() == self.scored.len() {
            for ((class, weight), score) in self.scored.iter().zip(&self.scores) {
                let bin = ((f64::from(*score) * bins as f64) as usize).min(sums.len() - 1);
                let (all, mean, content) = &mut sums[bin];
                *all += u64::from(*weight);
                *mean += f64::from(*score) * f64::from(*weight);
                *content += u64::from(*weight) * u64::from(*class == 1);
            }
        }
        let bin = |(weight, score, content): (u64, f64, u64)| match weight {
            0 => ScoreBin::default(),
            _ => ScoreBin {
                weight,
                score: score / weight as f64,
                content: ratio(content, weight),
            },
        };
        sums.into_iter().map(bin).collect()
    }

    /// All measures; `None` if nothing has weight.
    pub fn measured(&self) -> Option<Measured> {
        let gold: Vec<u64> = self.confusion.iter().map(|row| row.iter().sum()).collect();
        let total: u64 = gold.iter().sum();
        if total == 0 {
            return None;
        }
        let classes: Vec<_> = (0..gold.len())
            .map(|class| self.class(class, gold[class], total))
            .collect();
        let right: u64 = (0..gold.len())
            .map(|class| self.confusion[class][class])
            .sum();
        Some(Measured {
            accuracy: ratio(right, total),
            average: average(&classes),
            classes,
        })
    }

    fn class(&self, class: usize, gold: u64, total: u64) -> ClassMeasures {
        let right = self.confusion[class][class];
        let predicted: u64 = self.confusion.iter().map(|row| row[class]).sum();
        let precision = ratio(right, predicted);
        let recall = ratio(right, gold);
        ClassMeasures {
            share: ratio(gold, total),
            precision,
            recall,
            f1: if right == 0 {
                0.0
            } else {
                2.0 * precision * recall / (precision + recall)
            },
            false_positive_rate: ratio(predicted - right, total - gold),
            roc_area: self.roc_area(class),
        }
    }

    fn roc_area(&self, class: usize) -> Option<f64> {
        if self.observations != self.scored.len() as u64 {
            return None;
        }
        let classes = self.confusion.len();
        let width = self.scores.len() / self.scored.len().max(1);
        if width * self.scored.len() != self.scores.len() {
            return None;
        }
        // With two classes and one score, the negated score of class 1 is the score of class 0.
        let (column, sign) = match (width, class) {
            (1, 0) if classes <= 2 => (0, -1.0),
            (1, 1) if classes <= 2 => (0, 1.0),
            _ if class < width => (class, 1.0),
            _ => return None,
        };
        let scores = self.scores.iter().skip(column).step_by(width);
        roc::area(
            self.scored
                .iter()
                .zip(scores)
                .map(|(&(gold, weight), score)| (sign * score, usize::from(gold) == class, weight)),
        )
    }

    fn grow(&mut self, classes: usize) {
        if classes > self.confusion.len() {
            self.confusion.resize_with(classes, Vec::new);
            for row in &mut self.confusion {
                row.resize(classes, 0);
            }
        }
    }
}

fn average(classes: &[ClassMeasures]) -> ClassMeasures {
    let mut average = ClassMeasures {
        share: 1.0,
        roc_area: Some(0.0),
        ..ClassMeasures::default()
    };
    for class in classes.iter().filter(|class| class.share > 0.0) {
        average.precision += class.share * class.precision;
        average.recall += class.share * class.recall;
        average.f1 += class.share * class.f1;
        average.false_positive_rate += class.share * class.false_positive_rate;
        let area = average.roc_area.zip(class.roc_area);
        average.roc_area = area.map(|(sum, area)| sum + class.share * area);
    }
    average
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_compared_with_the_content() {
        let mut all = BlockMeasures::default();
        for (gold, score, weight) in [(1, 0.9, 3), (0, 0.8, 1), (0, 0.1, 5), (1, 1.0, 0)] {
            all.add(gold, 1, &[score], weight);
        }
        let bins = all.reliability(2);
        assert_eq!((bins[0].weight, bins[0].content), (5, 0.0));
        assert_eq!((bins[1].weight, bins[1].content), (4, 0.75));
        assert!((bins[1].score - 0.875).abs() < 1e-6);
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn always_predicting_the_larger_class_gives_squared_precision() {
        // ZeroR on words, 63.8 % of which are boilerplate (Table 2).
        let mut measures = BlockMeasures::default();
        measures.add(0, 0, &[0.638, 0.362], 638);
        measures.add(1, 0, &[0.638, 0.362], 362);
        let measured = measures.measured().unwrap();
        let average = measured.average;
        assert!(near(measured.accuracy, 0.638));
        assert!(near(average.precision, 0.638 * 0.638));
        assert!(near(average.recall, 0.638));
        assert!(near(average.f1, 0.638 * 2.0 * 0.638 / 1.638));
        assert!(near(average.false_positive_rate, 0.638));
        assert_eq!(average.roc_area, Some(0.5));
        let never = measured.classes[1];
        assert_eq!((never.precision, never.recall, never.f1), (0.0, 0.0, 0.0));
        assert_eq!(never.false_positive_rate, 0.0);
    }

    #[test]
    fn measures_of_three_classes_equal_hand_computed_ones() {
        let mut measures = BlockMeasures::default();
        for (gold, row) in [[5, 1, 0], [2, 6, 2], [0, 1, 3]].iter().enumerate() {
            for (predicted, &weight) in row.iter().enumerate() {
                measures.add(gold as u8, predicted as u8, &[], weight);
            }
        }
        let measured = measures.measured().unwrap();
        assert!(near(measured.accuracy, 14.0 / 20.0));
        let recalls = 5.0 / 6.0 + 0.6 + 0.75;
        assert!(near(measured.balanced_accuracy(), recalls / 3.0));
        let class = measured.classes[1];
        assert!(near(class.share, 0.5));
        assert!(near(class.precision, 0.75) && near(class.recall, 0.6));
        assert!(near(class.f1, 2.0 / 3.0));
        assert!(near(class.false_positive_rate, 0.2));
        assert_eq!(class.roc_area, None);
        // Recall weighted by share is accuracy.
        assert!(near(measured.average.recall, measured.accuracy));
        let precision = 0.3 * 5.0 / 7.0 + 0.5 * 0.75 + 0.2 * 0.6;
        assert!(near(measured.average.precision, precision));
    }

    #[test]
    fn one_score_is_enough_only_for_two_classes() {
        let (mut one, mut two) = (BlockMeasures::default(), BlockMeasures::default());
        for (gold, score, weight) in [(0, 0.25, 3), (1, 0.5, 2), (0, 0.5, 4), (1, 0.75, 5)] {
            one.add(gold, 0, &[score], weight);
            two.add(gold, 0, &[1.0 - score, score], weight);
        }
        let (a, b) = (one.measured().unwrap(), two.measured().unwrap());
        assert_eq!(a, b);
        assert_eq!(a.classes[0].roc_area, a.classes[1].roc_area);
        assert_eq!(a.average.roc_area, Some((5.0 * 7.0 + 2.0 * 5.0) / 49.0));
        one.add(2, 0, &[0.5], 1);
        assert_eq!(one.measured().unwrap().average.roc_area, None);
    }

    #[test]
    fn an_observation_without_a_score_removes_the_roc_area() {
        let mut measures = BlockMeasures::default();
        measures.add(0, 0, &[0.25], 1);
        measures.add(1, 1, &[0.75], 1);
        assert_eq!(measures.measured().unwrap().average.roc_area, Some(1.0));
        measures.add(1, 1, &[], 1);
        assert_eq!(measures.measured().unwrap().average.roc_area, None);
        assert_eq!(BlockMeasures::default().measured(), None);
    }

    #[test]
    fn merging_equals_adding_in_any_order() {
        let rows = [
            (0, 1, 0.125, 7),
            (1, 1, 0.5, 2),
            (3, 0, 0.5, 9),
            (1, 3, 0.75, 4),
        ];
        let fill = |rows: &[(u8, u8, f32, u32)]| {
            let mut measures = BlockMeasures::default();
            for &(gold, predicted, score, weight) in rows {
                measures.add(gold, predicted, &[score, 1.0 - score, 0.0, score], weight);
            }
            measures
        };
        let whole = fill(&rows);
        for at in 0..=rows.len() {
            let mut merged = fill(&rows[at..]);
            merged.merge(&fill(&rows[..at]));
            assert_eq!(merged.measured(), whole.measured());
            assert_eq!(merged.confusion, whole.confusion);
        }
    }
}
