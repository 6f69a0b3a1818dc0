//! Scores many rows with a forest, without a branch per test.
//!
//! A set of rows is a mask of bits. Of the rows that reach a test, those with a greater value go to its high side and
//! the others to its low side. So the masks of a tree are computed from the root down with two operations per test,
//! whatever the rows are. In the end each leaf is added to the rows that reach it. For example, with three rows, the
//! first one on the right:
//!
//! ```text
//!              x <= 3            x = 5, 1, 2 is greater for 0b001, y = 0, 9, 7 for 0b010
//!             /      \           x <= 3 is reached by 0b111: 0b001 go to leaf 2
//!         y <= 7    leaf 2       y <= 7 by 0b110: 0b010 go to leaf 1,
//!        /      \                0b100 to leaf 0
//!     leaf 0   leaf 1
//! ```
//!
//! Invariant: the masks of the two sides of a test have no bit in common, and together they are the mask of the test.
//! So each row reaches exactly one leaf of a tree.
//!
//! Four things make it fast:
//!
//! * Values are replaced by codes of eight bits ([`Coder`]), which vectors compare ([`Lanes`]).
//! * Equal tests of several trees are done once, as in RapidScorer (Ye et al. 2018).
//! * Four masks of 64 rows each go down the trees together.
//! * Blocks next to each other are similar, so 64 of them reach only a few leaves of a tree. The other leaves are
//!   skipped.

use super::codes::{Feature, features};
use super::lanes::{self, GROUPS, LEAVES_AT_ONCE, Lanes, Masks, ROWS, Task};
use super::{Forest, NodeRef, Tree};

/// Numbers of rows are rounded up to a multiple of this.
const READ: usize = 32;
/// Rows scored together.
const BATCH: usize = GROUPS * ROWS;
/// The maximum number of leaves of a tree that is scored by masks.
const LEAVES: usize = 64;
/// Places of masks: as many as a `u8` can number, which saves bounds checks.
const PLACES: usize = 256;

/// A forest in the form that is fastest to score. The log-odds are equal to those of [`Forest::log_odds`], to the bit.
/// For rows with NaN they may differ.
///
/// Memory: 5 bytes per test, 4 more if the numbers of its feature must be searched, and 300 per tree. Trees of more
/// than 64 leaves are kept and walked as they are, and so is a forest that compares one feature with more than 255
/// numbers.
#[derive(Clone, Debug, Default)]
pub struct Scorer {
    bias: f32,
    features: Vec<Feature>,
    /// How many tests there are.
    tests: usize,
    /// The splits of all trees that are scored by masks, tree by tree.
    splits: Vec<Split>,
    trees: Vec<ScoredTree>,
}

/// A test at its place in a tree.
#[derive(Clone, Copy, Debug)]
struct Split {
    test: u16,
    /// The places of the masks of its two sides: place n is of split n, place [`LEAVES`] + n is of leaf n.
    low: u8,
    high: u8,
}

#[derive(Clone, Debug)]
enum ScoredTree {
    Masks {
        /// How many of the next splits belong to the tree.
        splits: usize,
        /// The values that its leaves add.
        leaves: Box<[[f32; LEAVES_AT_ONCE]; LEAVES / LEAVES_AT_ONCE]>,
    },
    /// A tree that cannot be scored by masks.
    Walk(Tree),
}

/// The results of the tests for 256 rows: 32 bytes for each different test. It is kept between calls, so that scoring
/// allocates nothing.
#[derive(Debug, Default)]
pub struct Batch {
    /// By test: the rows whose code is greater.
    above: Vec<Masks>,
}

impl Scorer {
    /// Converts a forest.
    pub fn new(forest: &Forest) -> Self {
        let features = features(forest).unwrap_or_default();
        let mut splits = Vec::new();
        let convert = |tree: &Tree| match own_splits(tree, &features) {
            Some(own) => {
                splits.extend(own);
                let mut leaves = [[0.0; LEAVES_AT_ONCE]; LEAVES / LEAVES_AT_ONCE];
                leaves.as_flattened_mut()[..tree.leaves.len()].copy_from_slice(&tree.leaves);
                ScoredTree::Masks {
                    splits: tree.splits.len(),
                    leaves: Box::new(leaves),
                }
            }
            None => ScoredTree::Walk(tree.clone()),
        };
        Self {
            bias: forest.bias,
            trees: forest.trees.iter().map(convert).collect(),
            splits,
            tests: features.iter().map(|feature| feature.codes.len()).sum(),
            features,
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
            sums.len().next_multiple_of(READ) <= stride,
            "columns are too short"
        );
        lanes::run(Scoring {
            scorer: self,
            columns,
            stride,
            sums,
            batch,
        });
    }

