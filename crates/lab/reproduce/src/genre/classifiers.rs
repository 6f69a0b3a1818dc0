//! Classifiers of genres, each page told by one that had not seen its domain: Table 1.

use super::CORPUS;
use crate::Result;
use crate::job::Job;
use crate::old::{points, table};
use std::collections::BTreeMap;
use warcsieve_classify::methods::goce::Genre;
use warcsieve_engine::Input;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::stats::Bootstrap;
use warcsieve_extract::Pipeline;
use warcsieve_features::genre::GENRE;
use warcsieve_run::layouts;
use warcsieve_train::picture::{Params, SIZE};
use warcsieve_train::{CrossValidation, GenrePages};

const FOLDS: usize = 10;
/// Seeds of the learners; the first is that of the built-in model, and of the network.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The paper's networks: name, accuracy, precision, recall, F1.
const NETWORKS: [(&str, [&str; 4]); 7] = [
    ("Inception V3", ["83.0", "82.9", "86.7", "84.8"]),
    ("Inception V4", ["79.3", "80.0", "82.6", "81.4"]),
    ("VGG 16", ["91.4", "88.7", "96.9", "92.6"]),
    ("VGG 19", ["86.0", "86.9", "88.2", "87.5"]),
    ("ResNet V2 101", ["94.8", "95.8", "94.5", "95.2"]),
    ("ResNet V2 152", ["92.5", "90.2", "96.8", "93.4"]),
    ("Inception ResNet V2", ["74.5", "74.8", "80.3", "77.4"]),
];

/// For each page id the genre predicted by a model trained without its domain.
pub type Genres = BTreeMap<String, Genre>;

/// What the classifiers say.
pub struct Told {
    /// Table 1.
    pub table: String,
    /// The genres by classifier: the name that GOCE has with it.
    pub genres: Vec<(String, Genres)>,
    /// The accuracies of these.
    pub accuracies: Vec<(String, f64)>,
    rows: Vec<Vec<String>>,
}

/// Trains all of them.
pub fn tell(job: &Job, inputs: &[Input], gold: &Gold) -> Result<Told> {
    let sound = |pages: GenrePages| match pages.faults.first() {
        Some(fault) => Err(fault.clone()),
        None => Ok(pages),
    };
    let pages = sound(GenrePages::collect(
        inputs,
        gold,
        &Pipeline::built_in("goce")?,
    )?)?;
    let [articles, lists] = pages.learned_from();
    let majority = articles.max(lists) as f64 / (articles + lists) as f64;
    let mut told = Told {
        table: String::new(),
        genres: Vec::new(),
        accuracies: Vec::new(),
        rows: vec![
            row("paper: SVM", ["87.8", "-", "87.8", "87.8", "87.8"]),
            row("paper: the majority", ["58.5", "50.0", "-", "-", "-"]),
        ],
    };
    for (name, [accuracy, p, r, f1]) in NETWORKS {
        let name = format!("paper: {name}, weights of ImageNet");
        told.rows.push(row(&name, [accuracy, "-", p, r, f1]));
    }
    let majority = points(majority);
    told.rows.push(row(
        "ours: the majority",
        [&majority, "50.0", "-", "-", "-"],
    ));
    for seed in SEEDS {
        let (_, validation) = pages.train(FOLDS, seed)?;
        told.add(&pages, validation, "SVM", "goce (out of fold)", seed)?;
    }
    let counts = GenrePages {
        dataset: {
            let mut counts = pages.dataset.clone();
            for value in counts.columns.iter_mut().flatten() {
                *value = value.exp_m1().round();
            }
            counts
        },
        pages: Vec::new(),
        pictures: Vec::new(),
        faults: Vec::new(),
    };
    let (_, validation) = counts.train(FOLDS, SEEDS[0])?;
    told.add(
        &counts,
        validation,
        "SVM on the counts themselves",
        "",
        SEEDS[0],
    )?;
    job.say("by markup");
    let pages = sound(GenrePages::collect_pictures(
        inputs,
        gold,
        &kept(job)?,
        SIZE,
    )?)?;
    let pictures = pages.pictures.iter().flatten().count();
    for seed in SEEDS {
        let (_, validation) = pages.train(FOLDS, seed)?;
        told.add(
            &pages,
            validation,
            "SVM with numbers of the layout",
            "goce by layout",
            seed,
        )?;
    }
    job.say("by layout");
    let params = Params {
        seed: SEEDS[0],
        ..Params::default()
    };
    let each = |done, all| job.say(&format!("{done} of {all} networks"));
    let (_, validation) = pages.train_on_pictures(FOLDS, &params, each)?;
    told.add(
        &pages,
        validation,
        "network on pictures",
        "goce by picture",
        SEEDS[0],
    )?;
    let features: Vec<_> = GENRE
        .iter()
        .enumerate()
        .map(|(i, f)| format!("{}. `{}`: {}", i + 1, f.name, f.about))
        .collect();
    let head = ["", "accuracy", "balanced", "P", "R", "F1"];
    told.table = format!(
        "There are {articles} articles and {lists} list views ({CORPUS}'s types `collection` and `listing`). {pictures} of all {} pages have a picture. The figures are from {FOLDS} folds that keep \
         registered domains together. Precision, recall and F1 are averages of both classes by their share, as Weka prints them; for the paper's networks they are those of one class. \
         The ranges in parentheses hold 95 % of bootstrap samples of pages, for the first seed.\n\n{}\n\
         The features of the markup, each as ln(1 + count):\n\n{}\n",
        pages.pages.len(),
        table(&head, &told.rows),
        features.join("\n")
    );
    Ok(told)
}

