//! Gradient boosting of small regression trees on the logistic loss.
//!
//! Friedman 2001, Greedy Function Approximation, with the second derivative of the loss (Chen,
//! Guestrin 2016), and leaves grown best first from histograms (Ke et al. 2017). The same rows,
//! parameters and seed lead to the same forest, bit for bit, with any number of threads.

mod bare;
mod bins;
mod calibrate;
mod card;
mod grow;
mod learn;
mod pages;
mod params;
mod path;
mod reliability;
mod shortened;
mod summary;
#[cfg(test)]
mod tests;
mod weighting;

pub use calibrate::calibrate;
pub use card::Card;
pub use learn::{HeldOut, Learned, average, learn, learn_binned, probabilities};
pub use pages::{PageRows, Pages};
pub use params::Params;
pub use path::{PathFolds, SLOTS, write_scores};
pub use reliability::{Interval, reliability};
pub use summary::Summary;
pub use weighting::PageWeight;

use super::Dataset;
use bins::{Binned, bin};
use grow::{Grower, Slope};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::sync::Arc;
use warcsieve_model::forest::{Forest, probability};

/// Binned columns, computed once for all folds and seeds.
#[derive(Clone)]
pub struct Binning<'a> {
    data: &'a Dataset,
    weights: &'a [f32],
    columns: Vec<Arc<Binned>>,
    /// A column with values other than those of the data set.
    replaced: Option<(usize, Vec<f32>)>,
}

impl<'a> Binning<'a> {
    /// Bins all columns of a data set with two classes. `weights` replace the row weights of the
    /// data set.
    ///
    /// # Panics
    /// If the numbers of weights and rows differ.
    pub fn new(data: &'a Dataset, weights: &'a [f32]) -> Self {
        assert_eq!(weights.len(), data.rows());
        let columns: Vec<&[f32]> = data.columns.iter().map(Vec::as_slice).collect();
        Self {
            data,
            weights,
            columns: bin(&columns, weights).into_iter().map(Arc::new).collect(),
            replaced: None,
        }
    }

    /// The same binning with other values in one column. The bins of the other columns are shared.
    ///
    /// # Panics
    /// If there is no such column, or if there is not exactly one value per row.
    pub fn with_column(&self, column: usize, values: Vec<f32>) -> Self {
        assert_eq!(values.len(), self.data.rows());
        let mut columns = self.columns.clone();
        for binned in bin(&[values.as_slice()], self.weights) {
            columns[column] = Arc::new(binned);
        }
        Self {
            columns,
            replaced: Some((column, values)),
            ..*self
        }
    }

    /// The training weight of each row.
    pub fn weights(&self) -> &'a [f32] {
        self.weights
    }

    /// The values of a column.
    fn values(&self, column: usize) -> &[f32] {
        match &self.replaced {
            Some((replaced, values)) if *replaced == column => values,
            _ => &self.data.columns[column],
        }
    }

    /// Writes the log-odds of the rows that `which` selects.
    pub fn predict(
        &self,
        forest: &Forest,
        which: impl Fn(usize) -> bool + Sync,
        log_odds: &mut [f32],
    ) {
        let columns: Vec<&[f32]> = (0..self.columns.len()).map(|c| self.values(c)).collect();
        let rows = log_odds.par_iter_mut().enumerate();
        rows.filter(|(row, _)| which(*row))
            .for_each(|(row, sum)| *sum = forest.log_odds(|column| columns[column][row]));
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
        let group_of = |row: &u32| groups.binary_search(&self.data.groups[*row as usize]);
        let group_of: Vec<usize> = rows.iter().map(|row| group_of(row).unwrap_or(0)).collect();
        let bias = self.bias(&rows);
        let mut forest = Forest {
            features: self.data.names.clone(),
            bias,
            ..Forest::default()
        };
        let mut log_odds = vec![bias; self.data.rows()];
        let mut slopes = vec![Slope::default(); self.data.rows()];
        let values: Vec<&[f32]> = (0..self.columns.len()).map(|c| self.values(c)).collect();
        let mut random = Pcg64Mcg::seed_from_u64(params.seed);
        for _ in 0..params.trees {
            slopes.par_iter_mut().enumerate().for_each(|(row, slope)| {
                *slope = self.slope(row, log_odds[row]);
            });
            let mut on_offer = draw(columns, params.columns, &mut random);
            on_offer.sort_unstable();
            let all: Vec<usize> = (0..groups.len()).collect();
            let mut is_drawn = vec![false; groups.len()];
            for group in draw(&all, params.groups, &mut random) {
                is_drawn[group] = true;
            }
            let sample = rows.iter().zip(&group_of);
            let sample = sample.filter(|(_, group)| is_drawn[**group]);
            let mut sample: Vec<u32> = sample.map(|(row, _)| *row).collect();
            let grower = Grower {
                columns: &self.columns,
                params,
                slopes: &slopes,
            };
            let tree = grower.grow(&mut sample, &on_offer);
            log_odds.par_iter_mut().enumerate().for_each(|(row, sum)| {
                *sum += tree.leaves[tree.leaf(|column| values[column][row])];
            });
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
