//! Trains a forest and measures it by cross-validation.

use super::path::{PathFolds, SLOTS, write_scores};
use super::{Binning, PageRows, Pages, Params, calibrate};
use rayon::prelude::*;
use warcsieve_classify::expected_f::{Kept, Options};
use warcsieve_eval::score::Scores;
use warcsieve_features::structure::{PathWeights, STRUCTURE};
use warcsieve_model::forest::{Calibration, Forest, PathTable, Tree, log_odds_of};

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
    /// For each page the F1 that is expected from these probabilities.
    pub expected: Vec<f64>,
    /// The word scores with the forests of each seed alone, calibrated in the same way.
    pub by_seed: Vec<Vec<Scores>>,
    /// The forests that produced the out-of-fold results, one for each fold.
    pub held_out: Vec<HeldOut>,
}

/// A forest that was trained without a fold.
pub struct HeldOut {
    /// Calibrated in the same way as the forest of all pages.
    pub forest: Forest,
    /// Indices of the pages of the fold. Pages without rows are in no fold.
    pub pages: Vec<usize>,
}

/// Trains one forest per seed and averages them: once without each fold of whole registered
/// domains, and once on all pages. `params.seed` is ignored. The same pages lead to the same
/// forest, bit for bit, with any number of threads.
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
    let folds = pages.folds(folds);
    let path_score = STRUCTURE.len();
    let has_paths = columns.contains(&path_score);
    let paths = has_paths.then(|| PathFolds::new(pages, binning.weights(), &folds, SLOTS));
    // The data for a forest that is learned without a fold, or from all pages.
    let binning_without = |fold: Option<usize>| match &paths {
        Some(paths) => binning.with_column(path_score, paths.scores(pages, fold)),
        None => binning.clone(),
    };
    let mut log_odds = vec![vec![0.0; pages.dataset.rows()]; seeds.len()];
    let mut without = Vec::new();
    for fold in 0..folds.count {
        let left_out = |row: usize| folds.of_row[row] == fold;
        let binning = binning_without(Some(fold));
        let mut forests = Vec::new();
        for (seed, log_odds) in seeds.iter().zip(&mut log_odds) {
            let params = Params {
                seed: *seed,
                ..*params
            };
            let forest = binning.train(columns, |row| !left_out(row), &params);
            binning.predict(&forest, left_out, log_odds);
            forests.push(forest);
        }
        without.push(average(forests));
    }
    for log_odds in &mut log_odds {
        pages.pool(log_odds);
    }
    let mean: Vec<f32> = (0..pages.dataset.rows())
        .map(|row| log_odds.iter().map(|l| l[row]).sum::<f32>() / seeds.len() as f32)
        .collect();
    let rows = pages.whole().map(|row| {
        let tokens = pages.dataset.weights[row] as f32;
        (mean[row], pages.dataset.labels[row] != 0, tokens)
    });
    let calibration = calibrate(&rows.collect::<Vec<_>>());
    let all = binning_without(None);
    let forests = seeds.iter().map(|seed| {
        let params = Params {
            seed: *seed,
            ..*params
        };
        all.train(columns, |_| true, &params)
    });
    let chosen = |log_odds: &[f32]| {
        let probability = |row: usize| calibration.probability(log_odds[row]);
        pages.chosen(probability, Options::default(), pages.headline)
    };
    let of_mean = chosen(&mean);
    let confidence = confidence(&of_mean);
    let finished = |forest: Forest, paths: Option<&PathWeights>| {
        used(Forest {
            calibration,
            confidence: Some(confidence),
            paths: paths.map(table),
            ..forest
        })
    };
    let held_out = without.into_iter().enumerate().map(|(fold, forest)| {
        let is_own = |row: &usize| folds.of_row[*row] == fold;
        let page = |(at, page): (usize, &PageRows)| {
            let first = page.rows.clone().next();
            first.filter(is_own).map(|_| at)
        };
        HeldOut {
            forest: finished(forest, paths.as_ref().and_then(|paths| paths.without(fold))),
            pages: pages.pages.iter().enumerate().filter_map(page).collect(),
        }
    });
    let scores =
        |chosen: Vec<(Scores, Kept)>| chosen.into_iter().map(|(scores, _)| scores).collect();
    Learned {
        held_out: held_out.collect(),
        forest: finished(
            average(forests.collect()),
            paths.as_ref().map(|paths| &paths.all),
        ),
        seeds: seeds.to_vec(),
        expected: of_mean.iter().map(|(_, kept)| kept.f1).collect(),
        by_seed: log_odds.iter().map(|l| scores(chosen(l))).collect(),
        scores: scores(of_mean),
        probabilities: mean.iter().map(|l| calibration.probability(*l)).collect(),
    }
}

/// Fits the actual F1 of pages to the expected one. Both are shares, so a page counts as right by
/// its F1 and as wrong by the rest.
fn confidence(chosen: &[(Scores, Kept)]) -> Calibration {
    let rows = chosen.iter().flat_map(|(scores, kept)| {
        let (expected, f1) = (log_odds_of(kept.f1), scores.f1 as f32);
        [(expected, true, f1), (expected, false, 1.0 - f1)]
    });
    calibrate(&rows.collect::<Vec<_>>())
}

/// The weights in the form of a forest's file.
fn table(weights: &PathWeights) -> PathTable {
    PathTable {
        unit: weights.unit(),
        slots: weights.slots().collect(),
    }
}

/// For each row the probability of content. The data set must have the forest's features.
///
/// # Errors
/// The data set lacks a feature.
pub fn probabilities(pages: &Pages, forest: &Forest) -> Result<Vec<f32>, String> {
    let names = &pages.dataset.names;
    let place = |name: &str| names.iter().position(|n| n == name);
    let forest = forest.clone().placed(place)?;
    let mut columns: Vec<&[f32]> = pages.dataset.columns.iter().map(Vec::as_slice).collect();
    let mut path_scores = vec![0.0; pages.dataset.rows()];
    if let (Some(table), Some(column)) = (&forest.paths, columns.get_mut(STRUCTURE.len())) {
        let weights = PathWeights::new(&table.slots, table.unit);
        let weights = weights.ok_or("the number of slots is no power of two")?;
        for page in &pages.pages {
            write_scores(page, &weights, &mut path_scores);
        }
        *column = &path_scores;
    }
    let rows = (0..pages.dataset.rows()).into_par_iter();
    let mut rows: Vec<f32> = rows
        .map(|row| forest.log_odds(|column| columns[column][row]))
        .collect();
    pages.pool(&mut rows);
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

/// The forest, with only the features that its splits use.
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
