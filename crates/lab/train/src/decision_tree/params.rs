//! How trees are grown and pruned.

use warcsieve_common::with_defaults;

with_defaults! {
    /// Parameters of a tree. By default leaves weigh at least 1,000 words, and nothing is pruned: §4.3.1 of the paper.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Params {
        /// Minimum weight (words) of a leaf.
        pub min_leaf: u64 = 1_000,
        /// How `min_leaf` is applied.
        pub floor: Floor = Floor::Weight,
        /// How the tree is pruned.
        pub pruning: Pruning = Pruning::None,
    }
}

/// How the minimum weight of a leaf is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// Both sides of a split weigh at least `min_leaf`.
    Weight,
    /// As J48 does it, for comparison: a node of weight W in c classes whose W/10c is over
    /// `min_leaf` requires only 25, or W/10c if that is less, on both sides; and a node is split
    /// only if its number of *rows* is at least twice the weight that a side requires.
    J48,
    /// As J48 does it if a row of weight n stands for n equal rows of weight 1: without the
    /// condition on the number of rows.
    J48Copies,
}

/// How a grown tree is pruned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pruning {
    /// Removes only subtrees that have no fewer training errors than their root as a leaf (J48 -U).
    None,
    /// Prunes by a pessimistic error, the upper confidence limit of the observed one at this
    /// confidence (above 0, at most 0.5; C4.5's default .25), with subtree raising, after removing
    /// what [`Pruning::None`] removes.
    Confidence(f64),
    /// Holds out a third of the sample's rows, by stratified folds of this seed, while the tree is
    /// grown; then removes, from the leaves up, subtrees that have no fewer errors on these rows
    /// than their root as a leaf (J48 -R).
    ReducedError {
        /// Seed of the shuffle.
        seed: u64,
    },
}
