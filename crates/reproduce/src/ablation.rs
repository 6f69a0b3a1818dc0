//! `ablation.md`: what each family of features contributes, measured by leaving it out.
//!
//! Results are kept in `ablation/results.jsonl` of the scratch folder, one line per family and
//! seed, and a run continues where another one was interrupted. They are valid for the features of
//! the pages and the parameters of the forests; after a change to the trainer, remove the file.

use crate::Result;
use crate::job::Job;
use crate::page::{points, table};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use warcsieve_classify::expected_f::{Comments, Options};
use warcsieve_eval::score::Scores;
use warcsieve_eval::stats;
use warcsieve_features::structure::{FAMILIES, FOREST, Family};
use warcsieve_train::forest::{Binning, Pages, Params, learn_binned, probabilities};

/// The training set, measured out of fold; readability is the other training set.
const LEARNED: &str = "wcxb-dev";
const LEARNED_FROM: [&str; 2] = [LEARNED, "readability"];

/// Test sets, and whether their gold includes comments.
const OTHERS: [(&str, Comments); 3] = [
    ("cleaneval-test", Comments::Keep),
    ("l3s-gn1", Comments::Keep),
    ("dragnet-a", Comments::Drop),
];

const SETS: usize = 1 + OTHERS.len();
const FOLDS: usize = 2;
const SEEDS: [u64; 3] = [1, 2, 3];

/// Smaller forests than the built-in ones, so that the whole experiment takes minutes.
fn params() -> Params {
    Params {
        trees: 25,
        leaves: 31,
        learning_rate: 0.2,
        ..Params::default()
    }
}

/// The family left out, the seed, and the mean word F1 of each set: first [`LEARNED`], then
/// [`OTHERS`].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    /// The recipe for which the figures are valid.
    recipe: String,
    without: Option<String>,
    seed: u64,
    f1: [f64; SETS],
}

pub fn write(job: &Job) -> Result {
    let learned = job.corpora.rows(&LEARNED_FROM)?;
    let others = OTHERS.map(|(corpus, _)| job.corpora.rows(&[corpus]));
    let others: Vec<Pages> = others.into_iter().collect::<Result<_>>()?;
    let pages = job.corpora.gold(LEARNED)?.pages.len();
    job.say("features");
    let recipe = recipe(std::iter::once(&learned).chain(&others));
    let mut results = Results::open(job.scratch("ablation")?.join("results.jsonl"), &recipe)?;
    let weights = learned.weights();
    let binning = Binning::new(&learned.dataset, &weights);
    for without in configurations() {
        for seed in SEEDS {
            if results.find(without, seed).is_none() {
                let columns = columns(without);
                let f1 = measure(&learned, pages, &others, &binning, &columns, seed)?;
                results.add(without, seed, f1)?;
            }
            let name = without.map_or("none", |family| family.name);
            job.say(&format!("without {name}, seed {seed}"));
        }
    }
    let text = format!("{HEAD}\n{}{NOTE}{}", figures(&results)?, features());
    job.page("ablation.md", &text)
}

/// The families to leave out: none, then one after the other.
fn configurations() -> impl Iterator<Item = Option<&'static Family>> {
    std::iter::once(None).chain(FAMILIES.iter().map(Some))
}

/// The indices in the data set of the features outside a family.
fn columns(without: Option<&Family>) -> Vec<usize> {
    let left_out = without.map_or(Vec::new(), |family| (family.features)());
    let columns = FOREST.iter().enumerate();
    let columns = columns.filter(|(_, feature)| !left_out.contains(feature));
    columns.map(|(column, _)| column).collect()
}

/// The sets' word F1 with these features and one seed; the first `pages` pages are those of
/// [`LEARNED`].
fn measure(
    learned: &Pages,
    pages: usize,
    others: &[Pages],
    binning: &Binning<'_>,
    columns: &[usize],
    seed: u64,
) -> Result<[f64; SETS]> {
    let found = learn_binned(learned, binning, columns, &params(), &[seed], FOLDS);
    let mut all = [f1(&found.scores[..pages]); SETS];
    for ((f1_of, pages), (_, comments)) in all[1..].iter_mut().zip(others).zip(OTHERS) {
        let probabilities = probabilities(pages, &found.forest)?;
        let options = Options {
            comments,
            ..Options::default()
        };
        *f1_of = f1(&pages.scores(|row| probabilities[row], options));
    }
    Ok(all)
}

fn f1(scores: &[Scores]) -> f64 {
    let values: Vec<f64> = scores.iter().map(|s| s.f1).collect();
    stats::mean(&values).unwrap_or_default()
}

/// The parameters of the forests, and a hash of all training and test data.
fn recipe<'a>(all: impl Iterator<Item = &'a Pages>) -> String {
    let mut hash = Sha256::new();
    for pages in all {
        let data = &pages.dataset;
        for column in &data.columns {
            let bytes = column.iter().flat_map(|value| value.to_le_bytes());
            hash.update(bytes.collect::<Vec<u8>>());
        }
        hash.update(&data.labels);
    }
    let params = params();
    format!(
        "{} trees, {} leaves, rate {}, {FOLDS} folds, {}",
        params.trees,
        params.leaves,
        params.learning_rate,
        HEXLOWER.encode(&hash.finalize())
    )
}

