//! Grows one regression tree, best leaf first, from histograms.

use super::bins::{Binned, MAX_BINS};
use super::params::Params;
use rayon::prelude::*;
use std::sync::Arc;
use warcsieve_model::forest::{NodeRef, Split, Tree};

/// First and second derivative of the loss for a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slope {
    pub gradient: f32,
    pub hessian: f32,
}

/// Sums of slopes.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    gradient: f64,
    hessian: f64,
}

impl Sum {
    fn add(&mut self, slope: Slope) {
        self.gradient += f64::from(slope.gradient);
        self.hessian += f64::from(slope.hessian);
    }

    fn minus(self, other: Self) -> Self {
        Self {
            gradient: self.gradient - other.gradient,
            hessian: self.hessian - other.hessian,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            gradient: self.gradient + other.gradient,
            hessian: self.hessian + other.hessian,
        }
    }

    /// Twice the reduction of the loss by a leaf with this sum: gradient² / (hessian + l2).
    fn gain(self, l2: f64) -> f64 {
        self.gradient * self.gradient / (self.hessian + l2)
    }
}

/// Sums by column and bin.
type Histogram = Vec<Vec<Sum>>;

/// A leaf of the growing tree.
struct Growing {
    /// Its rows, as a range of the order.
    start: usize,
    end: usize,
    sum: Sum,
    histogram: Histogram,
    best: Option<Cut>,
    /// The parent split, and whether the leaf is on its low side.
    above: Option<(usize, bool)>,
}

/// A possible split of a leaf.
#[derive(Clone, Copy, Debug)]
struct Cut {
    gain: f64,
    /// Index into the available columns.
    column: usize,
    /// Bins up to this one go to the low side.
    bin: usize,
    low: Sum,
}

/// The data a tree is grown from.
pub struct Grower<'a> {
    pub columns: &'a [Arc<Binned>],
    pub params: &'a Params,
    pub slopes: &'a [Slope],
}

