//! The default on its training pages, out of fold.

use super::sets::Setting;
use crate::corpora::{LEARNED_FROM, TYPES};
use crate::{Job, Page, Result, data, number, points, row, table};
use std::collections::BTreeSet;
use warcsieve_classify::expected_f::{Beta, Options};
use warcsieve_eval::score::Scores;
use warcsieve_extract::Headline;
use warcsieve_features::structure::columns_without;
use warcsieve_model::Forest;
use warcsieve_papers::METHODS;
use warcsieve_train::forest::{Learned, PageRows, Pages, Params, learn};

/// The default of `warcsieve train forest`.
const FOLDS: usize = 5;
/// The seeds of the built-in model.
const SEEDS: [u64; 2] = [1, 2];
/// More seeds, which show how much of a figure is random.
const OTHER_SEEDS: [[u64; 2]; 2] = [[3, 4], [5, 6]];

/// The families of features that the built-in model leaves out.
const WITHOUT: [&str; 1] = ["page"];

/// How the trees of each seed of the built-in model are grown.
fn params() -> Params {
    Params {
        trees: 100,
        learning_rate: 0.1,
        ..Params::default()
    }
}

const SAME: &str =
    "The forest that this command trains on all pages is exactly the one that ships.";
const OTHER: &str = "**This command trains a forest on all pages, and it is not the one that ships.** The figures out of fold are of forests that are trained like the former.";

/// The trained forest and its training pages.
pub struct OutOfFold {
    /// The pages of all corpora; those of the first come first.
    pub pages: Pages,
    pub learned: Learned,
    /// How many pages the first corpus has.
    pub first: usize,
}

pub fn measure(job: &Job) -> Result<OutOfFold> {
    let pages = job.corpora.rows(&LEARNED_FROM)?;
    job.say("features");
    let learned = learned(&pages, &SEEDS);
    job.say("forests");
    Ok(OutOfFold {
        first: job.corpora.gold(LEARNED_FROM[0])?.pages.len(),
        pages,
        learned,
    })
}

fn learned(pages: &Pages, seeds: &[u64]) -> Learned {
    learn(pages, &columns_without(&WITHOUT), &params(), seeds, FOLDS)
}

impl OutOfFold {
    /// The scores of the pages of a corpus.
    pub fn of(&self, corpus: &str) -> &[Scores] {
        self.part(corpus, &self.learned.scores)
    }

    /// The scores of the pages of a corpus with other settings.
    pub fn with(&self, corpus: &str, (beta, headline): Setting) -> Vec<Scores> {
        let headline = match headline {
            "drop" => Headline::Drop,
            _ => Headline::Keep,
        };
        let beta = Beta::WORDS.iter().find(|(word, _)| *word == beta);
        let options = Options {
            beta: beta.map_or(Options::default().beta, |(_, beta)| *beta),
            ..Options::default()
        };
        let probability = |row: usize| self.learned.probabilities[row];
        let chosen = self.pages.chosen(probability, options, headline);
        let scores: Vec<Scores> = chosen.into_iter().map(|(scores, _)| scores).collect();
        self.part(corpus, &scores).to_vec()
    }