/// The runs of one recipe, stored in a file.
struct Results {
    path: PathBuf,
    recipe: String,
    runs: Vec<Run>,
}

impl Results {
    /// Reads the stored runs. Runs of another recipe and an incomplete last line are dropped.
    fn open(path: PathBuf, recipe: &str) -> Result<Self> {
        let text = match fs::read_to_string(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let runs = text.lines().filter_map(|l| serde_json::from_str(l).ok());
        let runs: Vec<Run> = runs.filter(|run: &Run| run.recipe == recipe).collect();
        fs::write(&path, "")?;
        for run in &runs {
            append(&path, run)?;
        }
        Ok(Self {
            path,
            recipe: recipe.to_owned(),
            runs,
        })
    }

    fn find(&self, without: Option<&Family>, seed: u64) -> Option<&Run> {
        let name = without.map(|family| family.name);
        let mut runs = self.runs.iter();
        runs.find(|run| run.without.as_deref() == name && run.seed == seed)
    }

    fn add(&mut self, without: Option<&Family>, seed: u64, f1: [f64; SETS]) -> Result {
        let run = Run {
            recipe: self.recipe.clone(),
            without: without.map(|family| family.name.to_owned()),
            seed,
            f1,
        };
        append(&self.path, &run)?;
        self.runs.push(run);
        Ok(())
    }

    /// The figures of each seed: one per set, then their mean.
    fn of(&self, without: Option<&Family>) -> Result<Vec<[f64; SETS + 1]>> {
        let runs = SEEDS.map(|seed| {
            let run = self.find(without, seed).ok_or("a run is missing")?;
            let mut line = [run.f1.iter().sum::<f64>() / SETS as f64; SETS + 1];
            line[..SETS].copy_from_slice(&run.f1);
            Ok(line)
        });
        runs.into_iter().collect()
    }
}

fn append(path: &Path, run: &Run) -> Result {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    let line = serde_json::to_string(run)?;
    Ok(file.write_all(format!("{line}\n").as_bytes())?)
}

/// One row per configuration: the mean over the seeds with its spread, and the difference from all
/// features.
fn figures(results: &Results) -> Result<String> {
    let mean = |runs: &[[f64; SETS + 1]], set: usize| {
        runs.iter().map(|run| run[set]).sum::<f64>() / runs.len() as f64
    };
    let all = results.of(None)?;
    let mut rows = Vec::new();
    for without in configurations() {
        let runs = results.of(without)?;
        let cell = |set: usize| {
            let values = || runs.iter().map(|run| run[set]);
            let (low, high) = (values().fold(1.0, f64::min), values().fold(0.0, f64::max));
            let figure = points(mean(&runs, set));
            let spread = points(high - low);
            match without {
                None => format!("{figure} ({spread})"),
                Some(_) => {
                    let by = 100.0 * (mean(&runs, set) - mean(&all, set));
                    format!("{figure} ({spread}) {by:+.1}")
                }
            }
        };
        let name = without.map_or("all features".to_owned(), |f| {
            format!("without `{}`", f.name)
        });
        let mut row = vec![name, columns(without).len().to_string()];
        row.push(cell(SETS));
        row.extend((0..SETS).map(cell));
        rows.push(row);
    }
    let sets = OTHERS.map(|(corpus, _)| corpus);
    let head = ["", "features", "mean", LEARNED].into_iter().chain(sets);
    Ok(table(&head.collect::<Vec<_>>(), &rows))
}

/// What each family is, and how its time grows.
fn features() -> String {
    let families = FAMILIES.iter().map(|family| {
        let n = (family.features)().len();
        let Family {
            name, about, cost, ..
        } = family;
        format!("- `{name}` ({n} features): {about}. Cost: {cost}.\n")
    });
    format!("\n## The families\n\n{}", families.collect::<String>())
}

const HEAD: &str = "# What does each family of features add?\n
Written by `make reproduce-ablation` from the labelled corpora: the forest of the default, learned anew without one family of features after the \
other. Figures are word F1 in percent, means over pages, by each gold's convention on comments (kept on cleaneval-test and l3s-gn1): wcxb-dev out of \
fold (2 folds of whole registered domains), the others by the forest that is learned from all of wcxb-dev and readability. So that this takes minutes \
the forests are smaller than the one that ships (25 trees of at most 31 leaves, learning rate .2); the first row is such a forest with all \
features. [accuracy.md](accuracy.md) has the figures of the one that ships.\n
A cell is the mean of three seeds, in parentheses the distance between the best and the worst of them, then the difference to all features.\n";

const NOTE: &str = "\nA difference smaller than the spread of the seeds says nothing. A family whose features others stand in for loses little when it is left out \
alone.\n";
