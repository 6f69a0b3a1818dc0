//! Classifiers of genres: Table 1. Each page is classified by a model that was trained without its domain.

use crate::{Job, Page, Result, data, interval, points, row, table};
use std::collections::BTreeMap;
use warcsieve_engine::Input;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_features::genre::GENRE;
use warcsieve_papers::goce::Genre;
use warcsieve_run::layouts;
use warcsieve_train::picture::{Params, SIZE};
use warcsieve_train::{CrossValidation, GenrePages};

const FOLDS: usize = 10;
/// Seeds of the learners. The first is that of the built-in model, and of the network.
const SEEDS: [u64; 3] = [1, 2, 3];

/// For each page id the genre predicted by a model trained without its domain.
pub type Genres = BTreeMap<String, Genre>;

/// The predictions of a classifier.
pub struct Predictions {
    /// The name of GOCE with this classifier.
    pub goce: &'static str,
    pub accuracy: f64,
    pub genres: Genres,
}

/// Trains all classifiers, and writes Table 1 into the page.
pub fn put(
    job: &Job,
    page: Page,
    inputs: &[Input],
    gold: &Gold,
) -> Result<(Page, Vec<Predictions>)> {
    let goce = Pipeline::built_in(&warcsieve_papers::METHODS, "goce")?;
    let pages = sound(GenrePages::collect(inputs, gold, &goce)?)?;
    let [articles, lists] = pages.learned_from();
    let majority = points(articles.max(lists) as f64 / (articles + lists) as f64);
    let mut all = Classifiers::default();
    let majority = format!("ours: the majority | {majority} | 50.0 | - | - | -");
    all.rows.push(majority);
    for seed in SEEDS {
        let found = pages.train(FOLDS, seed)?.1;
        all.add("SVM", "goce (out of fold)", seed, &pages, found)?;
    }
    let counts = counts(&pages);
    let found = counts.train(FOLDS, SEEDS[0])?.1;
    all.add("SVM on the counts themselves", "", SEEDS[0], &counts, found)?;
    job.say("by markup");
    let seen = GenrePages::collect_pictures(inputs, gold, &kept(job)?, SIZE)?;
    let pages = sound(seen)?;
    for seed in SEEDS {
        let (name, goce) = ("SVM with numbers of the layout", "goce by layout");
        all.add(name, goce, seed, &pages, pages.train(FOLDS, seed)?.1)?;
    }
    job.say("by layout");
    let params = Params {
        seed: SEEDS[0],
        ..Params::default()
    };
    let each = |done, all| job.say(&format!("{done} of {all} networks"));
    let found = pages.train_on_pictures(FOLDS, &params, each)?.1;
    let (name, goce) = ("network on pictures", "goce by picture");
    all.add(name, goce, SEEDS[0], &pages, found)?;
    let features = (1..).zip(GENRE.iter());
    let features = features.map(|(i, f)| format!("{i}. `{}`: {}", f.name, f.about));
    let printed = data!("genre/table1.tsv")?.rows::<6>()?.into_iter();
    let printed = printed.map(|[name, figures @ ..]| row(name, figures));
    let head = " | accuracy | balanced | P | R | F1";
    let page = page
        .put("articles", articles)
        .put("lists", lists)
        .put("pictures", pages.pictures.iter().flatten().count())
        .put("pages", pages.pages.len())
        .put("folds", FOLDS)
        .put("table 1", table(head, printed.chain(all.rows)))
        .put("features", features.collect::<Vec<_>>().join("\n"));
    Ok((page, all.predictions))
}

fn sound(pages: GenrePages) -> Result<GenrePages> {
    match pages.faults.first() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(pages),
    }
}

/// The features without their logarithms.
fn counts(pages: &GenrePages) -> GenrePages {
    let mut dataset = pages.dataset.clone();
    for value in dataset.columns.iter_mut().flatten() {
        *value = value.exp_m1().round();
    }
    GenrePages {
        dataset,
        pages: Vec::new(),
        pictures: Vec::new(),
        faults: Vec::new(),
    }
}

/// The pipeline with the layouts and pictures that `cargo xtask reproduce kept-layouts` keeps.
fn kept(job: &Job) -> Result<Pipeline> {
    let name = job.scratch("layouts")?.join("kept.toml");
    let name = name.display().to_string();
    let text = std::fs::read_to_string(&name)
        .map_err(|e| format!("{name}: {e}; run cargo xtask reproduce kept-layouts"))?;
    let mut pipeline = Pipeline::parse(&warcsieve_papers::METHODS, &name, &text)?;
    layouts::join(&mut pipeline)?;
    Ok(pipeline)
}

/// The rows of Table 1, and the predictions of the classifiers.
#[derive(Default)]
struct Classifiers {
    rows: Vec<String>,
    predictions: Vec<Predictions>,
}

impl Classifiers {
    /// Adds a classifier's row. The first seed also has intervals and, unless `goce` is empty, the genres of all pages.
    fn add<M>(
        &mut self,
        name: &str,
        goce: &'static str,
        seed: u64,
        pages: &GenrePages,
        found: Option<CrossValidation<M>>,
    ) -> Result {
        let found = found.ok_or("the folds lack a genre")?;
        let measured = found.measure(&pages.dataset).ok_or("no pages")?;
        let average = measured.average;
        let with_interval = |figure: f64, is_balanced: bool| {
            let right = || right(pages, &found.predicted, is_balanced);
            let found = (seed == SEEDS[0]).then(|| interval(&right())).flatten();
            let found = found.map(|interval| format!(" ({interval})"));
            points(figure) + &found.unwrap_or_default()
        };
        let accuracies = [
            with_interval(measured.accuracy, false),
            with_interval(measured.balanced_accuracy(), true),
        ];
        let name = match goce {
            "" => format!("ours: {name}"),
            _ => format!("ours: {name}, seed {seed}"),
        };
        let figures = [average.precision, average.recall, average.f1];
        let name = row(name, accuracies);
        self.rows.push(row(name, figures.map(points)));
        if seed == SEEDS[0] && !goce.is_empty() {
            let genre = |predicted: &u8| match *predicted == Genre::ListView as u8 {
                true => Genre::ListView,
                false => Genre::Article,
            };
            let places = pages.pages.iter().zip(&found.predicted);
            let genres = places.map(|(place, predicted)| (place.id.clone(), genre(predicted)));
            self.predictions.push(Predictions {
                goce,
                accuracy: measured.accuracy,
                genres: genres.collect(),
            });
        }
        Ok(())
    }
}

/// For each page, its contribution to the accuracy, or to the balanced accuracy.
fn right(pages: &GenrePages, predicted: &[u8], is_balanced: bool) -> Vec<f64> {
    let counts = pages.learned_from().map(|count| count as f64);
    let all = counts[0] + counts[1];
    let data = &pages.dataset;
    let rows = data.labels.iter().zip(predicted).zip(&data.weights);
    let rows = rows.filter(|(_, weight)| **weight > 0);
    rows.map(|((label, predicted), _)| match label == predicted {
        false => 0.0,
        true if is_balanced => all / 2.0 / counts[usize::from(*label)],
        true => 1.0,
    })
    .collect()
}
