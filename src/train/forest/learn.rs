//! From pages to a forest with figures that hold for pages it has not seen.

use super::{Binning, Pages, Params, calibrate};
use crate::classify::expected_f::Options;
use crate::eval::score::Scores;
use crate::model::forest::{Forest, Tree};
use rayon::prelude::*;

/// A forest, and how it does out of fold.
pub struct Learned {
    /// Learned from all pages, calibrated on rows that were left out in their turn.
    pub forest: Forest,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Row by row how likely it is content, by the forests that were learned without its domain.
    pub probabilities: Vec<f32>,
    /// Page by page the scores of these.
    pub scores: Vec<Scores>,
    /// The same by the forests of each seed alone, calibrated alike.
    pub by_seed: Vec<Vec<Scores>>,
}

/// Learns a forest for each seed and averages them, once without each fold of whole registered
/// domains and once from all pages; `params.seed` is not looked at. The same pages give the same
/// forest to the bit, whatever the number of threads.
///
/// `columns` are the features, by their place in the data set.
pub fn learn(
    pages: &Pages,
    columns: &[usize],
    params: &Params,
    seeds: &[u64],
    folds: usize,
) -> Learned {
    let weights = pages.weights();
    let binning = Binning::new(&pages.dataset, &weights);
    learn_binned(pages, &binning, columns, params, seeds, folds)
}

/// [`learn`], where the pages' data set is in bins already.
pub fn learn_binned(
    pages: &Pages,
    binning: &Binning<'_>,
    columns: &[usize],
    params: &Params,
    seeds: &[u64],
    folds: usize,
) -> Learned {
    let train = |seed: u64, keep: &dyn Fn(usize) -> bool| {
        binning.train(columns, keep, &Params { seed, ..*params })
    };
    let folds = pages.folds(folds);
    let mut log_odds = vec![vec![0.0; pages.dataset.rows()]; seeds.len()];
    for fold in 0..folds.count {
        let left_out = |row: usize| folds.of_row[row] == fold;
        for (seed, log_odds) in seeds.iter().zip(&mut log_odds) {
            let forest = train(*seed, &|row| !left_out(row));
            predict(pages, &forest, left_out, log_odds);
        }
    }
    let mean: Vec<f32> = (0..pages.dataset.rows())
        .map(|row| log_odds.iter().map(|l| l[row]).sum::<f32>() / seeds.len() as f32)
        .collect();
    let rows = pages.whole().map(|row| {
        let tokens = pages.dataset.weights[row] as f32;
        (mean[row], pages.dataset.labels[row] != 0, tokens)
    });
    let calibration = calibrate(&rows.collect::<Vec<_>>());
    let forests = seeds.iter().map(|seed| train(*seed, &|_| true)).collect();
    let forest = Forest {
        calibration,
        ..average(forests)
    };
    let scores = |log_odds: &[f32]| {
        let probability = |row: usize| calibration.probability(log_odds[row]);
        pages.scores(probability, Options::default())
    };
    Learned {
        forest: used(forest),
        seeds: seeds.to_vec(),
        scores: scores(&mean),
        by_seed: log_odds.iter().map(|l| scores(l)).collect(),
        probabilities: mean.iter().map(|l| calibration.probability(*l)).collect(),
    }
}

/// Sets the log-odds of some rows.
pub fn predict(
    pages: &Pages,
    forest: &Forest,
    which: impl Fn(usize) -> bool + Sync,
    log_odds: &mut [f32],
) {
    let columns = &pages.dataset.columns;
    let rows = log_odds.par_iter_mut().enumerate();
    rows.filter(|(row, _)| which(*row))
        .for_each(|(row, sum)| *sum = forest.log_odds(|column| columns[column][row]));
}

/// Row by row how likely it is content, where the forest's features are among the data set's.
///
/// # Errors
/// A feature is not.
pub fn probabilities(pages: &Pages, forest: &Forest) -> Result<Vec<f32>, String> {
    let names = &pages.dataset.names;
    let place = |name: &str| names.iter().position(|n| n == name);
    let forest = forest.clone().placed(place)?;
    let mut rows = vec![0.0; pages.dataset.rows()];
    predict(pages, &forest, |_| true, &mut rows);
    let calibrated = rows.iter().map(|l| forest.calibration.probability(*l));
    Ok(calibrated.collect())
}

/// The forest whose log-odds are the mean of those of `forests`, which know the same features.
pub fn average(forests: Vec<Forest>) -> Forest {
    let n = forests.len().max(1) as f32;
    let mut all = Forest::default();
    for forest in forests {
        all.bias += forest.bias / n;
        all.features = forest.features;
        all.trees
            .extend(forest.trees.into_iter().map(|tree| shrunk(tree, n)));
    }
    all
}

fn shrunk(mut tree: Tree, by: f32) -> Tree {
    // Whole multiples of a millionth, so that model files stay short.
    let shrink = |value: &mut f32| *value = ((f64::from(*value / by) * 1e6).round() / 1e6) as f32;
    tree.leaves.iter_mut().for_each(shrink);
    tree.splits.iter_mut().for_each(|s| shrink(&mut s.value));
    tree
}

/// The forest with the features alone that its tests compare.
fn used(forest: Forest) -> Forest {
    let mut is_used = vec![false; forest.features.len()];
    let splits = forest.trees.iter().flat_map(|t| &t.splits);
    splits.for_each(|s| is_used[usize::from(s.feature)] = true);
    let index: Vec<u16> = (0..is_used.len())
        .map(|at| is_used[..at].iter().filter(|u| **u).count() as u16)
        .collect();
    let mut forest = forest.renumbered(|feature| index[feature]);
    let mut is_used = is_used.into_iter();
    forest.features.retain(|_| is_used.next() == Some(true));
    forest
}
