//! Every row labelled by a model that has not seen its fold.

use super::{Dataset, Folds, Learner, Model, Sorted};
use crate::eval::blocks::{BlockMeasures, Measured};
use rayon::prelude::*;

/// What came of a cross-validation.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossValidation {
    /// Row by row the shares of the classes, by the model that was trained without the row's
    /// fold: rows × classes values.
    pub distributions: Vec<f64>,
    /// Row by row the class of the greatest share, of equal ones the first.
    pub predicted: Vec<u8>,
    /// Learned from all rows: what Weka prints, and whose leaves it reports.
    pub model: Model,
}

impl CrossValidation {
    /// Leaves of the model learned from all rows.
    pub fn leaves(&self) -> Option<usize> {
        self.model.leaves()
    }

    /// How well the rows' classes were found, weighted as the data set says; `None` if nothing has
    /// weight. `data` is what was validated on.
    pub fn measure(&self, data: &Dataset) -> Option<Measured> {
        let mut measures = BlockMeasures::default();
        let shares = self.distributions.chunks_exact(data.classes.len());
        for (row, shares) in shares.enumerate() {
            let scores: Vec<f32> = shares.iter().map(|&s| s as f32).collect();
            measures.add(
                data.labels[row],
                self.predicted[row],
                &scores,
                data.weights[row],
            );
        }
        measures.measured()
    }
}

/// Trains once without each fold and labels its rows, and once on all. Runs in parallel; the
/// outcome is the same at any number of threads. Memory: [`Learner::train`]'s for each thread.
///
/// # Panics
/// If there is no such column, or the folds are of other rows.
pub fn cross_validate(
    sorted: &Sorted<'_>,
    columns: &[usize],
    learner: &Learner,
    folds: &Folds,
) -> CrossValidation {
    let data = sorted.data();
    let classes = data.classes.len();
    assert_eq!(folds.of_row.len(), data.rows());
    // Fold `count` is none: its model is that of all rows.
    let mut models: Vec<Model> = (0..=folds.count)
        .into_par_iter()
        .map(|fold| learner.train(&sorted.sample(columns, |row| folds.of_row[row] != fold)))
        .collect();
    let distributions: Vec<Vec<f64>> = (0..data.rows())
        .into_par_iter()
        .map(|row| models[folds.of_row[row]].distribution(data, row))
        .collect();
    let distributions = distributions.concat();
    let model = models.pop().expect("one more model than folds");
    CrossValidation {
        predicted: distributions.chunks_exact(classes).map(greatest).collect(),
        distributions,
        model,
    }
}

fn greatest(shares: &[f64]) -> u8 {
    let best = (0..shares.len())
        .rev()
        .max_by(|a, b| shares[*a].total_cmp(&shares[*b]));
    best.unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::fixture::{dataset, of_rows};
    use crate::train::{decision_tree, linear_svm, one_r};
    use proptest::prelude::*;

    fn learners() -> [Learner; 5] {
        let pruned = decision_tree::Params {
            min_leaf: 3,
            pruning: decision_tree::Pruning::ReducedError { seed: 1 },
            ..decision_tree::Params::default()
        };
        let raised = decision_tree::Params {
            pruning: decision_tree::Pruning::Confidence(0.25),
            ..pruned
        };
        let short = linear_svm::Params {
            max_epochs: 20,
            ..linear_svm::Params::default()
        };
        [
            Learner::ZeroR,
            Learner::OneR(one_r::Params::default()),
            Learner::Tree(pruned),
            Learner::Tree(raised),
            Learner::Svm(short),
        ]
    }

    #[test]
    fn a_row_does_not_see_its_own_fold() {
        // Four groups, each of one class, two of either.
        let rows: Vec<_> = (0..40u8).map(|i| (vec![0.0], i / 10 % 2, 10)).collect();
        let mut data = of_rows(2, &rows);
        data.groups = (0..40).map(|i| i / 10).collect();
        let sorted = Sorted::new(&data).unwrap();
        let folds = Folds::grouped(&data, 4);
        let result = cross_validate(&sorted, &[0], &Learner::ZeroR, &folds);
        // Without it two of three groups are of the other class.
        assert!(
            result
                .predicted
                .iter()
                .zip(&data.labels)
                .all(|(p, l)| p != l)
        );
        assert_eq!(result.model.distribution(&data, 0), [0.5, 0.5]);
    }

    #[test]
    fn leaves_are_counted() {
        let rows: Vec<_> = (0..60u8)
            .map(|i| (vec![f32::from(i / 10)], u8::from(i >= 30), 10))
            .collect();
        let data = of_rows(2, &rows);
        let sorted = Sorted::new(&data).unwrap();
        let folds = Folds::stratified(&data, 10, 1);
        let learner = Learner::Tree(decision_tree::Params {
            min_leaf: 50,
            ..decision_tree::Params::default()
        });
        let result = cross_validate(&sorted, &[0], &learner, &folds);
        assert_eq!(result.leaves(), Some(2));
        assert_eq!(result.predicted, data.labels);
        let none = cross_validate(&sorted, &[0], &Learner::ZeroR, &folds);
        assert_eq!(none.leaves(), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_data_any_learner_any_threads(data in dataset(40), count in 1..5usize) {
            let sorted = Sorted::new(&data).unwrap();
            let folds = Folds::grouped(&data, count);
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            for learner in learners() {
                let result = cross_validate(&sorted, &[0, 2], &learner, &folds);
                prop_assert_eq!(result.predicted.len(), data.rows());
                for shares in result.distributions.chunks_exact(data.classes.len()) {
                    prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                }
                let alone = one.install(|| cross_validate(&sorted, &[0, 2], &learner, &folds));
                prop_assert!(result == alone);
            }
        }
    }
}