    fn part<'s>(&self, corpus: &str, scores: &'s [Scores]) -> &'s [Scores] {
        let pages = &self.pages.pages;
        let is_own = |page: &PageRows| page.set == corpus;
        let start = pages.iter().position(is_own).unwrap_or(pages.len());
        let count = pages[start..]
            .iter()
            .take_while(|page| is_own(page))
            .count();
        &scores[start..start + count]
    }

    /// The ids of some pages.
    pub fn ids(&self, pages: impl IntoIterator<Item = usize>) -> BTreeSet<&str> {
        let pages = pages.into_iter().map(|page| &self.pages.pages[page]);
        pages.map(|page| page.text.id.as_str()).collect()
    }

    /// For each fold the forest that was learned without it, and the ids of its pages.
    pub fn folds(&self) -> impl Iterator<Item = (&Forest, BTreeSet<&str>)> {
        let folds = self.learned.held_out.iter();
        folds.map(|fold| (&fold.forest, self.ids(fold.pages.iter().copied())))
    }

    /// For each page its confidence and its word F1.
    pub fn confidences(&self) -> Result<Vec<(f64, f64)>> {
        let measured = self.learned.forest.confidence;
        let measured = measured.ok_or("the forest has no confidence")?;
        let pages = self.learned.expected.iter().zip(&self.learned.scores);
        let page = |(expected, scores): (&f64, &Scores)| {
            (f64::from(measured.of_share(*expected)), scores.f1)
        };
        Ok(pages.map(page).collect())
    }

    /// A description of the training, whether its result is the built-in model, and the figures by page type.
    pub fn put(&self, page: Page) -> Result<Page> {
        let params = params();
        let page = page
            .put("pages", self.pages.pages.len())
            .put("domains", self.pages.domains())
            .put("folds", FOLDS)
            .put("trees", params.trees * SEEDS.len())
            .put("leaves", params.leaves)
            .put("without", WITHOUT.join("`, `"))
            .put("same", if self.is_shipped()? { SAME } else { OTHER });
        self.by_type(page)
    }

    fn is_shipped(&self) -> Result<bool> {
        let shipped = METHODS.models.iter().find(|(name, _)| *name == "default");
        let (_, shipped) = shipped.ok_or("no model ships as `default`")?;
        let shipped = Forest::from_bytes(shipped)?;
        // The metadata lines name files and may differ.
        let learned = Forest {
            about: shipped.about.clone(),
            ..Forest::from_bytes(self.learned.forest.to_text().as_bytes())?
        };
        Ok(learned == shipped)
    }

    /// The first corpus by page type: with these forests, with the same forests of other seeds, and with other
    /// programs.
    fn by_type(&self, page: Page) -> Result<Page> {
        let others = OTHER_SEEDS.map(|seeds| learned(&self.pages, &seeds));
        let (mut rows, mut found) = (Vec::new(), Vec::new());
        for page_type in ["all"].into_iter().chain(TYPES) {
            let is_own = |page: usize| {
                let own = &self.pages.pages[page].text.page_type;
                page < self.first && (page_type == "all" || own == page_type)
            };
            let summary = self.learned.summary(is_own);
            let (mut low, mut high) = (summary.f1, summary.f1);
            for other in &others {
                let f1 = other.summary(is_own).f1;
                (low, high) = (low.min(f1), high.max(f1));
            }
            let [low, f1, high] = [low, summary.f1, high].map(points);
            let both = [summary.precision, summary.recall].map(points).join(" | ");
            let (pages, missed) = (summary.pages, points(summary.missed));
            let figures = format!("{pages} | {f1} | {low} to {high} | {both} | {missed} %");
            rows.push(row(page_type, [figures]));
            found.push((f1, missed));
        }
        let head = "pages | n | word F1 | three forests | precision | recall | recall under 50";
        let ours = found[1..].iter().map(|(f1, _)| f1);
        let mut all = vec![row("`default`, out of fold", ours)];
        for [name, f1 @ ..] in data!("accuracy/peers-by-type.tsv")?.rows::<8>()? {
            let f1 = f1.iter().map(|cell| Ok(points(number(cell)?)));
            all.push(row(name, f1.collect::<Result<Vec<_>>>()?));
        }
        let missed = data!("accuracy/peers-missed.tsv")?.rows()?.into_iter();
        let missed = missed.map(|[name, share]: [&str; 2]| format!("{name} on {share} %"));
        Ok(page
            .put("by type", table(head, rows))
            .put("missed", &found[0].1)
            .put("missed by others", missed.collect::<Vec<_>>().join(", "))
            .put("types of others", table(&row("word F1", TYPES), all)))
    }
}
