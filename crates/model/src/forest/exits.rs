//! Scores many rows with a forest without a branch per test (QuickScorer, Lucchese et al. 2015, in
//! the vectors of bytes of RapidScorer, Ye et al. 2018).
//!
//! The leaves of a tree are numbered, and each row has a bitmask of the leaves it can still reach,
//! all of them at first. Every test of the tree is applied, on the row's path or not: a test that
//! sends the row to its second side clears the leaves of its first side. In the end the lowest set
//! bit is the leaf that walking the tree would reach:
//!
//! * It is never cleared: only a test with this leaf on its first side clears it, and such a test
//!   is on the path and sends the row there.
//! * Every leaf before it is cleared: where the two paths part, the row goes to the second side,
//!   and the other leaf is on the first.
//!
//! For example, in this tree a row with x = 5 and y = 9 clears leaves 0 and 1 by the test of x,
//! leaf 0 by that of y, and the lowest bit left is leaf 2:
//!
//! ```text
//!              x <= 3            bits: 0b111
//!             /      \           5 <= 3 fails: & 0b100
//!         y <= 7    leaf 2       9 <= 7 fails: & 0b110
//!        /      \                lowest bit of 0b100: leaf 2
//!     leaf 0   leaf 1
//! ```
//!
//! The tests commute, so there is no branch and a test is applied to many rows at once. Four things
//! make it fast:
//!
//! * Values are compared as codes of eight bits ([`Coder`]), 32 in a vector.
//! * The first side is the one with fewer leaves, and the mask of a row is stored as bytes, all
//!   rows' first bytes together: most tests clear bits of one byte.
//! * Where a feature has one value on all rows of a batch, as those of the whole page have, its
//!   tests are done once for all.
//! * Tests that no row of the batch fails are passed over.
#![allow(unsafe_code, reason = "AVX2 where the processor has it")]

use super::codes::{Coder, coders};
use super::{Forest, NodeRef, Tree};

/// Rows of a vector.
const LANES: usize = 32;
/// Most rows scored together.
const ROWS: usize = 256;
/// Most bytes of a mask.
const PLANES: usize = 8;
/// Most leaves of a tree that is scored by masks.
const MASK_LEAVES: usize = PLANES * 8;

/// A byte of each row's mask.
type Plane = [u8; ROWS];

/// A forest in the form that scores fastest. The log-odds are those of [`Forest::log_odds`], to the
/// bit; for NaN they are any.
///
/// Memory: 16 bytes per test and 300 per tree, besides trees of more than 64 leaves, and those of a
/// forest that compares one feature with more than 255 numbers, which are walked.
#[derive(Clone, Debug, Default)]
pub struct QuickScorer {
    bias: f32,
    /// The features that are tested, and how their values are coded.
    coders: Vec<(u32, Coder)>,
    /// The tests of all trees scored by masks, tree by tree.
    tests: Vec<Test>,
    trees: Vec<ScoredTree>,
}

/// Clears the leaves of its first side for rows whose code is on the other one.
#[derive(Clone, Copy, Debug)]
struct Test {
    /// Index into the coders.
    feature: u16,
    /// The greatest code of the low side.
    code: u8,
    /// Whether the first side is the low one.
    low_first: bool,
    /// The bytes of the mask that have bits of the first side.
    planes: (u8, u8),
    /// The leaves a row can still reach if it goes to the second side: all but those of the first.
    mask: u64,
}

#[derive(Clone, Debug)]
enum ScoredTree {
    Masks {
        /// How many of the following tests are the tree's.
        tests: usize,
        /// Bytes of its masks.
        planes: usize,
        /// What its leaves add.
        leaves: Box<[f32; MASK_LEAVES]>,
    },
    /// A tree that does not fit masks.
    Walk(Tree),
}

/// What is known of a batch of rows: 256 bytes a feature that is tested, and 2,304 more. It is kept
/// from call to call, so that scoring allocates nothing.
#[derive(Debug)]
pub struct Batch {
    /// By coder: the codes of the rows.
    codes: Vec<Plane>,
    /// By coder: the least and the greatest of the codes.
    ranges: Vec<(u8, u8)>,
    /// The masks of one tree.
    masks: [Plane; PLANES],
    /// The leaf of each row in one tree.
    exits: Plane,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            codes: Vec::new(),
            ranges: Vec::new(),
            masks: [[0; ROWS]; PLANES],
            exits: [0; ROWS],
        }
    }
}

