//! The learners as one type, so that a table of them can be run.

use super::{Dataset, Sample, ZeroR, decision_tree, linear_svm, one_r};
use crate::model::DecisionTree;
use linear_svm::LinearSvm;
use one_r::OneR;

/// A way to learn a model, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learner {
    /// The shares of the classes.
    ZeroR,
    /// Intervals of one feature.
    OneR(one_r::Params),
    /// A decision tree.
    Tree(decision_tree::Params),
    /// Linear support-vector machines.
    Svm(linear_svm::Params),
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// By [`Learner::ZeroR`].
    ZeroR(ZeroR),
    /// By [`Learner::OneR`].
    OneR(OneR),
    /// By [`Learner::Tree`], with the data set's column of each of the tree's features.
    Tree(DecisionTree, Vec<usize>),
    /// By [`Learner::Svm`].
    Svm(LinearSvm),
}

impl Learner {
    /// Learns from a sample.
    pub fn train(&self, sample: &Sample<'_>) -> Model {
        match self {
            Self::ZeroR => Model::ZeroR(ZeroR::train(sample)),
            Self::OneR(params) => Model::OneR(OneR::train(sample, params)),
            Self::Tree(params) => {
                let tree = decision_tree::train_sample(sample, params);
                let columns = sample.data().columns_named(tree.features());
                let columns = columns.expect("a tree tests columns of what it was learned from");
                Model::Tree(tree, columns)
            }
            Self::Svm(params) => Model::Svm(LinearSvm::train(sample, params)),
        }
    }
}

impl Model {
    /// How sure the model is of each class for a row of the data set it was trained on: shares
    /// of the classes in training (ZeroR, trees), votes (machines), or all on one (1R).
    pub fn distribution(&self, data: &Dataset, row: usize) -> Vec<f64> {
        let value = |column: usize| data.columns[column][row];
        match self {
            Self::ZeroR(model) => model.shares.clone(),
            Self::OneR(rule) => {
                let mut shares = vec![0.0; data.classes.len()];
                let of_row = data.columns.get(rule.column).map_or(0.0, |c| c[row]);
                shares[usize::from(rule.class(of_row))] = 1.0;
                shares
            }
            Self::Tree(tree, columns) => {
                let leaf = &tree.leaves()[tree.leaf_index(|feature| value(columns[feature]))];
                (0..data.classes.len()).map(|c| leaf.share(c)).collect()
            }
            Self::Svm(svm) => svm.votes(value),
        }
    }

    /// Leaves of a tree, intervals of a rule.
    pub fn leaves(&self) -> Option<usize> {
        match self {
            Self::OneR(rule) => Some(rule.classes.len()),
            Self::Tree(tree, _) => Some(tree.leaves().len()),
            Self::ZeroR(_) | Self::Svm(_) => None,
        }
    }
}
