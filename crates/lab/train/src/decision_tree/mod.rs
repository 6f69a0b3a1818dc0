//! Decision trees on numeric features, grown and pruned as in C4.5 release 8.
//!
//! Quinlan: C4.5, 1993; Improved Use of Continuous Attributes in C4.5, JAIR 4, 1996. Details that
//! both leave open are as in Weka's J48, whose trees Kohlschütter et al. 2010, §4.3.1, measured
//! ("C4.8"): a split is binary, and its gain is reduced by log2(cuts)/weight; among the best cuts
//! of all columns, those of at least average gain compete by gain ratio; the threshold is the
//! greatest value in the whole training set that is not above the middle of the cut.
//!
//! # Deviations
//! J48 mixes numbers of rows and weights in places; here only weights count, unless [`Floor::J48`]
//! is set. Values are compared exactly, without a tolerance of 1e-6. With reduced-error pruning,
//! thresholds are values of the rows the tree is grown on; those of J48 are values of all training
//! rows, including the rows held out for pruning. A tree has at most [`DecisionTree::MAX_LEAVES`]
//! leaves, grown level by level, and paths of at most [`DecisionTree::MAX_DEPTH`] tests. Ties go to
//! the first column and the least value.

mod confidence;
mod cut;
mod grow;
mod reduced_error;

use super::dataset::majority;
use super::{Dataset, Folds, Sample, Sorted};
use warcsieve_common::Result;
use warcsieve_model::{Builder, DecisionTree, Leaf};

/// How trees are grown and pruned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Minimum weight (words) of a leaf.
    pub min_leaf: u64,
    /// How `min_leaf` is applied.
    pub floor: Floor,
    /// How the tree is pruned.
    pub pruning: Pruning,
}

impl Default for Params {
    /// Leaves of at least 1,000 words, no pruning: §4.3.1 of the paper.
    fn default() -> Self {
        Self {
            min_leaf: 1_000,
            floor: Floor::Weight,
            pruning: Pruning::None,
        }
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

/// A node of a tree under construction.
#[derive(Clone, Debug, PartialEq)]
struct Node {
    /// Weight of each class.
    weights: Vec<u64>,
    split: Option<Split>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    column: usize,
    threshold: f32,
    /// Indices of the nodes for values at most, and above, the threshold.
    sides: [usize; 2],
}

impl Node {
    fn total(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Weight that a leaf here would misclassify.
    fn errors(&self) -> u64 {
        self.total() - self.weights.iter().max().copied().unwrap_or(0)
    }
}

/// Trains a tree on all rows and columns.
///
/// If no row has weight, the tree is a single leaf of the first class.
///
/// # Errors
/// [`Error::Usage`](warcsieve_common::Error::Usage) if the data set is inconsistent.
pub fn train(data: &Dataset, params: &Params) -> Result<DecisionTree> {
    Ok(train_sample(&Sorted::new(data)?.all(), params))
}

/// Trains a tree on a sample. Memory: 4 bytes per value.
pub fn train_sample(sample: &Sample<'_>, params: &Params) -> DecisionTree {
    let nodes = match params.pruning {
        Pruning::None => {
            let mut nodes = grow::grow(sample, params);
            collapse(&mut nodes);
            nodes
        }
        Pruning::Confidence(confidence) => {
            let mut nodes = grow::grow(sample, params);
            collapse(&mut nodes);
            confidence::prune(&mut nodes, sample, confidence);
            nodes
        }
        Pruning::ReducedError { seed } => {
            let folds = Folds::stratified_sample(sample, 3, seed);
            let mut nodes = grow::grow(&sample.part(|row| folds.of_row[row] != 2), params);
            reduced_error::prune(&mut nodes, &sample.part(|row| folds.of_row[row] == 2));
            nodes
        }
    };
    finish(&nodes, sample.data())
}

/// Replaces subtrees by leaves that have no more training errors.
fn collapse(nodes: &mut [Node]) {
    cut_back(nodes, nodes.iter().map(Node::errors).collect());
}

/// Replaces subtrees by leaves that have no more errors, from the bottom up. `errors` are those of
/// each node as a leaf.
fn cut_back(nodes: &mut [Node], mut errors: Vec<u64>) {
    // Children have larger indices than their node, so in reverse order their errors are known
    // first.
    for at in (0..nodes.len()).rev() {
        if let Some(split) = nodes[at].split {
            let below = split.sides.iter().map(|s| errors[*s]).sum();
            if below < errors[at] {
                errors[at] = below;
            } else {
                nodes[at].split = None;
            }
        }
    }
}

fn finish(nodes: &[Node], data: &Dataset) -> DecisionTree {
    let make = || -> Result<DecisionTree, String> {
        let mut builder = Builder::new(&data.classes)?;
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            match nodes[at].split {
                Some(split) => {
                    builder.split(&data.names[split.column], split.threshold)?;
                    open.extend(split.sides.iter().rev());
                }
                None => builder.leaf(Leaf {
                    class: majority(&nodes[at].weights),
                    weights: nodes[at].weights.clone(),
                })?,
            }
        }
        builder.finish()
    };
    make().expect("a checked data set has names that fit, and trees are grown within the limits")
}

#[cfg(test)]
mod tests;
