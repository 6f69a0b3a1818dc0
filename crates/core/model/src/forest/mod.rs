//! Ensembles of small regression trees, for two classes.

mod codes;
mod lanes;
mod scorer;
mod text;

pub use codes::{MAX_SHIFT, MIN_SHIFT, step_end};
pub use scorer::{Batch, Scorer};

use std::collections::BTreeMap;
use std::fmt;
use warcsieve_common::with_defaults;

/// The sum of trees of tests `feature <= threshold`: the log-odds of the positive class.
///
/// Memory: 24 bytes per test and 4 per leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// What the forest was trained on, and how well it does; for people.
    pub about: BTreeMap<String, String>,
    /// Names of the features that the tests compare; a row holds their values in this order.
    pub features: Vec<String>,
    /// The log-odds before any tree is added.
    pub bias: f32,
    /// Maps log-odds to a probability.
    pub calibration: Calibration,
    /// The trees, whose leaves are added in this order.
    pub trees: Vec<Tree>,
    /// Maps the expected F1 of a page, as a share, to the mean F1 of such pages. `None` if that was
    /// not measured.
    pub confidence: Option<Calibration>,
    /// The weights of one of the features, the path score, if the forest was learned with it.
    pub paths: Option<PathTable>,
}

/// Weights of hashed tokens of class names, ids and roles.
///
/// Memory: 3 bytes per slot.
#[derive(Clone, PartialEq)]
pub struct PathTable {
    /// How many log-odds a weight of 1 stands for.
    pub unit: f32,
    /// By slot of the hash: the weights of a token that is near, at a middle distance, and far.
    pub slots: Vec<[i8; 3]>,
}

impl PathTable {
    /// The maximum number of slots.
    pub const MAX_SLOTS: usize = 1 << 16;
}

impl fmt::Debug for PathTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PathTable({} slots)", self.slots.len())
    }
}

with_defaults! {
    /// The logistic function of slope · log-odds + offset (Platt 1999), fitted so that the probability
    /// is right for pages the forest was not trained on.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Calibration {
        /// Below 1 for an overconfident forest.
        pub slope: f32 = 1.0,
        /// Added after the slope.
        pub offset: f32 = 0.0,
    }
}

impl Calibration {
    /// The probability of the positive class.
    pub fn probability(self, log_odds: f32) -> f32 {
        probability(self.slope * log_odds + self.offset)
    }

    /// Maps a share to a calibrated share: its log-odds as a probability.
    pub fn of_share(self, share: f64) -> f32 {
        self.probability(log_odds_of(share))
    }
}

/// A regression tree. Tests are stored in preorder: a test, then all on its low side, then all on
/// its high side. Leaves are stored from left to right, low sides first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The tests; none if the tree is one leaf.
    pub splits: Vec<Split>,
    /// What each leaf adds to the log-odds.
    pub leaves: Vec<f32>,
}

/// A test of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Index into [`Forest::features`].
    pub feature: u16,
    /// Compared as `f32`.
    pub threshold: f32,
    /// What a leaf here would add to the log-odds. The value of a child minus this one is what the
    /// test contributes.
    pub value: f32,
    /// The child if the test holds.
    pub low: NodeRef,
    /// The child if it does not.
    pub high: NodeRef,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRef {
    /// Index into [`Tree::splits`].
    Split(u16),
    /// Index into [`Tree::leaves`].
    Leaf(u16),
}

impl Tree {
    /// The maximum number of leaves of a tree.
    pub const MAX_LEAVES: usize = 1 << 12;

    /// The root.
    pub fn root(&self) -> NodeRef {
        match self.splits.first() {
            Some(_) => NodeRef::Split(0),
            None => NodeRef::Leaf(0),
        }
    }

    /// The index of the leaf, where `value` returns the value of a feature by its index.
    pub fn leaf(&self, value: impl Fn(usize) -> f32) -> usize {
        let mut node = self.root();
        loop {
            match node {
                NodeRef::Leaf(leaf) => return usize::from(leaf),
                NodeRef::Split(at) => node = self.splits[usize::from(at)].child(&value),
            }
        }
    }

    /// The value that a leaf adds, or that a test would add if it were a leaf.
    pub fn value(&self, node: NodeRef) -> f32 {
        match node {
            NodeRef::Leaf(leaf) => self.leaves[usize::from(leaf)],
            NodeRef::Split(split) => self.splits[usize::from(split)].value,
        }
    }
}

impl Split {
    /// The child that a row goes to.
    pub fn child(&self, value: impl Fn(usize) -> f32) -> NodeRef {
        if value(usize::from(self.feature)) <= self.threshold {
            self.low
        } else {
            self.high
        }
    }
}

impl Forest {
    /// Largest model file in bytes.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// The log-odds of a row, where `value` returns the value of a feature by its index.
    pub fn log_odds(&self, value: impl Fn(usize) -> f32) -> f32 {
        let add = |sum, tree: &Tree| sum + tree.leaves[tree.leaf(&value)];
        self.trees.iter().fold(self.bias, add)
    }

    /// Adds each feature's contribution to the log-odds of a row to `contributions`: along each
    /// path, a test's feature is credited with the value of the child minus that of the test
    /// (Saabas 2014). The contributions, the bias and the values of the roots sum to the log-odds.
    pub fn explain(&self, value: impl Fn(usize) -> f32, contributions: &mut [f32]) {
        for tree in &self.trees {
            let mut node = tree.root();
            while let NodeRef::Split(split) = node {
                let split = &tree.splits[usize::from(split)];
                let child = split.child(&value);
                contributions[usize::from(split.feature)] += tree.value(child) - split.value;
                node = child;
            }
        }
    }

    /// The same forest for rows in which `place` returns the index of each feature.
    ///
    /// # Errors
    /// `place` does not know a feature.
    pub fn placed(self, place: impl Fn(&str) -> Option<usize>) -> Result<Self, String> {
        let place = |name: &String| place(name).ok_or(format!("there is no feature `{name}`"));
        let places = self.features.iter().map(place);
        let places = places.collect::<Result<Vec<usize>, String>>()?;
        Ok(self.renumbered(|feature| places[feature] as u16))
    }

    /// Replaces the indices of the features.
    pub fn renumbered(mut self, index: impl Fn(usize) -> u16) -> Self {
        for split in self.trees.iter_mut().flat_map(|t| &mut t.splits) {
            split.feature = index(usize::from(split.feature));
        }
        self
    }
}

/// The log-odds of a share, limited to those of 0.001 and 0.999.
pub fn log_odds_of(share: f64) -> f32 {
    let share = share.clamp(0.001, 0.999);
    libm::log(share / (1.0 - share)) as f32
}

/// The logistic function: log-odds as a probability.
pub fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-log_odds))
}
