//! Trains a forest and measures it by cross-validation.

use super::{Binning, Pages, Params, calibrate};
use rayon::prelude::*;
use warcsieve_classify::expected_f::Options;
use warcsieve_eval::score::Scores;
use warcsieve_model::forest::{Forest, Tree};

/// A forest, and its out-of-fold results.
pub struct Learned {
    /// Trained on all pages, calibrated on out-of-fold rows.
    pub forest: Forest,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// For each row the probability of content, by the forests trained without its domain.
    pub probabilities: Vec<f32>,
    /// For each page the word scores with these probabilities.
    pub scores: Vec<Scores>,
    /// The same for the forests of each seed alone, calibrated in the same way.
    pub by_seed: Vec<Vec<Scores>>,
}

/// Trains a forest for each seed and averages them: once without each fold of whole registered
/// domains, and once on all pages. `params.seed` is ignored. The same pages give the same forest,
/// bit for bit, with any number of threads.
///
/// `columns` are the indices of the features in the data set.
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

/// [`learn`] for a data set that is already binned.
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

/// Writes the log-odds of some rows.
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

/// For each row the probability of content. The data set must have the forest's features.
///
/// # Errors
/// The data set lacks a feature.
pub fn probabilities(pages: &Pages, forest: &Forest) -> Result<Vec<f32>, String> {
    let names = &pages.dataset.names;
    let place = |name: &str| names.iter().position(|n| n == name);
    let forest = forest.clone().placed(place)?;
    let mut rows = vec![0.0; pages.dataset.rows()];
    predict(pages, &forest, |_| true, &mut rows);
    let calibrated = rows.iter().map(|l| forest.calibration.probability(*l));
    Ok(calibrated.collect())
}

/// The forest whose log-odds are the mean of those of `forests`, which must have the same features.
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
    // Rounded to millionths, to keep model files short.
    let shrink = |value: &mut f32| *value = ((f64::from(*value / by) * 1e6).round() / 1e6) as f32;
    tree.leaves.iter_mut().for_each(shrink);
    tree.splits.iter_mut().for_each(|s| shrink(&mut s.value));
    tree
}

/// The forest with only the features that its splits use.
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
