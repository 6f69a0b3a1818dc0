//! `ablation.md`: what each family of features contributes, measured by leaving it out; and
//! `frontier.md`: what accuracy costs.

mod frontier;
mod results;
mod sets;

pub use frontier::write as write_frontier;

use crate::Result;
use crate::job::Job;
use crate::page::{points, table};
use results::Results;
use sets::{LEARNED, OTHERS, Recipe, SETS, Sets};
use warcsieve_features::structure::{FAMILIES, Family};

const SEEDS: [u64; 3] = [1, 2, 3];

/// Smaller forests than the built-in ones, so that the whole experiment takes minutes: one with all
/// features, then one without each family.
fn recipes() -> Vec<Recipe> {
    let recipe = |without| Recipe {
        trees: 25,
        leaves: 31,
        learning_rate: 0.2,
        folds: 2,
        without,
    };
    let each = FAMILIES.iter().map(|family| recipe(vec![family]));
    std::iter::once(recipe(Vec::new())).chain(each).collect()
}

pub fn write(job: &Job) -> Result {
    let sets = Sets::read(job)?;
    job.say("features");
    let binning = sets.binning();
    let mut results = Results::open(job.scratch("ablation")?.join("results.jsonl"), sets.hash())?;
    for recipe in recipes() {
        for seed in SEEDS {
            if results.find(&recipe, seed).is_none() {
                let (f1, forest) = sets.measure(&binning, &recipe, seed)?;
                results.add(&recipe, seed, f1, forest.to_text().len())?;
            }
            job.say(&format!("{}, seed {seed}", recipe.key()));
        }
    }
    let text = format!("{HEAD}\n{}{NOTE}{}", figures(&results)?, features());
    job.page("ablation.md", &text)
}

/// One row per configuration: the mean over the seeds with its spread, and the difference from all
/// features.
fn figures(results: &Results) -> Result<String> {
    let mean = |runs: &[[f64; SETS + 1]], set: usize| {
        runs.iter().map(|run| run[set]).sum::<f64>() / runs.len() as f64
    };
    let recipes = recipes();
    let all = results.of(&recipes[0], &SEEDS)?;
    let mut rows = Vec::new();
    for recipe in &recipes {
        let runs = results.of(recipe, &SEEDS)?;
        let cell = |set: usize| {
            let values = || runs.iter().map(|run| run[set]);
            let (low, high) = (values().fold(1.0, f64::min), values().fold(0.0, f64::max));
            let figure = points(mean(&runs, set));
            let spread = points(high - low);
            match recipe.without[..] {
                [] => format!("{figure} ({spread})"),
                _ => {
                    let by = 100.0 * (mean(&runs, set) - mean(&all, set));
                    format!("{figure} ({spread}) {by:+.1}")
                }
            }
        };
        let name = recipe
            .without
            .first()
            .map_or("all features".to_owned(), |f| {
                format!("without `{}`", f.name)
            });
        let mut row = vec![name, recipe.columns().len().to_string()];
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
