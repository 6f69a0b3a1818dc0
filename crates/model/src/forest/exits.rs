//! Scores many rows with a forest without a branch per test (QuickScorer, Lucchese et al. 2015).
//!
//! The leaves of a tree are numbered from left to right, and each row has a bitmask of the leaves
//! it can still reach, all of them at first. Every test of the tree is applied, on the row's path
//! or not: a test that fails clears the leaves of its low side. In the end the lowest set bit is
//! the leaf that walking the tree would reach:
//!
//! * It is never cleared: only a failing test with this leaf on its low side clears it, and such a
//!   test is on the path and holds.
//! * Every leaf left of it is cleared: where the two paths part, the test fails, and the other leaf
//!   is on its low side.
//!
//! For example, in this tree a row with x = 5 and y = 9 fails both tests; `x <= 3` clears leaves 0
//! and 1, `y <= 7` clears leaf 0, and the lowest bit left is leaf 2:
//!
//! ```text
//!              x <= 3            bits: 0b111
//!             /      \           x <= 3 fails: & 0b100
//!         y <= 7    leaf 2       y <= 7 fails: & 0b110
//!        /      \                lowest bit of 0b100: leaf 2
//!     leaf 0   leaf 1
//! ```
//!
//! The tests commute, so there is no branch and a test is applied to many rows at once.
#![allow(unsafe_code, reason = "AVX2 where the processor has it")]

use super::{Forest, NodeRef, Tree};

/// Rows scored together.
const LANES: usize = 32;
/// Most leaves of a tree that is scored by masks: the bits of a mask.
const MASK_LEAVES: usize = 32;

/// A forest in the form that scores fastest. The log-odds are those of [`Forest::log_odds`], to the
/// bit.
///
/// Memory: 12 bytes per test and 180 per tree, besides trees of more than 32 leaves, which are
/// walked.
#[derive(Clone, Debug, Default)]
pub struct QuickScorer {
    bias: f32,
    /// The tests of all trees scored by masks, tree by tree.
    tests: Vec<Test>,
    trees: Vec<ScoredTree>,
}

#[derive(Clone, Copy, Debug)]
struct Test {
    feature: u32,
    threshold: f32,
    /// The leaves a row can still reach if the test fails: all but those of the low side.
    mask: u32,
}

#[derive(Clone, Debug)]
enum ScoredTree {
    /// How many of the following tests are the tree's, and what its leaves add.
    Masks(usize, Box<[f32; MASK_LEAVES]>),
    /// A tree with too many leaves for a mask.
    Walk(Tree),
}

impl QuickScorer {
    /// Converts a forest.
    pub fn new(forest: &Forest) -> Self {
        let mut tests = Vec::new();
        let convert = |tree: &Tree| {
            if tree.leaves.len() > MASK_LEAVES {
                return ScoredTree::Walk(tree.clone());
            }
            tests.extend(masks(tree));
            let mut leaves = [0.0; MASK_LEAVES];
            leaves[..tree.leaves.len()].copy_from_slice(&tree.leaves);
            ScoredTree::Masks(tree.splits.len(), Box::new(leaves))
        };
        let trees = forest.trees.iter().map(convert).collect();
        Self {
            bias: forest.bias,
            tests,
            trees,
        }
    }

    /// Writes the log-odds of `sums.len()` rows to `sums`. `columns` holds `stride` values for each
    /// feature, one per row; values beyond the last row are read but do not matter.
    ///
    /// # Panics
    /// `stride` is less than `sums.len()` rounded up to a multiple of 32, or `columns` lacks a
    /// feature that is tested.
    pub fn log_odds(&self, columns: &[f32], stride: usize, sums: &mut [f32]) {
        assert!(
            sums.len().next_multiple_of(LANES) <= stride,
            "columns are too short"
        );
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            // SAFETY: the processor has the features the function is compiled for, as checked.
            return unsafe { self.log_odds_avx2(columns, stride, sums) };
        }
        self.log_odds_lanes(columns, stride, sums);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1")]
    fn log_odds_avx2(&self, columns: &[f32], stride: usize, sums: &mut [f32]) {
        self.log_odds_lanes(columns, stride, sums);
    }

