//! `ablation.md`: what each family of features contributes, measured by leaving it out; and
//! `frontier.md`: what accuracy costs.

mod frontier;
mod results;
mod sets;

pub use frontier::write as write_frontier;

use crate::Result;
use crate::job::Job;
use crate::old::{points, table};
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

const HEAD: &str = "\
# What does each family of features add?

The default method labels blocks with a forest on several families of [features](features.md). This page measures what each family adds. It is for everyone who changes features or [trains a forest](training.md) without some of them.

```sh
warcsieve train forest --help    # --without leaves out a family
```

Written by `cargo xtask reproduce ablation` from the labelled corpora. The forest of the default is learned again and again, each time without one family of features. The figures are word F1 in percent, means over pages. Readers' comments count by the convention of each gold (kept on cleaneval-test and l3s-gn1). wcxb-dev is measured out of fold (2 folds of whole registered domains). The other corpora are measured with the forest that is learned from all of wcxb-dev and readability.

The forests are smaller than the one that ships (25 trees of at most 31 leaves, learning rate .2), so that the measurement takes only minutes. The first row is such a forest with all features. [accuracy.md](accuracy.md) has the figures of the forest that ships.

A cell has the mean of three seeds, then in parentheses the distance between the best and the worst seed, then the difference to all features.\n";

const NOTE: &str = "
A difference smaller than the distance between the seeds has no meaning. If other features can replace those of a family, little is lost when only this family is left out.\n";