impl Grower<'_> {
    /// Grows a tree on `rows` and the columns `available`. Leaf values are already scaled by the
    /// learning rate. The features of splits are indices into all columns.
    ///
    /// `rows` is partitioned in place: each leaf owns a range of it, and a split divides the range
    /// of its leaf into two.
    pub fn grow(&self, rows: &mut [u32], available: &[usize]) -> Tree {
        let mut scratch = vec![0; rows.len()];
        let mut root = Growing {
            start: 0,
            end: rows.len(),
            sum: Sum::default(),
            histogram: self.histogram(rows, available),
            best: None,
            above: None,
        };
        for &row in rows.iter() {
            root.sum.add(self.slopes[row as usize]);
        }
        root.best = self.best(&root, available);
        let mut leaves = vec![root];
        let mut tree = Tree::default();
        while leaves.len() < self.params.leaves.min(Tree::MAX_LEAVES) {
            let gain = |leaf: &Growing| leaf.best.map_or(0.0, |cut| cut.gain);
            // `max_by` returns the last maximum; the order is reversed to get the first.
            let best = (0..leaves.len())
                .rev()
                .max_by(|a, b| gain(&leaves[*a]).total_cmp(&gain(&leaves[*b])));
            let Some((at, cut)) = best.and_then(|at| leaves[at].best.map(|cut| (at, cut))) else {
                break;
            };
            let leaf = leaves.swap_remove(at);
            let column = &self.columns[available[cut.column]];
            let split = tree.splits.len();
            tree.splits.push(Split {
                feature: available[cut.column] as u16,
                threshold: column.borders[cut.bin],
                value: self.step(leaf.sum),
                low: NodeRef::Leaf(0),
                high: NodeRef::Leaf(0),
            });
            link(&mut tree, leaf.above, NodeRef::Split(split as u16));
            let part = &mut rows[leaf.start..leaf.end];
            let is_low = |row: u32| usize::from(column.bins[row as usize]) <= cut.bin;
            let border = leaf.start + partition(part, &mut scratch, is_low);
            let (low, high) = self.children(leaf, cut, border, split, rows, available);
            leaves.push(low);
            leaves.push(high);
        }
        for (at, leaf) in leaves.iter().enumerate() {
            tree.leaves.push(self.step(leaf.sum));
            link(&mut tree, leaf.above, NodeRef::Leaf(at as u16));
        }
        in_order(&tree)
    }

    fn children(
        &self,
        leaf: Growing,
        cut: Cut,
        border: usize,
        split: usize,
        rows: &[u32],
        available: &[usize],
    ) -> (Growing, Growing) {
        let child = |start, end, sum, low| Growing {
            start,
            end,
            sum,
            histogram: Histogram::new(),
            best: None,
            above: Some((split, low)),
        };
        let mut low = child(leaf.start, border, cut.low, true);
        let mut high = child(border, leaf.end, leaf.sum.minus(cut.low), false);
        // Only the histogram of the smaller child is counted. The other one is the parent's minus
        // that histogram.
        let (small, large) = if border - leaf.start <= leaf.end - border {
            (&mut low, &mut high)
        } else {
            (&mut high, &mut low)
        };
        small.histogram = self.histogram(&rows[small.start..small.end], available);
        large.histogram = leaf.histogram;
        for (rest, part) in large.histogram.iter_mut().zip(&small.histogram) {
            for (rest, part) in rest.iter_mut().zip(part) {
                *rest = rest.minus(*part);
            }
        }
        for leaf in [&mut low, &mut high] {
            leaf.best = self.best(leaf, available);
        }
        (low, high)
    }

    /// Threads share the work by columns, so the rows of a column are always summed in the same
    /// order.
    fn histogram(&self, rows: &[u32], available: &[usize]) -> Histogram {
        let slopes: Vec<Slope> = rows.iter().map(|r| self.slopes[*r as usize]).collect();
        available
            .par_iter()
            .map(|&column| {
                let column = &self.columns[column];
                let mut sums = [Sum::default(); MAX_BINS + 1];
                for (row, slope) in rows.iter().zip(&slopes) {
                    sums[usize::from(column.bins[*row as usize])].add(*slope);
                }
                sums[..=column.borders.len()].to_vec()
            })
            .collect()
    }

    fn best(&self, leaf: &Growing, available: &[usize]) -> Option<Cut> {
        let Params {
            l2, least_hessian, ..
        } = *self.params;
        let whole = leaf.sum.gain(l2);
        let cuts: Vec<Option<Cut>> = available
            .par_iter()
            .enumerate()
            .map(|(column, _)| {
                let sums = &leaf.histogram[column];
                let mut best: Option<Cut> = None;
                let mut low = Sum::default();
                for (bin, sum) in sums[..sums.len() - 1].iter().enumerate() {
                    low = low.plus(*sum);
                    let high = leaf.sum.minus(low);
                    if low.hessian < least_hessian || high.hessian < least_hessian {
                        continue;
                    }
                    let gain = low.gain(l2) + high.gain(l2) - whole;
                    if gain > best.map_or(MIN_GAIN, |cut| cut.gain) {
                        best = Some(Cut {
                            gain,
                            column,
                            bin,
                            low,
                        });
                    }
                }
                best
            })
            .collect();
        // Of equal cuts, the one of the first column.
        let first_best = |best: Option<Cut>, cut: Cut| match best {
            Some(best) if best.gain >= cut.gain => Some(best),
            _ => Some(cut),
        };
        cuts.into_iter().flatten().fold(None, first_best)
    }

    fn step(&self, sum: Sum) -> f32 {
        let Params {
            l2, learning_rate, ..
        } = *self.params;
        let step = -learning_rate * sum.gradient / (sum.hessian + l2);
        ((step / LEAF_PRECISION).round() * LEAF_PRECISION) as f32
    }
}

/// Leaf values are multiples of this, to keep model files short.
const LEAF_PRECISION: f64 = 1e-4;

/// The tree with its splits and leaves in the order that [`Tree`] requires.
fn in_order(grown: &Tree) -> Tree {
    let mut tree = Tree::default();
    let mut open = vec![(grown.root(), None)];
    while let Some((at, above)) = open.pop() {
        let next = match at {
            NodeRef::Leaf(leaf) => {
                tree.leaves.push(grown.leaves[usize::from(leaf)]);
                NodeRef::Leaf(tree.leaves.len() as u16 - 1)
            }
            NodeRef::Split(split) => {
                let split = grown.splits[usize::from(split)];
                let own = tree.splits.len();
                tree.splits.push(split);
                open.push((split.high, Some((own, false))));
                open.push((split.low, Some((own, true))));
                NodeRef::Split(own as u16)
            }
        };
        link(&mut tree, above, next);
    }
    tree
}

/// Points a side of the split `above` to `next`.
fn link(tree: &mut Tree, above: Option<(usize, bool)>, next: NodeRef) {
    match above {
        Some((split, true)) => tree.splits[split].low = next,
        Some((split, false)) => tree.splits[split].high = next,
        None => {}
    }
}

/// Smaller gains are only rounding errors.
const MIN_GAIN: f64 = 1e-9;

/// Moves the low rows before the others, keeping both orders; returns the number of low rows.
fn partition(rows: &mut [u32], scratch: &mut [u32], is_low: impl Fn(u32) -> bool) -> usize {
    let (mut low, mut high) = (0, 0);
    for at in 0..rows.len() {
        let row = rows[at];
        if is_low(row) {
            rows[low] = row;
            low += 1;
        } else {
            scratch[high] = row;
            high += 1;
        }
    }
    rows[low..].copy_from_slice(&scratch[..high]);
    low
}