    /// Inlined, so that each caller compiles it for its own target features.
    #[inline(always)]
    fn log_odds_lanes(&self, columns: &[f32], stride: usize, sums: &mut [f32]) {
        for (chunk, sums) in sums.chunks_mut(LANES).enumerate() {
            let first = chunk * LANES;
            let column = |feature: usize| -> &[f32; LANES] {
                let column = columns[feature * stride + first..].first_chunk();
                column.expect("stride covers all rows, as asserted")
            };
            let mut total = [self.bias; LANES];
            let mut tests = &self.tests[..];
            for tree in &self.trees {
                match tree {
                    ScoredTree::Masks(count, leaves) => {
                        let (own, rest) = tests.split_at(*count);
                        tests = rest;
                        let mut reachable = [u32::MAX; LANES];
                        for test in own {
                            let values = column(test.feature as usize);
                            for lane in 0..LANES {
                                // All ones if the test holds. An `if` would compile to a branch
                                // per lane.
                                let holds =
                                    u32::from(values[lane] <= test.threshold).wrapping_neg();
                                reachable[lane] &= holds | test.mask;
                            }
                        }
                        for (total, reachable) in total.iter_mut().zip(reachable) {
                            // The remainder changes nothing: it saves the bounds check.
                            *total += leaves[reachable.trailing_zeros() as usize % MASK_LEAVES];
                        }
                    }
                    ScoredTree::Walk(tree) => {
                        for (lane, total) in total.iter_mut().enumerate() {
                            *total += tree.leaves[tree.leaf(|feature| column(feature)[lane])];
                        }
                    }
                }
            }
            sums.copy_from_slice(&total[..sums.len()]);
        }
    }
}

/// The tests of a tree with their masks. Leaves are numbered from left to right, so those of a side
/// are a range.
fn masks(tree: &Tree) -> Vec<Test> {
    // Splits are in preorder: going backwards, the ranges of both sides are known at each split.
    let mut leaves_of = vec![(0, 0); tree.splits.len()];
    let mut tests = Vec::with_capacity(tree.splits.len());
    for (at, split) in tree.splits.iter().enumerate().rev() {
        let range = |next, leaves_of: &[(usize, usize)]| match next {
            NodeRef::Leaf(leaf) => (usize::from(leaf), usize::from(leaf) + 1),
            NodeRef::Split(split) => leaves_of[usize::from(split)],
        };
        let (low, high) = (range(split.low, &leaves_of), range(split.high, &leaves_of));
        leaves_of[at] = (low.0, high.1);
        // In 64 bits, as `1 << 32` does not fit 32.
        let low_side = ((1u64 << low.1) - (1u64 << low.0)) as u32;
        tests.push(Test {
            feature: u32::from(split.feature),
            threshold: split.threshold,
            mask: !low_side,
        });
    }
    tests
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
            Just(f32::NAN),
            Just(f32::INFINITY),
            Just(-0.0),
        ]
    }

    proptest! {
        #[test]
        fn log_odds_equal_those_of_walking_the_trees(
            trees in prop::collection::vec(
                prop::collection::vec((any::<prop::sample::Index>(), 0u16..5, (-4i8..4).prop_map(f32::from)), 0..45),
                0..6,
            ),
            rows in prop::collection::vec(prop::collection::vec(number(), 5), 0..70),
        ) {
            let forest = Forest { bias: 0.3, trees: trees.iter().map(|t| tree(t)).collect(), ..Forest::default() };
            let stride = 96;
            // Values beyond the last row must not matter.
            let mut columns = vec![f32::NAN; 5 * stride];
            for (i, row) in rows.iter().enumerate() {
                for (feature, value) in row.iter().enumerate() {
                    columns[feature * stride + i] = *value;
                }
            }
            let mut sums = vec![0.0; rows.len()];
            QuickScorer::new(&forest).log_odds(&columns, stride, &mut sums);
            let mut portable = vec![0.0; rows.len()];
            QuickScorer::new(&forest).log_odds_lanes(&columns, stride, &mut portable);
            for ((row, sum), portable) in rows.iter().zip(sums).zip(portable) {
                let walked = forest.log_odds(|feature| row[feature]);
                prop_assert_eq!(sum.to_bits(), walked.to_bits());
                prop_assert_eq!(portable.to_bits(), walked.to_bits());
            }
        }
    }
}
