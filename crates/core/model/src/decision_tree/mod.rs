//! Binary decision trees over numeric features.

mod builder;

pub use builder::Builder;
pub use builder::check_name;

use std::collections::BTreeMap;

/// A tree of tests `feature <= threshold`, made by a [`Builder`] or read from text.
///
/// Nodes are stored in preorder: the root first, the branch where a test holds directly after it.
/// Memory: 16 bytes per node, and one weight per class for each leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionTree {
    /// What the tree was trained on: keys and texts, for people.
    pub about: BTreeMap<String, String>,
    features: Vec<String>,
    classes: Vec<String>,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// A node of a [`DecisionTree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// Continues at the next node if `row[feature] <= threshold`, else at `right`.
    Split {
        /// Index into [`DecisionTree::features`].
        feature: u16,
        /// Compared as `f32`.
        threshold: f32,
        /// Index of the node where the test does not hold.
        right: u32,
    },
    /// Index into [`DecisionTree::leaves`].
    Leaf(u32),
}

/// The end of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Index into [`DecisionTree::classes`].
    pub class: u8,
    /// Weight (words) of each class in training; all 0 for a rule written by hand.
    pub weights: Vec<u64>,
}

impl Leaf {
    /// The weight of all classes.
    pub fn total(&self) -> u64 {
        self.weights.iter().fold(0, |sum, w| sum.saturating_add(*w))
    }

    /// Share of a class at this leaf, 0 to 1. If all weights are 0, the leaf's own class has all.
    pub fn share(&self, class: usize) -> f64 {
        match self.total() {
            0 => f64::from(u8::from(class == usize::from(self.class))),
            total => self
                .weights
                .get(class)
                .map_or(0.0, |w| *w as f64 / total as f64),
        }
    }
}

impl DecisionTree {
    /// Most leaves of a tree; a person cannot read more rules than that.
    pub const MAX_LEAVES: usize = 4096;
    /// Most tests on a path.
    pub const MAX_DEPTH: usize = 64;
    /// Most classes.
    pub const MAX_CLASSES: usize = 32;

    /// The features that the tests compare, in the order of their first appearance. A row
    /// holds their values in this order.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The nodes in preorder.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The leaves from left to right, which is the order of the rules from top to bottom.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The leaf of a row of feature values.
    ///
    /// # Panics
    /// If the row is shorter than [`DecisionTree::features`].
    pub fn leaf(&self, row: &[f32]) -> &Leaf {
        &self.leaves[self.leaf_index(|feature| row[feature])]
    }

    /// The index of the leaf, where `value` returns the value of a feature by its index.
    pub fn leaf_index(&self, value: impl Fn(usize) -> f32) -> usize {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Leaf(leaf) => return leaf as usize,
                Node::Split {
                    feature,
                    threshold,
                    right,
                } => {
                    at = if value(usize::from(feature)) <= threshold {
                        at + 1
                    } else {
                        right as usize
                    };
                }
            }
        }
    }

    /// The tests on the path to each leaf: feature, whether `<=` holds, threshold.
    pub fn paths(&self) -> Vec<Vec<(usize, bool, f32)>> {
        let mut path: Vec<(usize, bool, f32)> = Vec::new();
        let mut paths = Vec::with_capacity(self.leaves.len());
        for node in &self.nodes {
            match *node {
                Node::Split {
                    feature, threshold, ..
                } => path.push((usize::from(feature), true, threshold)),
                Node::Leaf(_) => {
                    paths.push(path.clone());
                    while path.last().is_some_and(|step| !step.1) {
                        path.pop();
                    }
                    if let Some(step) = path.last_mut() {
                        step.1 = false;
                    }
                }
            }
        }
        paths
    }
}
