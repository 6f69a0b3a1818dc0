//! The interface of learners for cross-validation.

use super::{Dataset, Sample, decision_tree, linear_svm};
use linear_svm::LinearSvm;
use warcsieve_model::DecisionTree;

/// A learning algorithm with its parameters.
pub trait Learner: Sync {
    /// The type of the trained model.
    type Model: Model;

    /// Trains a model on a sample.
    fn train(&self, sample: &Sample<'_>) -> Self::Model;
}

/// A trained model.
pub trait Model: Send + Sync {
    /// The model's share of each class for a row of the data set it was trained on.
    fn distribution(&self, data: &Dataset, row: usize) -> Vec<f64>;

    /// Number of leaves of a tree or intervals of a rule; `None` for other models.
    fn leaves(&self) -> Option<usize> {
        None
    }
}

/// A tree, with the column in the data set of each of its features.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedTree {
    /// The tree.
    pub tree: DecisionTree,
    columns: Vec<usize>,
}

impl Learner for decision_tree::Params {
    type Model = LearnedTree;

    fn train(&self, sample: &Sample<'_>) -> LearnedTree {
        let tree = decision_tree::train_sample(sample, self);
        let columns = sample.data().columns_named(tree.features());
        let columns = columns.expect("a tree tests columns of what it was learned from");
        LearnedTree { tree, columns }
    }
}

impl Model for LearnedTree {
    /// The training shares of the classes in the row's leaf.
    fn distribution(&self, data: &Dataset, row: usize) -> Vec<f64> {
        let value = |feature: usize| data.columns[self.columns[feature]][row];
        let leaf = &self.tree.leaves()[self.tree.leaf_index(value)];
        (0..data.classes.len()).map(|c| leaf.share(c)).collect()
    }

    fn leaves(&self) -> Option<usize> {
        Some(self.tree.leaves().len())
    }
}

impl Learner for linear_svm::Params {
    type Model = LinearSvm;

    fn train(&self, sample: &Sample<'_>) -> LinearSvm {
        LinearSvm::train(sample, self)
    }
}

impl Model for LinearSvm {
    /// The votes of the machines.
    fn distribution(&self, data: &Dataset, row: usize) -> Vec<f64> {
        self.votes(|column| data.columns[column][row])
    }
}