impl QuickScorer {
    /// Converts a forest.
    pub fn new(forest: &Forest) -> Self {
        let Some(coders) = coders(forest) else {
            return Self {
                bias: forest.bias,
                trees: forest.trees.iter().cloned().map(ScoredTree::Walk).collect(),
                ..Self::default()
            };
        };
        let mut tests = Vec::new();
        let convert = |tree: &Tree| {
            if tree.leaves.len() > MASK_LEAVES {
                return ScoredTree::Walk(tree.clone());
            }
            let (own, order) = masks(tree, &coders);
            tests.extend(own);
            let mut leaves = [0.0; MASK_LEAVES];
            for (to, leaf) in leaves.iter_mut().zip(order) {
                *to = tree.leaves[usize::from(leaf)];
            }
            ScoredTree::Masks {
                tests: tree.splits.len(),
                planes: tree.leaves.len().div_ceil(8),
                leaves: Box::new(leaves),
            }
        };
        Self {
            bias: forest.bias,
            trees: forest.trees.iter().map(convert).collect(),
            tests,
            coders,
        }
    }

    /// Writes the log-odds of `sums.len()` rows to `sums`. `columns` holds `stride` values for each
    /// feature, one per row; values beyond the last row are read but do not matter.
    ///
    /// # Panics
    /// `stride` is less than `sums.len()` rounded up to a multiple of 32, or `columns` lacks a
    /// feature that is tested.
    pub fn log_odds(&self, columns: &[f32], stride: usize, sums: &mut [f32], batch: &mut Batch) {
        assert!(
            sums.len().next_multiple_of(LANES) <= stride,
            "columns are too short"
        );
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            // SAFETY: the processor has the features the function is compiled for, as checked.
            return unsafe { self.log_odds_avx2(columns, stride, sums, batch) };
        }
        self.log_odds_lanes(columns, stride, sums, batch);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1")]
    fn log_odds_avx2(&self, columns: &[f32], stride: usize, sums: &mut [f32], batch: &mut Batch) {
        self.log_odds_lanes(columns, stride, sums, batch);
    }

    /// Inlined, as all that it calls, so that each caller compiles it for its own target features.
    #[inline(always)]
    fn log_odds_lanes(&self, columns: &[f32], stride: usize, sums: &mut [f32], batch: &mut Batch) {
        batch.codes.resize(self.coders.len(), [0; ROWS]);
        batch.ranges.resize(self.coders.len(), (0, 0));
        for (at, sums) in sums.chunks_mut(ROWS).enumerate() {
            self.score(batch, &columns[at * ROWS..], stride, sums);
        }
    }

    /// Scores at most [`ROWS`] rows, whose values begin `columns`.
    #[inline(always)]
    fn score(&self, batch: &mut Batch, columns: &[f32], stride: usize, sums: &mut [f32]) {
        let rows = sums.len().next_multiple_of(LANES);
        for (at, (feature, coder)) in self.coders.iter().enumerate() {
            let values = &columns[*feature as usize * stride..][..rows];
            let codes = &mut batch.codes[at][..rows];
            coder.codes(values, codes);
            batch.ranges[at] = range(&codes[..sums.len()]);
        }
        sums.fill(self.bias);
        let mut tests = &self.tests[..];
        for tree in &self.trees {
            match tree {
                ScoredTree::Masks {
                    tests: count,
                    planes,
                    leaves,
                } => {
                    let (own, rest) = tests.split_at(*count);
                    tests = rest;
                    batch.reach(own, *planes, rows);
                    batch.exit(*planes, rows);
                    for (sum, exit) in sums.iter_mut().zip(&batch.exits) {
                        // The remainder changes nothing: it saves the bounds check.
                        *sum += leaves[usize::from(*exit) % MASK_LEAVES];
                    }
                }
                ScoredTree::Walk(tree) => {
                    for (row, sum) in sums.iter_mut().enumerate() {
                        *sum += tree.leaves[tree.leaf(|feature| columns[feature * stride + row])];
                    }
                }
            }
        }
    }
}

