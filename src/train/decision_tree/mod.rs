//! Decision trees as C4.5 release 8 grows and prunes them, on numeric features.
//!
//! Quinlan: C4.5, 1993; Improved Use of Continuous Attributes in C4.5, JAIR 4, 1996. Where the
//! two leave a choice it is that of Weka's J48, whose trees Kohlschütter et al. 2010, §4.3.1,
//! measured ("C4.8"): a split is binary, its gain lessened by log2(cuts)/weight; of the best
//! cuts of all columns those of at least average gain compete by gain ratio; the threshold is
//! the greatest value in the whole training set that is not above the middle of the cut.
//!
//! # Deviations
//! J48 looks at rows and weights alike in places; here all is weight, unless
//! [`Floor::J48`] is asked for. Values are compared exactly, with no tolerance of 1e-6.
//! With reduced-error pruning, thresholds are values of the rows the tree is grown on; J48's are
//! of all training rows, those held out to prune by included.
//! A tree has at most [`DecisionTree::MAX_LEAVES`] leaves, grown level by level, and paths of at
//! most [`DecisionTree::MAX_DEPTH`] tests. Ties go to the first column and the least value.

mod confidence;
mod cut;
mod grow;
mod reduced_error;

use super::dataset::majority;
use super::{Dataset, Folds, Sample, Sorted};
use crate::error::Result;
use crate::model::{Builder, DecisionTree, Leaf};

/// How trees are grown and pruned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Least weight (words) of a leaf.
    pub min_leaf: u64,
    /// What `min_leaf` holds back.
    pub floor: Floor,
    /// What is cut off again.
    pub pruning: Pruning,
}

impl Default for Params {
    /// Leaves of 1,000 words at least, not pruned: §4.3.1 of the paper.
    fn default() -> Self {
        Self {
            min_leaf: 1_000,
            floor: Floor::Weight,
            pruning: Pruning::None,
        }
    }
}

/// How the least weight of a leaf is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// Both sides of a split weigh at least `min_leaf`.
    Weight,
    /// As J48 does it, for comparison: a node of weight W in c classes whose W/10c is over
    /// `min_leaf` asks only for 25, or W/10c if that is less, on both sides; and a node is split
    /// only if it has twice as many *rows* as a side has to have weight.
    J48,
}

/// How a grown tree is cut back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pruning {
    /// Only subtrees that err no less in training than their root would (J48 -U).
    None,
    /// By a pessimistic error, the upper limit of the observed one at this confidence (above 0,
    /// at most 0.5; C4.5's default .25), with subtree raising. What [`Pruning::None`] cuts goes first.
    Confidence(f64),
    /// A third of the sample's rows, by stratified folds of this seed, is held out while the tree
    /// is grown; from the leaves up, subtrees go that err no less on it than their root (J48 -R).
    ReducedError {
        /// Of the shuffle.
        seed: u64,
    },
}

/// A node of a tree that is being made.
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
    /// Nodes where the value is at most, and above, the threshold.
    sides: [usize; 2],
}

impl Node {
    fn total(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Weight that a leaf here would give another class.
    fn errors(&self) -> u64 {
        self.total() - self.weights.iter().max().copied().unwrap_or(0)
    }
}

/// Learns a tree from all rows and columns.
///
/// Without weight in the data, the tree is a lone leaf of the first class.
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) if the data set is faulty.
pub fn train(data: &Dataset, params: &Params) -> Result<DecisionTree> {
    Ok(train_sample(&Sorted::new(data)?.all(), params))
}

/// Learns a tree from a sample. Memory: 4 bytes for each of its values.
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

/// Makes leaves of subtrees that err no less in training than a leaf in their place.
fn collapse(nodes: &mut [Node]) {
    cut_back(nodes, nodes.iter().map(Node::errors).collect());
}

/// Makes leaves of subtrees that err no less than a leaf in their place, from the bottom up.
/// `errors` are those of each node as a leaf.
fn cut_back(nodes: &mut [Node], mut errors: Vec<u64>) {
    // Sides stand behind their node, so their errors are known when it comes.
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
