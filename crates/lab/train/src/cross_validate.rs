//! Cross-validation: every row is labelled by a model trained without its fold.

use super::{Dataset, Folds, Learner, Model, Sorted};
use rayon::prelude::*;
use warcsieve_eval::blocks::{BlockMeasures, Measured};

/// The result of a cross-validation.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossValidation<M> {
    /// For each row, the class shares by the model that was trained without the row's fold: rows ×
    /// classes values.
    pub distributions: Vec<f64>,
    /// For each row the class of the greatest share; in a tie the first.
    pub predicted: Vec<u8>,
    /// The model trained on all rows. It is the one that Weka prints and whose leaves it reports.
    pub model: M,
}

impl<M: Model> CrossValidation<M> {
    /// Number of leaves of the model trained on all rows.
    pub fn leaves(&self) -> Option<usize> {
        self.model.leaves()
    }
}

impl<M> CrossValidation<M> {
    /// Measures of the predicted classes, weighted as in the data set; `None` if nothing has
    /// weight. `data` is the validated data set.
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

/// Trains one model without each fold, which labels the fold's rows, and one model on all rows.
/// Runs in parallel; the result is the same with any number of threads. Memory: that of
/// [`Learner::train`] for each thread.
///
/// # Panics
/// If there is no such column, or the folds do not fit the rows.
pub fn cross_validate<L: Learner>(
    sorted: &Sorted<'_>,
    columns: &[usize],
    learner: &L,
    folds: &Folds,
) -> CrossValidation<L::Model> {
    let data = sorted.data();
    let classes = data.classes.len();
    assert_eq!(folds.of_row.len(), data.rows());
    // There is no fold number `count`, so "without fold `count`" is the model of all rows.
    let mut models: Vec<L::Model> = (0..=folds.count)
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
    use crate::fixture::{dataset, of_rows};
    use crate::{Sample, decision_tree, linear_svm};
    use proptest::prelude::*;

    fn pruned() -> decision_tree::Params {
        decision_tree::Params {
            min_leaf: 3,
            pruning: decision_tree::Pruning::ReducedError { seed: 1 },
            ..decision_tree::Params::default()
        }
    }

    fn raised() -> decision_tree::Params {
        decision_tree::Params {
            pruning: decision_tree::Pruning::Confidence(0.25),
            ..pruned()
        }
    }

    fn short() -> linear_svm::Params {
        linear_svm::Params {
            max_epochs: 20,
            ..linear_svm::Params::default()
        }
    }

    /// Learns the shares of the classes.
    struct Shares;

    impl Learner for Shares {
        type Model = Vec<f64>;

        fn train(&self, sample: &Sample<'_>) -> Vec<f64> {
            let weights = sample.class_weights();
            let total: u64 = weights.iter().sum();
            weights.iter().map(|w| *w as f64 / total as f64).collect()
        }
    }

    impl Model for Vec<f64> {
        fn distribution(&self, _: &Dataset, _: usize) -> Vec<f64> {
            self.clone()
        }
    }

    #[test]
    fn a_row_does_not_see_its_own_fold() {
        // Four groups, each of one class, two per class.
        let rows: Vec<_> = (0..40u8).map(|i| (vec![0.0], i / 10 % 2, 10)).collect();
        let mut data = of_rows(2, &rows);
        data.groups = (0..40).map(|i| i / 10).collect();
        let sorted = Sorted::new(&data).unwrap();
        let folds = Folds::grouped(&data, 4);
        let result = cross_validate(&sorted, &[0], &Shares, &folds);
        // Without its own group, two of three groups are of the other class.
        let pairs = || result.predicted.iter().zip(&data.labels);
        assert!(pairs().all(|(predicted, label)| predicted != label));
        assert_eq!(result.model.distribution(&data, 0), [0.5, 0.5]);
        assert_eq!(result.leaves(), None);
    }

    #[test]
    fn leaves_are_counted() {
        let rows: Vec<_> = (0..60u8)
            .map(|i| (vec![f32::from(i / 10)], u8::from(i >= 30), 10))
            .collect();
        let data = of_rows(2, &rows);
        let sorted = Sorted::new(&data).unwrap();
        let folds = Folds::stratified(&data, 10, 1);
        let learner = decision_tree::Params {
            min_leaf: 50,
            ..decision_tree::Params::default()
        };
        let result = cross_validate(&sorted, &[0], &learner, &folds);
        assert_eq!(result.leaves(), Some(2));
        assert_eq!(result.predicted, data.labels);
    }

    fn any_threads<L: Learner>(
        data: &Dataset,
        folds: &Folds,
        learner: &L,
    ) -> Result<(), TestCaseError>
    where
        L::Model: PartialEq,
    {
        let sorted = Sorted::new(data).unwrap();
        let one = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        let result = cross_validate(&sorted, &[0, 2], learner, folds);
        prop_assert_eq!(result.predicted.len(), data.rows());
        for shares in result.distributions.chunks_exact(data.classes.len()) {
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        let alone = one.install(|| cross_validate(&sorted, &[0, 2], learner, folds));
        prop_assert!(result == alone);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_data_any_learner_any_threads(data in dataset(40), count in 1..5usize) {
            let folds = Folds::grouped(&data, count);
            any_threads(&data, &folds, &pruned())?;
            any_threads(&data, &folds, &raised())?;
            any_threads(&data, &folds, &short())?;
        }
    }
}
