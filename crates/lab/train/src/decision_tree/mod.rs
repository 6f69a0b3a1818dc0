//! Decision trees on numeric features, grown and pruned as in C4.5 release 8.
//!
//! Quinlan: C4.5, 1993; Improved Use of Continuous Attributes in C4.5, JAIR 4, 1996. Details that
//! both leave open are as in Weka's J48, whose trees Kohlschütter et al. 2010, §4.3.1, measured
//! ("C4.8"): a split is binary, and its gain is reduced by log2(cuts)/weight; among the best cuts
//! of all columns, those of at least average gain compete by gain ratio; the threshold is the
//! greatest value in the whole training set that is not above the middle of the cut.
//!
//! # Deviations
//! In some places J48 mixes numbers of rows and weights. Here only weights count, unless
//! [`Floor`] says otherwise. Values are compared exactly, without a tolerance of 1e-6. With
//! reduced-error pruning, thresholds are values of the rows on which the tree is grown; those of
//! J48 are values of all training rows, including the rows held out for pruning. A tree is grown
//! level by level. It has at most [`DecisionTree::MAX_LEAVES`] leaves, and paths of at most
//! [`DecisionTree::MAX_DEPTH`] tests. Of equal candidates, the first column and the lowest value
//! win.

mod confidence;
mod cut;
mod grow;
mod node;
mod params;
mod reduced_error;

pub use params::{Floor, Params, Pruning};

use super::dataset::majority;
use super::{Dataset, Folds, Sample, Sorted};
use node::{Node, cut_back};
use warcsieve_common::Result;
use warcsieve_model::{Builder, DecisionTree, Leaf};

/// Trains a tree on all rows and columns.
///
/// If no row has weight, the tree is a single leaf of the first class.
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) if the data set is inconsistent.
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