/// The pipeline with the layouts and pictures that `cargo xtask reproduce kept-layouts` keeps.
fn kept(job: &Job) -> Result<Pipeline> {
    let name = job.scratch("layouts")?.join("kept.toml");
    let text = std::fs::read_to_string(&name).map_err(|e| {
        format!(
            "{}: {e}; run cargo xtask reproduce kept-layouts",
            name.display()
        )
    })?;
    let mut pipeline = Pipeline::parse(&name.display().to_string(), &text)?;
    layouts::join(&mut pipeline)?;
    Ok(pipeline)
}

impl Told {
    /// Adds a classifier's row; of the first seed the genres of all pages, too, unless `goce` is
    /// empty.
    fn add<M>(
        &mut self,
        pages: &GenrePages,
        validation: Option<CrossValidation<M>>,
        name: &str,
        goce: &str,
        seed: u64,
    ) -> Result {
        let validation = validation.ok_or("the folds lack a genre")?;
        let measured = validation.measure(&pages.dataset).ok_or("no pages")?;
        let average = measured.average;
        let first = seed == SEEDS[0];
        let (accuracy, balanced) = (measured.accuracy, measured.balanced_accuracy());
        let [low, balanced_low] = [false, true].map(|is_balanced| match first {
            true => interval(pages, &validation.predicted, is_balanced),
            false => String::new(),
        });
        let figures = [
            points(accuracy) + &low,
            points(balanced) + &balanced_low,
            points(average.precision),
            points(average.recall),
            points(average.f1),
        ];
        let name = match goce {
            "" => format!("ours: {name}"),
            _ => format!("ours: {name}, seed {seed}"),
        };
        self.rows
            .push(row(&name, figures.each_ref().map(String::as_str)));
        if first && !goce.is_empty() {
            let genre = |predicted: &u8| match *predicted == Genre::ListView as u8 {
                true => Genre::ListView,
                false => Genre::Article,
            };
            let places = pages.pages.iter().zip(&validation.predicted);
            let genres = places.map(|(place, predicted)| (place.id.clone(), genre(predicted)));
            self.genres.push((goce.to_owned(), genres.collect()));
            self.accuracies.push((goce.to_owned(), accuracy));
        }
        Ok(())
    }
}

/// The interval of the accuracy, or of the balanced one, in brackets.
fn interval(pages: &GenrePages, predicted: &[u8], is_balanced: bool) -> String {
    let counts = pages.learned_from().map(|count| count as f64);
    let all = counts[0] + counts[1];
    let rows = pages.dataset.labels.iter().zip(predicted);
    let rows = rows
        .zip(&pages.dataset.weights)
        .filter(|(_, weight)| **weight > 0);
    let values: Vec<f64> = rows
        .map(|((label, predicted), _)| {
            let weight = match is_balanced {
                true => all / 2.0 / counts[usize::from(*label)],
                false => 1.0,
            };
            if label == predicted { weight } else { 0.0 }
        })
        .collect();
    match Bootstrap::default().mean(&values) {
        Some(interval) => format!(" ({} to {})", points(interval.low), points(interval.high)),
        None => String::new(),
    }
}

fn row(name: &str, figures: [&str; 5]) -> Vec<String> {
    let cells = std::iter::once(name).chain(figures);
    cells.map(str::to_owned).collect()
}
