//! Adding up a forest's trees without a branch a test: many rows against one test at a time.
//!
//! A tree's leaves are numbered from left to right, and a row has a bit for each that it can still
//! reach. A test that fails takes away the leaves of its low side, whether or not the row's path
//! meets it; what the lowest bit left stands for is the leaf of the path (Lucchese et al. 2015,
//! QuickScorer). The order of the tests does not matter, so a processor does them for eight rows
//! in one step.

use super::{Forest, Next, Tree};

/// Rows that are worked on together.
const LANES: usize = 32;
/// Most leaves of a tree that is added up so: bits of a word.
const MOST_LEAVES: usize = 32;

/// A forest in the form that adds up fastest. Sums are those of [`Forest::log_odds`], to the bit.
///
/// Memory: 12 bytes a test and 180 a tree, beside trees of more than 32 leaves, which are walked.
#[derive(Clone, Debug, Default)]
pub struct Exits {
    bias: f32,
    tests: Vec<Test>,
    trees: Vec<Exit>,
}

#[derive(Clone, Copy, Debug)]
struct Test {
    feature: u32,
    threshold: f32,
    /// The leaves that are left where it fails.
    left: u32,
}

#[derive(Clone, Debug)]
enum Exit {
    /// So many of the tests that come next, and the leaves.
    Masks(usize, Box<[f32; MOST_LEAVES]>),
    /// A tree with too many leaves.
    Walk(Tree),
}

impl Exits {
    /// The same forest.
    pub fn new(forest: &Forest) -> Self {
        let mut tests = Vec::new();
        let exit = |tree: &Tree| {
            if tree.leaves.len() > MOST_LEAVES {
                return Exit::Walk(tree.clone());
            }
            tests.extend(masks(tree));
            let mut leaves = [0.0; MOST_LEAVES];
            leaves[..tree.leaves.len()].copy_from_slice(&tree.leaves);
            Exit::Masks(tree.splits.len(), Box::new(leaves))
        };
        let trees = forest.trees.iter().map(exit).collect();
        Self {
            bias: forest.bias,
            tests,
            trees,
        }
    }

    /// Writes the log-odds of rows to `sums`, a row a place. `columns` holds for each feature
    /// `stride` values, one a row; only the first of each as there are sums need mean anything.
    ///
    /// # Panics
    /// `stride` is less than the number of sums made a multiple of 32, or `columns` lack
    /// a feature that is tested.
    pub fn add_up(&self, columns: &[f32], stride: usize, sums: &mut [f32]) {
        assert!(
            sums.len().next_multiple_of(LANES) <= stride,
            "columns are too short"
        );
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            // SAFETY: the processor has what the function is compiled for, as was just asked.
            return unsafe { self.add_up_avx2(columns, stride, sums) };
        }
        self.add_up_lanes(columns, stride, sums);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1")]
    fn add_up_avx2(&self, columns: &[f32], stride: usize, sums: &mut [f32]) {
        self.add_up_lanes(columns, stride, sums);
    }

    /// Compiled anew wherever it is called, for the processor that the caller is compiled for.
    #[inline(always)]
    fn add_up_lanes(&self, columns: &[f32], stride: usize, sums: &mut [f32]) {
        for (chunk, sums) in sums.chunks_mut(LANES).enumerate() {
            let first = chunk * LANES;
            let column = |feature: usize| -> &[f32; LANES] {
                let column = columns[feature * stride + first..].first_chunk();
                column.expect("columns are as long as was asked")
            };
            let mut total = [self.bias; LANES];
            let mut tests = &self.tests[..];
            for tree in &self.trees {
                match tree {
                    Exit::Masks(count, leaves) => {
                        let (own, rest) = tests.split_at(*count);
                        tests = rest;
                        let mut left = [u32::MAX; LANES];
                        for test in own {
                            let values = column(test.feature as usize);
                            for lane in 0..LANES {
                                // All bits where it holds; without a branch, or it is one a lane.
                                let holds =
                                    u32::from(values[lane] <= test.threshold).wrapping_neg();
                                left[lane] &= holds | test.left;
                            }
                        }
                        for (total, left) in total.iter_mut().zip(left) {
                            *total += leaves[left.trailing_zeros() as usize % MOST_LEAVES];
                        }
                    }
                    Exit::Walk(tree) => {
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

/// The tests of a tree; the leaves of a side are neighbours, since they stand in the order of their paths.
fn masks(tree: &Tree) -> Vec<Test> {
    // Tests stand before those they lead to, so backwards a side's leaves are known when they are asked for.
    let mut leaves_of = vec![(0, 0); tree.splits.len()];
    let mut tests = Vec::with_capacity(tree.splits.len());
    for (at, split) in tree.splits.iter().enumerate().rev() {
        let range = |next, leaves_of: &[(usize, usize)]| match next {
            Next::Leaf(leaf) => (usize::from(leaf), usize::from(leaf) + 1),
            Next::Split(split) => leaves_of[usize::from(split)],
        };
        let (low, high) = (range(split.low, &leaves_of), range(split.high, &leaves_of));
        leaves_of[at] = (low.0, high.1);
        let side = ((1u64 << low.1) - (1u64 << low.0)) as u32;
        tests.push(Test {
            feature: u32::from(split.feature),
            threshold: split.threshold,
            left: !side,
        });
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::super::Split;
    use super::*;
    use proptest::prelude::*;

    /// A tree grown by a list of choices: which leaf to split, and by what.
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
        fn write(nodes: &[Node], at: usize, tree: &mut Tree) -> Next {
            match nodes[at] {
                Node::Leaf => {
                    tree.leaves.push(tree.leaves.len() as f32 * 0.7 - 1.1);
                    Next::Leaf(tree.leaves.len() as u16 - 1)
                }
                Node::Test(feature, threshold, low, high) => {
                    let place = tree.splits.len();
                    tree.splits.push(Split {
                        feature,
                        threshold,
                        value: 0.0,
                        low: Next::Leaf(0),
                        high: Next::Leaf(0),
                    });
                    let low = write(nodes, low, tree);
                    let high = write(nodes, high, tree);
                    (tree.splits[place].low, tree.splits[place].high) = (low, high);
                    Next::Split(place as u16)
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
        fn sums_are_those_of_walks(
            trees in prop::collection::vec(
                prop::collection::vec((any::<prop::sample::Index>(), 0u16..5, (-4i8..4).prop_map(f32::from)), 0..45),
                0..6,
            ),
            rows in prop::collection::vec(prop::collection::vec(number(), 5), 0..70),
        ) {
            let forest = Forest { bias: 0.3, trees: trees.iter().map(|t| tree(t)).collect(), ..Forest::default() };
            let stride = 96;
            // What stands behind the rows is never looked at.
            let mut columns = vec![f32::NAN; 5 * stride];
            for (i, row) in rows.iter().enumerate() {
                for (feature, value) in row.iter().enumerate() {
                    columns[feature * stride + i] = *value;
                }
            }
            let mut sums = vec![0.0; rows.len()];
            Exits::new(&forest).add_up(&columns, stride, &mut sums);
            let mut portable = vec![0.0; rows.len()];
            Exits::new(&forest).add_up_lanes(&columns, stride, &mut portable);
            for ((row, sum), portable) in rows.iter().zip(sums).zip(portable) {
                let walked = forest.log_odds(|feature| row[feature]);
                prop_assert_eq!(sum.to_bits(), walked.to_bits());
                prop_assert_eq!(portable.to_bits(), walked.to_bits());
            }
        }
    }
}