    /// Finds, for each test, the rows whose code is greater.
    #[inline(always)]
    fn test<L: Lanes>(&self, lanes: L, rows: &Rows<'_>, above: &mut [Masks]) {
        let read = rows.count.next_multiple_of(READ);
        let mut codes = [0; BATCH];
        let mut tests = above.iter_mut();
        for feature in &self.features {
            let values =
                &rows.columns[usize::from(feature.index) * rows.stride + rows.first..][..read];
            feature.coder.codes(values, &mut codes[..read]);
            let (groups, _) = codes.as_chunks();
            let groups = &groups[..rows.count.div_ceil(ROWS)];
            for (code, above) in feature.codes.iter().zip(&mut tests) {
                for (above, codes) in above.iter_mut().zip(groups) {
                    *above = lanes.above(codes, *code);
                }
            }
        }
    }

    /// Adds up the trees for rows whose tests are done.
    #[inline(always)]
    fn add_up<L: Lanes>(
        &self,
        lanes: L,
        rows: &Rows<'_>,
        above: &[Masks],
    ) -> [[f32; ROWS]; GROUPS] {
        let mut sums = [[self.bias; ROWS]; GROUPS];
        let all = rows.masks();
        // By place: the rows that reach it. Places that a tree does not use hold values of earlier trees.
        let mut masks = [Masks::default(); PLACES];
        let mut splits = &self.splits[..];
        for tree in &self.trees {
            match tree {
                ScoredTree::Masks {
                    splits: count,
                    leaves,
                } => {
                    let (own, rest) = splits.split_at(*count);
                    splits = rest;
                    masks[if own.is_empty() { LEAVES } else { 0 }] = all;
                    for (at, split) in own.iter().enumerate() {
                        // The remainder changes nothing; it saves a bounds check.
                        let reach = masks[at % PLACES];
                        let above = &above[usize::from(split.test)];
                        let high = std::array::from_fn(|group| reach[group] & above[group]);
                        let low = std::array::from_fn(|group| reach[group] ^ high[group]);
                        masks[usize::from(split.low)] = low;
                        masks[usize::from(split.high)] = high;
                    }
                    let (reached, _) = masks[LEAVES..].as_chunks();
                    let starts = (0..=own.len()).step_by(LEAVES_AT_ONCE);
                    for ((start, reached), leaves) in starts.zip(reached).zip(leaves.iter()) {
                        let count = own.len() + 1 - start;
                        add_leaves(lanes, reached, leaves, count, &mut sums);
                    }
                }
                ScoredTree::Walk(tree) => {
                    for (row, sum) in sums.as_flattened_mut()[..rows.count].iter_mut().enumerate() {
                        let value =
                            |feature| rows.columns[feature * rows.stride + rows.first + row];
                        *sum += tree.leaves[tree.leaf(value)];
                    }
                }
            }
        }
        sums
    }
}

/// Adds the first `count` leaves (at least one) to the rows that reach them.
#[inline(always)]
fn add_leaves<L: Lanes>(
    lanes: L,
    reached: &[Masks; LEAVES_AT_ONCE],
    leaves: &[f32; LEAVES_AT_ONCE],
    count: usize,
    sums: &mut [[f32; ROWS]; GROUPS],
) {
    let unused = LEAVES_AT_ONCE.saturating_sub(count) * GROUPS;
    let mut rest = lanes.occupied(reached) & (u64::MAX >> unused);
    while rest != 0 {
        let first = rest.trailing_zeros() as usize;
        let (leaf, group) = (first / GROUPS, first % GROUPS);
        lanes.add(&mut sums[group], reached[leaf][group], leaves[leaf]);
        rest &= rest - 1;
    }
}

/// At most [`BATCH`] rows.
struct Rows<'a> {
    columns: &'a [f32],
    stride: usize,
    /// The index of the first row in a column.
    first: usize,
    count: usize,
}

impl Rows<'_> {
    /// Masks of all the rows.
    fn masks(&self) -> Masks {
        std::array::from_fn(|group| {
            let own = self.count.saturating_sub(group * ROWS).min(ROWS);
            u64::MAX.checked_shr((ROWS - own) as u32).unwrap_or(0)
        })
    }
}

