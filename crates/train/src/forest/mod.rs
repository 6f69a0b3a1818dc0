//! Gradient boosting of small regression trees on the logistic loss.
//!
//! Friedman 2001, Greedy Function Approximation, with the second derivative of the loss (Chen,
//! Guestrin 2016), leaves grown best first from histograms (Ke et al. 2017). The same rows,
//! parameters and seed give the same forest, bit for bit, with any number of threads.

mod bare;
mod bins;
mod calibrate;
mod card;
mod grow;
mod learn;
mod pages;
mod reliability;
mod summary;
#[cfg(test)]
mod tests;

pub use calibrate::calibrate;
pub use card::Card;
pub use learn::{Learned, average, learn, learn_binned, predict, probabilities};
pub use pages::{PageRows, Pages};
pub use reliability::{Interval, reliability};
pub use summary::Summary;

use super::Dataset;
use bins::{Binned, bin};
use grow::{Grower, Slope};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use warcsieve_model::forest::{Forest, probability};

/// Training parameters of a forest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Number of trees.
    pub trees: usize,
    /// Maximum number of leaves of a tree, at least 2.
    pub leaves: usize,
    /// Factor on the values of each tree.
    pub learning_rate: f64,
    /// Minimum sum of second derivatives in a leaf. A row of probability ½ adds a quarter of its
    /// weight.
    pub least_hessian: f64,
    /// Regularisation: factor of the squares of leaf values.
    pub l2: f64,
    /// Share of the columns that a tree may use, drawn for each tree.
    pub columns: f64,
    /// Share of the groups whose rows a tree is grown from, drawn for each tree.
    pub groups: f64,
    /// Seed of all draws.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            trees: 90,
            leaves: 28,
            learning_rate: 0.1,
            least_hessian: 10.0,
            l2: 1.0,
            columns: 0.4,
            groups: 0.8,
            seed: 0,
        }
    }
}

/// Binned columns, computed once for all folds and seeds.
pub struct Binning<'a> {
    data: &'a Dataset,
    weights: &'a [f32],
    columns: Vec<Binned>,
}

impl<'a> Binning<'a> {
    /// Bins all columns of a data set of two classes. `weights` replace the row weights of the data
    /// set.
    ///
    /// # Panics
    /// If the numbers of weights and rows differ.
    pub fn new(data: &'a Dataset, weights: &'a [f32]) -> Self {
        assert_eq!(weights.len(), data.rows());
        let columns: Vec<&[f32]> = data.columns.iter().map(Vec::as_slice).collect();
        Self {
            data,
            weights,
            columns: bin(&columns, weights),
        }
    }

    /// Grows a forest from the rows with weight that `keep` selects, on some columns.
    pub fn train(
        &self,
        columns: &[usize],
        keep: impl Fn(usize) -> bool,
        params: &Params,
    ) -> Forest {
        let rows: Vec<u32> = (0..self.data.rows())
            .filter(|&row| self.weights[row] > 0.0 && keep(row))
            .map(|row| row as u32)
            .collect();
        let mut groups: Vec<u32> = rows
            .iter()
            .map(|row| self.data.groups[*row as usize])
            .collect();
        groups.sort_unstable();
        groups.dedup();
        let bias = self.bias(&rows);
        let mut forest = Forest {
            features: self.data.names.clone(),
            bias,
            ..Forest::default()
        };
        let mut log_odds = vec![bias; self.data.rows()];
        let mut slopes = vec![Slope::default(); self.data.rows()];
        let mut random = Pcg64Mcg::seed_from_u64(params.seed);
        for _ in 0..params.trees {
            for &row in &rows {
                slopes[row as usize] = self.slope(row as usize, log_odds[row as usize]);
            }
            let mut on_offer = draw(columns, params.columns, &mut random);
            on_offer.sort_unstable();
            let mut drawn = draw(&groups, params.groups, &mut random);
            drawn.sort_unstable();
            let mut sample: Vec<u32> = rows
                .iter()
                .copied()
                .filter(|row| {
                    drawn
                        .binary_search(&self.data.groups[*row as usize])
                        .is_ok()
                })
                .collect();
            let grower = Grower {
                columns: &self.columns,
                params,
                slopes: &slopes,
            };
            let tree = grower.grow(&mut sample, &on_offer);
            for &row in &rows {
                let value = |column: usize| self.data.columns[column][row as usize];
                log_odds[row as usize] += tree.leaves[tree.leaf(value)];
            }
            forest.trees.push(tree);
        }
        forest
    }

    /// The log-odds of the content share of the rows.
    fn bias(&self, rows: &[u32]) -> f32 {
        let mut sums = [1e-6_f64; 2];
        for &row in rows {
            let row = row as usize;
            sums[usize::from(self.data.labels[row] != 0)] += f64::from(self.weights[row]);
        }
        libm::log(sums[1] / sums[0]) as f32
    }

    fn slope(&self, row: usize, log_odds: f32) -> Slope {
        let p = probability(log_odds);
        let weight = self.weights[row];
        let label = f32::from(u8::from(self.data.labels[row] != 0));
        Slope {
            gradient: weight * (p - label),
            hessian: weight * p * (1.0 - p),
        }
    }
}

/// A share of the items, at least one.
fn draw<T: Copy>(items: &[T], share: f64, random: &mut Pcg64Mcg) -> Vec<T> {
    let mut items = items.to_vec();
    let n = (items.len() as f64 * share).ceil() as usize;
    let n = n.clamp(1.min(items.len()), items.len());
    let (drawn, _) = items.partial_shuffle(random, n);
    drawn.to_vec()
}
