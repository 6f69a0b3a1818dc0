//! The paper's learners: those of the program, and two that only the paper's Table 2 uses.

mod distinct;
mod information_gain;
pub mod one_r;

pub use information_gain::information_gain;

use one_r::OneR;
use warcsieve_train::{Dataset, LearnedTree, Sample, decision_tree, linear_svm};

/// A learner for a row, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learner {
    /// Predicts the shares of the classes.
    ZeroR,
    /// Intervals of one feature.
    OneR(one_r::Params),
    /// A decision tree.
    Tree(decision_tree::Params),
    /// Linear support-vector machines.
    Svm(linear_svm::Params),
}

/// A trained model.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// By [`Learner::ZeroR`]: the share of each class in training.
    ZeroR(Vec<f64>),
    /// By [`Learner::OneR`].
    OneR(OneR),
    /// By [`Learner::Tree`].
    Tree(LearnedTree),
    /// By [`Learner::Svm`].
    Svm(linear_svm::LinearSvm),
}

impl warcsieve_train::Learner for Learner {
    type Model = Model;

    fn train(&self, sample: &Sample<'_>) -> Model {
        match self {
            Self::ZeroR => Model::ZeroR(shares(sample)),
            Self::OneR(params) => Model::OneR(OneR::train(sample, params)),
            Self::Tree(params) => Model::Tree(params.train(sample)),
            Self::Svm(params) => Model::Svm(params.train(sample)),
        }
    }
}

impl warcsieve_train::Model for Model {
    fn distribution(&self, data: &Dataset, row: usize) -> Vec<f64> {
        match self {
            Self::ZeroR(shares) => shares.clone(),
            Self::OneR(rule) => {
                let mut shares = vec![0.0; data.classes.len()];
                let value = data.columns.get(rule.column).map_or(0.0, |c| c[row]);
                shares[usize::from(rule.class(value))] = 1.0;
                shares
            }
            Self::Tree(tree) => tree.distribution(data, row),
            Self::Svm(svm) => svm.distribution(data, row),
        }
    }

    fn leaves(&self) -> Option<usize> {
        match self {
            Self::OneR(rule) => Some(rule.classes.len()),
            Self::Tree(tree) => tree.leaves(),
            Self::ZeroR(_) | Self::Svm(_) => None,
        }
    }
}

/// The shares of the classes, as in Weka's ZeroR. If no row has weight, the first class has share 1.
fn shares(sample: &Sample<'_>) -> Vec<f64> {
    let weights = sample.class_weights();
    let total: u64 = weights.iter().sum();
    let share = |(class, weight): (usize, &u64)| match total {
        0 => f64::from(u8::from(class == 0)),
        _ => *weight as f64 / total as f64,
    };
    weights.iter().enumerate().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::shares;
    use warcsieve_train::{Sorted, fixture::one_column};

    #[test]
    fn shares_are_of_weight() {
        let data = one_column(&[(0.0, 0, 1), (1.0, 0, 0), (2.0, 1, 3)]);
        let train = |data| shares(&Sorted::new(data).unwrap().all());
        assert_eq!(train(&data), [0.25, 0.75]);
        assert_eq!(train(&one_column(&[])), [1.0, 0.0]);
    }
}