/// The arguments of [`Scorer::log_odds`].
struct Scoring<'a> {
    scorer: &'a Scorer,
    columns: &'a [f32],
    stride: usize,
    sums: &'a mut [f32],
    batch: &'a mut Batch,
}

impl Task for Scoring<'_> {
    #[inline(always)]
    fn with<L: Lanes>(self, lanes: L) {
        let above = &mut self.batch.above;
        above.resize(self.scorer.tests, Masks::default());
        for (at, sums) in self.sums.chunks_mut(BATCH).enumerate() {
            let rows = Rows {
                columns: self.columns,
                stride: self.stride,
                first: at * BATCH,
                count: sums.len(),
            };
            self.scorer.test(lanes, &rows, above);
            let all = self.scorer.add_up(lanes, &rows, above);
            sums.copy_from_slice(&all.as_flattened()[..sums.len()]);
        }
    }
}

/// The splits of a tree; `None` if it cannot be scored by masks.
fn own_splits(tree: &Tree, features: &[Feature]) -> Option<Vec<Split>> {
    let place = |node: NodeRef| match node {
        NodeRef::Leaf(leaf) => u8::try_from(LEAVES + usize::from(leaf)).ok(),
        NodeRef::Split(split) => u8::try_from(split).ok(),
    };
    if tree.leaves.len() > LEAVES {
        return None;
    }
    let convert = |split: &super::Split| {
        let at = features.binary_search_by_key(&split.feature, |feature| feature.index);
        let feature = &features[at.ok()?];
        let code = feature.coder.code(split.threshold);
        let own = feature.codes.binary_search(&code).ok()?;
        Some(Split {
            test: u16::try_from(feature.first + own).ok()?,
            low: place(split.low)?,
            high: place(split.high)?,
        })
    };
    tree.splits.iter().map(convert).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Split;
    use super::super::lanes::Plain;
    use super::super::{Forest, NodeRef, Tree};
    use super::Lanes;
    use super::{Batch, ScoredTree, Scorer, Scoring};
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

    /// Numbers that tests compare with, for either coder.
    fn threshold() -> impl Strategy<Value = f32> {
        prop_oneof![
            (-4i8..4).prop_map(f32::from),
            Just(-0.0),
            (0i8..40).prop_map(|n| super::super::step_end(f32::from(n) / 7.0, 16)),
        ]
    }

    #[test]
    fn more_numbers_than_there_are_codes_are_walked() {
        let stump = |n: u16| Tree {
            splits: vec![Split {
                feature: 0,
                threshold: f32::from(n),
                value: 0.0,
                low: NodeRef::Leaf(0),
                high: NodeRef::Leaf(1),
            }],
            leaves: vec![-0.5, 0.25],
        };
        let of = |count: u16| {
            let trees = (0..count).map(stump).collect();
            let forest = Forest {
                trees,
                ..Forest::default()
            };
            let columns: Vec<f32> = (0..64u8).map(|n| f32::from(n) * 5.0).collect();
            let (scorer, mut sums) = (Scorer::new(&forest), vec![0.0; 64]);
            scorer.log_odds(&columns, 64, &mut sums, &mut Batch::default());
            let walked: Vec<f32> = columns.iter().map(|v| forest.log_odds(|_| *v)).collect();
            assert_eq!(sums, walked);
            let is_walk = |tree: &ScoredTree| matches!(tree, ScoredTree::Walk(_));
            scorer.trees.iter().filter(|tree| is_walk(tree)).count()
        };
        assert_eq!((of(255), of(256)), (0, 256));
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
            let (scorer, mut batch) = (Scorer::new(&forest), Batch::default());
            let walked: Vec<u32> = rows.iter().map(|row| forest.log_odds(|f| row[f]).to_bits()).collect();
            let mut check = |log_odds: &dyn Fn(&mut [f32], &mut Batch)| {
                let mut sums = vec![0.0; rows.len()];
                log_odds(&mut sums, &mut batch);
                assert_eq!(sums.into_iter().map(f32::to_bits).collect::<Vec<_>>(), walked);
            };
            let (scorer, columns) = (&scorer, &columns[..]);
            check(&|sums, batch| scorer.log_odds(columns, stride, sums, batch));
            check(&|sums, batch| Plain.run(Scoring { scorer, columns, stride, sums, batch }));
            #[cfg(target_arch = "x86_64")]
            if let Some(lanes) = super::lanes::Avx2::detect() {
                check(&|sums, batch| lanes.run(Scoring { scorer, columns, stride, sums, batch }));
            }
        }
    }
}
