//! `ablation.md`: the contribution of each family of features and of each rule, measured by leaving
//! it out; and `frontier.md`: the cost of accuracy.

mod frontier;
mod results;
mod rules;
mod sets;

pub use frontier::write as write_frontier;
pub use rules::without;

use crate::{Job, Result, difference, page, points, row, table};
use results::Results;
use sets::{Recipe, SETS, head};
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
    let folder = job.scratch("ablation")?;
    let results = Results::complete(job, &folder, &recipes(), &SEEDS, false)?;
    let page = page!("ablation.md")
        .put("figures", figures(&results)?)
        .put("families", families())
        .put("rules", rules::rules(job)?);
    job.write(&page)
}

/// One row per configuration: the mean over the seeds with its spread, and the difference from all
/// features.
fn figures(results: &Results) -> Result<String> {
    let recipes = recipes();
    let all = results.of(&recipes[0], &SEEDS)?;
    let rows = recipes.iter().map(|recipe| {
        let found = results.of(recipe, &SEEDS)?;
        let cell = |set| {
            let [mean, spread] = [found.mean(set), found.spread(set)].map(points);
            let cell = format!("{mean} ({spread})");
            match recipe.without[..] {
                [] => cell,
                _ => format!("{cell} {}", difference(found.mean(set) - all.mean(set))),
            }
        };
        let name = match recipe.without.first() {
            None => "all features".to_owned(),
            Some(family) => format!("without `{}`", family.name),
        };
        let name = row(name, [recipe.columns().len()]);
        Ok(row(name, [SETS].into_iter().chain(0..SETS).map(cell)))
    });
    let rows = rows.collect::<Result<Vec<_>>>()?;
    Ok(table(&head(" | features | mean"), rows))
}

/// A description of each family, and how its time grows.
fn families() -> String {
    let families = FAMILIES.iter().map(|family| {
        let n = (family.features)().len();
        let Family {
            name, about, cost, ..
        } = family;
        format!("- `{name}` ({n} features): {about}. Cost: {cost}.")
    });
    families.collect::<Vec<_>>().join("\n")
}
