//! Ensembles of small regression trees, for two classes.

mod exits;
mod text;

pub use exits::Exits;

use std::collections::BTreeMap;

/// The sum of trees of tests `feature <= threshold`: the log-odds of the positive class.
///
/// Memory: 24 bytes a test and 4 a leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// What was learned from, and how well; for people.
    pub about: BTreeMap<String, String>,
    /// Names of the features that the tests compare; a row holds their values in this order.
    pub features: Vec<String>,
    /// The log-odds where no tree has a say.
    pub bias: f32,
    /// From log-odds to a probability.
    pub calibration: Calibration,
    /// The trees, whose leaves are added in this order.
    pub trees: Vec<Tree>,
}

/// The logistic function of slope · log-odds + offset (Platt 1999): how sure a sum of trees is of the
/// pages it has not seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Below 1 for a forest that is surer than it ought to be.
    pub slope: f32,
    /// Added after.
    pub offset: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            slope: 1.0,
            offset: 0.0,
        }
    }
}

impl Calibration {
    /// The probability of the positive class.
    pub fn probability(self, log_odds: f32) -> f32 {
        probability(self.slope * log_odds + self.offset)
    }
}

/// A regression tree. Tests stand before those that they lead to: first itself, then all on the
/// low side, then all on the high side; and leaves in the order of their paths, low sides first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The tests; none where the tree is one leaf.
    pub splits: Vec<Split>,
    /// What each leaf adds to the log-odds.
    pub leaves: Vec<f32>,
}

/// A test of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Index into [`Forest::features`].
    pub feature: u16,
    /// Compared as the `f32` it is.
    pub threshold: f32,
    /// What a leaf here would add to the log-odds: how far a test moves the sum is told by the
    /// difference to where it leads.
    pub value: f32,
    /// Where to go on if the test holds.
    pub low: Next,
    /// Where to go on if it does not.
    pub high: Next,
}

/// Where a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// At a test of the tree, by its index.
    Split(u16),
    /// It ends in a leaf, by its index.
    Leaf(u16),
}

impl Tree {
    /// Most leaves of a tree.
    pub const MAX_LEAVES: usize = 1 << 12;

    /// Where a row's path begins.
    pub fn start(&self) -> Next {
        match self.splits.first() {
            Some(_) => Next::Split(0),
            None => Next::Leaf(0),
        }
    }

    /// The index of the leaf, where `value` gives the value of a feature by its index.
    pub fn leaf(&self, value: impl Fn(usize) -> f32) -> usize {
        let mut next = self.start();
        loop {
            match next {
                Next::Leaf(leaf) => return usize::from(leaf),
                Next::Split(at) => next = self.splits[usize::from(at)].next(&value),
            }
        }
    }

    /// What a leaf adds, or would add where there is a test.
    pub fn value(&self, at: Next) -> f32 {
        match at {
            Next::Leaf(leaf) => self.leaves[usize::from(leaf)],
            Next::Split(split) => self.splits[usize::from(split)].value,
        }
    }
}

impl Split {
    /// Where a row goes on.
    pub fn next(&self, value: impl Fn(usize) -> f32) -> Next {
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

    /// The log-odds of a row, where `value` gives the value of a feature by its index.
    pub fn log_odds(&self, value: impl Fn(usize) -> f32) -> f32 {
        let add = |sum, tree: &Tree| sum + tree.leaves[tree.leaf(&value)];
        self.trees.iter().fold(self.bias, add)
    }

    /// How far each feature moves the log-odds of a row, added to `moves`: along each path a
    /// test's feature is given the difference between what leaves here and there would add (Saabas
    /// 2014). With the bias and the trees' first values the moves add up to the log-odds.
    pub fn explain(&self, value: impl Fn(usize) -> f32, moves: &mut [f32]) {
        for tree in &self.trees {
            let mut at = tree.start();
            while let Next::Split(split) = at {
                let split = &tree.splits[usize::from(split)];
                let next = split.next(&value);
                moves[usize::from(split.feature)] += tree.value(next) - split.value;
                at = next;
            }
        }
    }

    /// The forest for rows in which the value of a feature stands where `place` says.
    ///
    /// # Errors
    /// A feature has no place there.
    pub fn placed(self, place: impl Fn(&str) -> Option<usize>) -> Result<Self, String> {
        let place = |name: &String| place(name).ok_or(format!("there is no feature `{name}`"));
        let places = self.features.iter().map(place);
        let places = places.collect::<Result<Vec<usize>, String>>()?;
        Ok(self.renumbered(|feature| places[feature] as u16))
    }

    /// Gives the features other indices.
    pub fn renumbered(mut self, index: impl Fn(usize) -> u16) -> Self {
        for split in self.trees.iter_mut().flat_map(|t| &mut t.splits) {
            split.feature = index(usize::from(split.feature));
        }
        self
    }
}

/// The probability that log-odds stand for.
pub fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-log_odds))
}