impl Batch {
    /// Sets the masks of `rows` rows, a multiple of [`LANES`], to the leaves that they can reach.
    #[inline(always)]
    fn reach(&mut self, tests: &[Test], planes: usize, rows: usize) {
        // Those that all rows can reach by the tests that are the same for all.
        let mut all = u64::MAX;
        for test in tests {
            if self.is_same(test) == Some(true) {
                all &= test.mask;
            }
        }
        for (plane, byte) in self.masks[..planes].iter_mut().zip(all.to_le_bytes()) {
            plane[..rows].fill(byte);
        }
        for test in tests {
            if self.is_same(test).is_some() {
                continue;
            }
            let codes = &self.codes[usize::from(test.feature)][..rows];
            let bytes = test.mask.to_le_bytes();
            let cleared = usize::from(test.planes.0)..usize::from(test.planes.1);
            let planes = self.masks[cleared.clone()].iter_mut();
            for (masks, byte) in planes.zip(&bytes[cleared]) {
                clear(&mut masks[..rows], codes, test, *byte);
            }
        }
    }

    /// Whether all rows go to the second side of a test, or all to the first; `None` if some go
    /// here, some there.
    #[inline(always)]
    fn is_same(&self, test: &Test) -> Option<bool> {
        let (least, most) = self.ranges[usize::from(test.feature)];
        if most <= test.code {
            Some(!test.low_first)
        } else if least > test.code {
            Some(test.low_first)
        } else {
            None
        }
    }

    /// Sets the leaf of each row: the lowest bit of its mask.
    #[inline(always)]
    fn exit(&mut self, planes: usize, rows: usize) {
        for first in (0..rows).step_by(LANES) {
            let plane = |at: usize| -> &[u8; LANES] {
                let lanes = self.masks[at][first..].first_chunk();
                lanes.expect("rows are a multiple of the lanes")
            };
            // The first byte with a bit, and the number of its lowest leaf.
            let (mut byte, mut leaf) = ([0; LANES], [0; LANES]);
            for at in (0..planes).rev() {
                let own = plane(at);
                for lane in 0..LANES {
                    let is_empty = u8::from(own[lane] == 0).wrapping_neg();
                    byte[lane] = (byte[lane] & is_empty) | own[lane];
                    leaf[lane] = (leaf[lane] & is_empty) | ((at as u8 * 8) & !is_empty);
                }
            }
            let exits = &mut self.exits[first..first + LANES];
            for lane in 0..LANES {
                // The lowest bit and those below it, less one: the number of trailing zeros.
                let below = byte[lane] & byte[lane].wrapping_neg();
                let bit = |mask: u8, n: u8| u8::from(below & mask != 0).wrapping_neg() & n;
                exits[lane] = leaf[lane] + bit(0xaa, 1) + bit(0xcc, 2) + bit(0xf0, 4);
            }
        }
    }
}

/// Clears the bits outside of `mask` for the rows that go to the second side of the test.
#[inline(always)]
fn clear(masks: &mut [u8], codes: &[u8], test: &Test, mask: u8) {
    let rows = masks.iter_mut().zip(codes);
    // All ones on the side that is not cleared. An `if` on a row would compile to a branch, and so does a loop over 32
    // rows inside of one over groups of them: it is unrolled before it could become vectors.
    if test.low_first {
        rows.for_each(|(row, code)| *row &= u8::from(*code <= test.code).wrapping_neg() | mask);
    } else {
        rows.for_each(|(row, code)| *row &= u8::from(*code > test.code).wrapping_neg() | mask);
    }
}

/// The least and the greatest.
#[inline(always)]
fn range(codes: &[u8]) -> (u8, u8) {
    let (mut least, mut most) = (u8::MAX, 0);
    for code in codes {
        least = least.min(*code);
        most = most.max(*code);
    }
    (least, most)
}

/// The tests of a tree with their masks, and its leaves in the order of the masks' bits: at each
/// test all leaves of the side with fewer, then those of the other, so that a side is a range.
fn masks(tree: &Tree, coders: &[(u32, Coder)]) -> (Vec<Test>, Vec<u16>) {
    // Splits are in preorder: going backwards, both sides are counted at each split.
    let mut counts = vec![0; tree.splits.len()];
    let count = |node: NodeRef, counts: &[usize]| match node {
        NodeRef::Leaf(_) => 1,
        NodeRef::Split(split) => counts[usize::from(split)],
    };
    for (at, split) in tree.splits.iter().enumerate().rev() {
        counts[at] = count(split.low, &counts) + count(split.high, &counts);
    }
    let (mut tests, mut order) = (Vec::with_capacity(tree.splits.len()), Vec::new());
    let mut open = vec![tree.root()];
    while let Some(node) = open.pop() {
        let split = match node {
            NodeRef::Leaf(leaf) => {
                order.push(leaf);
                continue;
            }
            NodeRef::Split(split) => &tree.splits[usize::from(split)],
        };
        let (low, high) = (count(split.low, &counts), count(split.high, &counts));
        let low_first = low <= high;
        let (first, second, leaves) = match low_first {
            true => (split.low, split.high, low),
            false => (split.high, split.low, high),
        };
        // The first side comes next, so its leaves have the next numbers.
        let range = order.len()..order.len() + leaves;
        open.extend([second, first]);
        let feature = coders.iter().position(|c| c.0 == u32::from(split.feature));
        let feature = feature.expect("every tested feature has a coder");
        // A side of a test has at most half of 64 leaves.
        let bits = ((1u64 << range.len()) - 1) << range.start;
        tests.push(Test {
            feature: feature as u16,
            code: coders[feature].1.code(split.threshold),
            low_first,
            planes: ((range.start / 8) as u8, range.end.div_ceil(8) as u8),
            mask: !bits,
        });
    }
    (tests, order)
}

