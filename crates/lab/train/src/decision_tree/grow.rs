//! Grows a tree level by level.

use super::cut::{self, Cut, NO_GAIN, Row};
use super::node::{Node, Split};
use super::params::Params;
use crate::Sample;
use crate::dataset::class_weights;
use std::collections::VecDeque;
use std::ops::Range;
use warcsieve_model::DecisionTree;

/// How far below the average a gain may be and still be considered, as in J48.
const ABOUT: f64 = 1e-3;

struct Grower<'a> {
    sample: &'a Sample<'a>,
    params: &'a Params,
    /// Weight and class of every row of the data set.
    rows: Vec<Row>,
    /// For each column the rows sorted by value within each node. The rows of a node have the same
    /// range in all columns.
    orders: Vec<Vec<u32>>,
    /// For each row of the node being split, whether it goes left.
    goes_left: Vec<bool>,
    /// Buffer for the rows that go right while an order is partitioned.
    right: Vec<u32>,
    nodes: Vec<Node>,
}

/// The nodes of a tree, the root first. Time: rows × columns for each level.
pub fn grow(sample: &Sample<'_>, params: &Params) -> Vec<Node> {
    let data = sample.data();
    let mut grower = Grower {
        sample,
        params,
        rows: data
            .weights
            .iter()
            .copied()
            .zip(data.labels.iter().copied())
            .collect(),
        orders: sample
            .columns()
            .iter()
            .map(|c| sample.ordered(*c).collect())
            .collect(),
        goes_left: vec![false; data.rows()],
        right: Vec::new(),
        nodes: vec![Node {
            weights: sample.class_weights(),
            split: None,
        }],
    };
    let all = 0..grower.orders.first().map_or(0, Vec::len);
    let mut open = VecDeque::from([(0, all, 0)]);
    let mut leaves = 1;
    while let Some((node, range, depth)) = open.pop_front() {
        if depth == DecisionTree::MAX_DEPTH || leaves == DecisionTree::MAX_LEAVES {
            continue;
        }
        let Some((split, middle)) = grower.split(node, range.clone()) else {
            continue;
        };
        leaves += 1;
        grower.nodes[node].split = Some(split);
        open.push_back((split.sides[0], range.start..middle, depth + 1));
        open.push_back((split.sides[1], middle..range.end, depth + 1));
    }
    grower.nodes
}

impl Grower<'_> {
    /// Splits a node if there is any gain. Returns the split, and where the rows of the right side
    /// begin.
    fn split(&mut self, node: usize, range: Range<usize>) -> Option<(Split, usize)> {
        let columns = self.sample.columns();
        let data = self.sample.data();
        let (chosen, cut) = self.choose(node, &range)?;
        let column = columns[chosen];
        let values = &data.columns[column];
        let threshold = self.threshold(column, &cut);

        for row in &self.orders[chosen][range.clone()] {
            self.goes_left[*row as usize] = values[*row as usize] <= threshold;
        }
        let mut middle = range.start;
        for order in &mut self.orders {
            middle =
                range.start + part(&mut order[range.clone()], &self.goes_left, &mut self.right);
        }

        let first = self.nodes.len();
        for side in [range.start..middle, middle..range.end] {
            let rows = self.orders[chosen][side].iter().map(|r| *r as usize);
            self.nodes.push(Node {
                weights: class_weights(data, rows),
                split: None,
            });
        }
        let split = Split {
            column,
            threshold,
            sides: [first, first + 1],
        };
        Some((split, middle))
    }

    /// Among the columns' best cuts with about average gain or more, the one with the greatest gain
    /// ratio.
    fn choose(&self, node: usize, range: &Range<usize>) -> Option<(usize, Cut)> {
        let weights = &self.nodes[node].weights;
        let floor = cut::floor(weights, range.len(), self.params)?;
        let data = self.sample.data();
        let columns = self.sample.columns().iter().enumerate();
        let cuts: Vec<(usize, Cut)> = columns
            .filter_map(|(i, c)| {
                let order = &self.orders[i][range.clone()];
                let cut = cut::best(&data.columns[*c], order, &self.rows, weights, floor)?;
                Some((i, cut))
            })
            .collect();
        let average = cuts.iter().map(|c| c.1.gain).sum::<f64>() / cuts.len() as f64;
        let mut best: Option<(usize, Cut)> = None;
        for (i, cut) in cuts {
            if cut.gain >= average - ABOUT && best.is_none_or(|b| cut.ratio > b.1.ratio + NO_GAIN) {
                best = Some((i, cut));
            }
        }
        best
    }

    /// The greatest value of the column in the whole sample that is not above the middle of the
    /// cut.
    fn threshold(&self, column: usize, cut: &Cut) -> f32 {
        let middle = f64::midpoint(f64::from(cut.below), f64::from(cut.above));
        let values = &self.sample.data().columns[column];
        self.sample
            .rows()
            .map(|row| values[row])
            .filter(|v| *v >= cut.below && f64::from(*v) <= middle)
            .fold(cut.below, f32::max)
    }
}

/// Moves the rows that go left to the front, keeping the order of each side, and returns their
/// number.
fn part(order: &mut [u32], goes_left: &[bool], right: &mut Vec<u32>) -> usize {
    right.clear();
    let mut left = 0;
    for i in 0..order.len() {
        let row = order[i];
        if goes_left[row as usize] {
            order[left] = row;
            left += 1;
        } else {
            right.push(row);
        }
    }
    order[left..].copy_from_slice(right);
    left
}
