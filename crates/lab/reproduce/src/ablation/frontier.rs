//! `frontier.md`: what accuracy costs, by forests of several sizes and sets of features.

use super::results::Results;
use super::sets::{LEARNED, OTHERS, Recipe, SETS, Sets};
use crate::Result;
use crate::job::Job;
use crate::methods::own_time;
use crate::old::{points, table};
use std::fs;
use std::path::{Path, PathBuf};
use warcsieve_extract::Pipeline;
use warcsieve_features::structure::{FAMILIES, Family};

const SEEDS: [u64; 2] = [1, 2];
const FOLDS: usize = 3;

/// Trees, leaves and learning rate. The last is the size that ships, on which families are left out.
const SIZES: [(usize, usize, f64); 4] = [
    (25, 31, 0.2),
    (50, 31, 0.15),
    (100, 40, 0.1),
    (200, 40, 0.05),
];

/// What is left out of the forest of the size that ships.
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

/// A line of the table.
struct Point {
    recipe: Recipe,
    /// One per set, then their mean: means over the seeds.
    f1: [f64; SETS + 1],
    /// The distance between the seeds' means over the sets.
    spread: f64,
    bytes: usize,
    /// Seconds of labels a page.
    seconds: f64,
}

pub fn write(job: &Job) -> Result {
    let folder = job.scratch("frontier")?;
    let recipes = recipes();
    let results = learn(job, &recipes, &folder)?;
    let pipelines = recipes
        .iter()
        .map(|recipe| pipeline(&file(&folder, recipe)));
    let pipelines = pipelines.collect::<Result<Vec<_>>>()?;
    let times = own_time::measure(&job.corpora, LEARNED, &pipelines)?;
    job.say("times");
    let mut all = Vec::new();
    for (recipe, seconds) in recipes.into_iter().zip(times.pipelines) {
        let runs = results.of(&recipe, &SEEDS)?;
        let mean = |set: usize| runs.iter().map(|run| run[set]).sum::<f64>() / runs.len() as f64;
        let means = || runs.iter().map(|run| run[SETS]);
        let run = results.find(&recipe, SEEDS[0]).ok_or("a run is missing")?;
        all.push(Point {
            f1: std::array::from_fn(mean),
            spread: means().fold(0.0, f64::max) - means().fold(1.0, f64::min),
            bytes: run.bytes,
            seconds,
            recipe,
        });
    }
    let pages = times.pages;
    let text = format!("{HEAD}\n{}\n{pages} pages. {NOTE}", lines(&all));
    job.page("frontier.md", &text)
}

/// Learns what is not there yet, and writes the forests of the first seed.
fn learn(job: &Job, recipes: &[Recipe], folder: &Path) -> Result<Results> {
    let sets = Sets::read(job)?;
    job.say("features");
    let binning = sets.binning();
    let mut results = Results::open(folder.join("results.jsonl"), sets.hash())?;
    for recipe in recipes {
        for (at, seed) in SEEDS.into_iter().enumerate() {
            let file = file(folder, recipe);
            if results.find(recipe, seed).is_none() || at == 0 && !file.exists() {
                let (f1, forest) = sets.measure(&binning, recipe, seed)?;
                let text = forest.to_text();
                if at == 0 {
                    fs::write(file, &text)?;
                }
                results.add(recipe, seed, f1, text.len())?;
            }
            job.say(&format!("{}, seed {seed}", recipe.key()));
        }
    }
    Ok(results)
}

fn file(folder: &Path, recipe: &Recipe) -> PathBuf {
    folder.join(format!("{}.forest", recipe.key()))
}

/// The default with another forest.
fn pipeline(forest: &Path) -> Result<Pipeline> {
    let forest = fs::canonicalize(forest)?;
    let text =
        format!("segmentation = \"inline\"\n[[step]]\nmethod = \"forest\"\nmodel = {forest:?}\n");
    Ok(Pipeline::parse("frontier", &text)?)
}

/// A row per forest, the cheapest first.
fn lines(all: &[Point]) -> String {
    let mut order: Vec<&Point> = all.iter().collect();
    order.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let mut best = 0.0;
    let mut rows = Vec::new();
    for point in order {
        let mean = points(point.f1[SETS]);
        let is_best = point.f1[SETS] > best;
        best = best.max(point.f1[SETS]);
        let recipe = &point.recipe;
        let without = recipe
            .without
            .iter()
            .map(|family| format!("`{}`", family.name));
        let mut row = vec![
            format!("{} × {}", recipe.trees, recipe.leaves),
            without.collect::<Vec<_>>().join(", "),
            recipe.columns().len().to_string(),
            format!("{:.0}", point.seconds * 1e6),
            (point.bytes / 1000).to_string(),
            if is_best { format!("**{mean}**") } else { mean },
            points(point.spread),
        ];
        row.extend(point.f1[..SETS].iter().map(|f1| points(*f1)));
        rows.push(row);
    }
    let head = [
        "trees × leaves",
        "without",
        "features",
        "µs per page",
        "kB",
        "mean F1",
        "between seeds",
        LEARNED,
    ];
    let sets = OTHERS.map(|(corpus, _)| corpus);
    table(&head.into_iter().chain(sets).collect::<Vec<_>>(), &rows)
}

const HEAD: &str = "\
# What does accuracy cost?

The default method is a forest of decision trees. Smaller forests, and forests with fewer features, are faster but less accurate. This page measures how much. It is for everyone who wants to know whether a faster model is good enough, or [trains a forest](training.md).

```sh
warcsieve train forest --help    # --trees, --leaves, --without
```

Written by `cargo xtask reproduce frontier` from the labelled corpora. The forests have several sizes and are learned with the settings of the default. Some leave out families of features ([ablation.md](ablation.md) describes these). A family that no test of a forest needs is not computed.

The figures are word F1 in percent, means over pages and two seeds. Readers' comments count by the convention of each gold (kept on cleaneval-test and l3s-gn1). wcxb-dev is measured out of fold (3 folds of whole registered domains). The other corpora are measured with the forest that is learned from all of wcxb-dev and readability.

The time is the time for labels, from features to the choice of blocks, per page of wcxb-dev on one thread. For each page it is the best of three runs, with all forests in turn. `kB` is the size of the model's file. The fastest forest comes first. A mean in bold is greater than all means above it.\n";

const NOTE: &str = "\
Two forests are equally good if they differ by less than the seeds do. [performance.md](performance.md) says which share of a whole job labels take.\n";