#[cfg(test)]
mod tests {
    use super::super::Split;
    use super::*;
    use proptest::prelude::*;

    /// A tree grown from a list of choices: which leaf to split, by which feature and threshold.
    fn tree(choices: &[(prop::sample::Index, u16, f32)]) -> Tree {
        enum Node {
            Leaf,
            Test(u16, f32, usize, usize),
        }
        let mut nodes = vec![Node::Leaf];
        for (index, feature, threshold) in choices {
            let leaves: Vec<usize> = (0..nodes.len())
                .filter(|n| matches!(nodes[*n], Node::Leaf))
                .collect();
            let (at, next) = (*index.get(&leaves), nodes.len());
            nodes[at] = Node::Test(*feature, *threshold, next, next + 1);
            nodes.extend([Node::Leaf, Node::Leaf]);
        }
        fn write(nodes: &[Node], at: usize, tree: &mut Tree) -> NodeRef {
            match nodes[at] {
                Node::Leaf => {
                    tree.leaves.push(tree.leaves.len() as f32 * 0.7 - 1.1);
                    NodeRef::Leaf(tree.leaves.len() as u16 - 1)
                }
                Node::Test(feature, threshold, low, high) => {
                    let place = tree.splits.len();
                    tree.splits.push(Split {
                        feature,
                        threshold,
                        value: 0.0,
                        low: NodeRef::Leaf(0),
                        high: NodeRef::Leaf(0),
                    });
                    let low = write(nodes, low, tree);
                    let high = write(nodes, high, tree);
                    (tree.splits[place].low, tree.splits[place].high) = (low, high);
                    NodeRef::Split(place as u16)
                }
            }
        }
        let mut tree = Tree::default();
        write(&nodes, 0, &mut tree);
        tree
    }

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            (-4i8..4).prop_map(f32::from),
            (-40i8..40).prop_map(|n| f32::from(n) / 7.0),
            Just(f32::INFINITY),
            Just(-0.0),
        ]
    }

    /// What tests compare with: numbers for either coder.
    fn threshold() -> impl Strategy<Value = f32> {
        prop_oneof![
            (-4i8..4).prop_map(f32::from),
            (0i8..40).prop_map(|n| super::super::step_end(f32::from(n) / 7.0, 16)),
        ]
    }

    proptest! {
        #[test]
        fn log_odds_equal_those_of_walking_the_trees(
            trees in prop::collection::vec(
                prop::collection::vec((any::<prop::sample::Index>(), 0u16..5, threshold()), 0..75),
                0..6,
            ),
            rows in prop::collection::vec(prop::collection::vec(number(), 5), 0..300),
        ) {
            let forest = Forest { bias: 0.3, trees: trees.iter().map(|t| tree(t)).collect(), ..Forest::default() };
            let stride = 320;
            // Values beyond the last row must not matter.
            let mut columns = vec![f32::NAN; 5 * stride];
            for (i, row) in rows.iter().enumerate() {
                for (feature, value) in row.iter().enumerate() {
                    columns[feature * stride + i] = *value;
                }
            }
            let mut sums = vec![0.0; rows.len()];
            QuickScorer::new(&forest).log_odds(&columns, stride, &mut sums, &mut Batch::default());
            let mut portable = vec![0.0; rows.len()];
            QuickScorer::new(&forest).log_odds_lanes(&columns, stride, &mut portable, &mut Batch::default());
            for ((row, sum), portable) in rows.iter().zip(sums).zip(portable) {
                let walked = forest.log_odds(|feature| row[feature]);
                prop_assert_eq!(sum.to_bits(), walked.to_bits());
                prop_assert_eq!(portable.to_bits(), walked.to_bits());
            }
        }
    }
}
