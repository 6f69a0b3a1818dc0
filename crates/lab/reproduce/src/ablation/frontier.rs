//! `frontier.md`: the cost of accuracy, measured with forests of several sizes and sets of features.

use super::results::{Results, forest_file};
use super::sets::{self, LEARNED, Recipe, SETS};
use crate::own_time;
use crate::{Job, Result, page, points, row, table};
use std::fs;
use std::path::Path;
use warcsieve_extract::Pipeline;
use warcsieve_features::structure::{FAMILIES, Family};

const SEEDS: [u64; 2] = [1, 2];
const FOLDS: usize = 3;

/// Trees, leaves and learning rate. The last entry is the size that ships; families are left out of forests of this
/// size.
const SIZES: [(usize, usize, f64); 4] = [
    (25, 31, 0.2),
    (50, 31, 0.15),
    (100, 40, 0.1),
    (200, 40, 0.05),
];

/// Families that are left out of a forest of the size that ships.
const WITHOUT: [&[&str]; 3] = [
    &["page"],
    &["page", "repetition"],
    &["page", "repetition", "sequence", "text"],
];

fn recipes() -> Vec<Recipe> {
    let sized = |(trees, leaves, learning_rate), without| Recipe {
        trees,
        leaves,
        learning_rate,
        folds: FOLDS,
        without,
    };
    let named = |names: &[&str]| -> Vec<&'static Family> {
        let families = FAMILIES.iter();
        families.filter(|f| names.contains(&f.name)).collect()
    };
    let [.., ships] = SIZES;
    let sizes = SIZES.map(|size| sized(size, Vec::new())).into_iter();
    let fewer = WITHOUT.iter().map(|names| sized(ships, named(names)));
    sizes.chain(fewer).collect()
}

pub fn write(job: &Job) -> Result {
    let folder = job.scratch("frontier")?;
    let recipes = recipes();
    let results = Results::complete(job, &folder, &recipes, &SEEDS, true)?;
    let pipelines = recipes.iter().map(|recipe| pipeline(&folder, recipe));
    let pipelines = pipelines.collect::<Result<Vec<_>>>()?;
    let times = own_time::measure(&job.corpora, LEARNED, &pipelines)?;
    job.say("times");
    let mut order: Vec<_> = recipes.iter().zip(times.pipelines).collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (mut rows, mut best) = (Vec::new(), 0.0);
    for (recipe, seconds) in order {
        let found = results.of(recipe, &SEEDS)?;
        let without = recipe.without.iter().map(|f| format!("`{}`", f.name));
        let without: Vec<_> = without.collect();
        let mean = match found.mean(SETS) {
            f1 if f1 > best => format!("**{}**", points(f1)),
            f1 => points(f1),
        };
        best = found.mean(SETS).max(best);
        let (trees, leaves, features) = (recipe.trees, recipe.leaves, recipe.columns().len());
        let (without, spread) = (without.join(", "), points(found.spread(SETS)));
        let (time, kilobytes) = (seconds * 1e6, found.bytes / 1000);
        let first =
            format!("{trees} × {leaves} | {without} | {features} | {time:.0} | {kilobytes}");
        let first = format!("{first} | {mean} | {spread}");
        rows.push(row(first, (0..SETS).map(|set| points(found.mean(set)))));
    }
    let head = "trees × leaves | without | features | µs per page | kB | mean F1 | between seeds";
    let page = page!("frontier.md")
        .put("figures", table(&sets::head(head), rows))
        .put("pages", times.pages);
    job.write(&page)
}

/// The default with another forest.
fn pipeline(folder: &Path, recipe: &Recipe) -> Result<Pipeline> {
    let forest = fs::canonicalize(forest_file(folder, recipe))?;
    let text =
        format!("segmentation = \"inline\"\n[[step]]\nmethod = \"forest\"\nmodel = {forest:?}\n");
    Ok(Pipeline::parse(
        &warcsieve_papers::METHODS,
        "frontier",
        &text,
    )?)
}
