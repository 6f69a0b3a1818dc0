//! The paper's learners: those of the program, and two that only the paper's Table 2 needs.

mod information_gain;
pub mod one_r;
mod zero_r;

pub use information_gain::information_gain;

use one_r::OneR;
use warcsieve_train::{Dataset, LearnedTree, Sample};
use warcsieve_train::{decision_tree, linear_svm};
use zero_r::ZeroR;

/// A learner of a row, with its parameters.
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
    /// By [`Learner::ZeroR`].
    ZeroR(ZeroR),
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
            Self::ZeroR => Model::ZeroR(ZeroR::train(sample)),
            Self::OneR(params) => Model::OneR(OneR::train(sample, params)),
            Self::Tree(params) => Model::Tree(params.train(sample)),
            Self::Svm(params) => Model::Svm(params.train(sample)),
        }
    }
}

impl warcsieve_train::Model for Model {
    fn distribution(&self, data: &Dataset, row: usize) -> Vec<f64> {
        match self {
            Self::ZeroR(model) => model.shares.clone(),
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
