//! The default on its training pages, out of fold.

use super::NONE;
use super::peers::{BY_TYPE, MISSED};
use super::sets::LEARNED_FROM;
use crate::Result;
use crate::corpora::TYPES;
use crate::job::Job;
use crate::old::{Corner, Frame, Series, lines};
use crate::old::{points, table};
use warcsieve_classify::expected_f::{Beta, Options};
use warcsieve_classify::params::BUILT_IN_MODELS;
use warcsieve_eval::score::Scores;
use warcsieve_extract::Headline;
use warcsieve_model::Forest;
use warcsieve_train::forest::{HeldOut, Learned, Pages, Params, learn};

/// The default of `warcsieve train forest`.
const FOLDS: usize = 5;
/// The seed of the built-in model.
const SEEDS: [u64; 1] = [1];
/// More of them, which say how much of a figure is chance.
const OTHER_SEEDS: [u64; 2] = [2, 3];

/// Intervals of the score.
const INTERVALS: usize = 20;

const PLOT: &str = "reliability.svg";

/// The trained forest and its training pages.
pub struct OutOfFold {
    pages: Pages,
    learned: Learned,
    /// Number of pages of the first corpus; they come before those of the second.
    first: usize,
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
    let columns: Vec<usize> = (0..pages.dataset.columns.len()).collect();
    learn(pages, &columns, &Params::default(), seeds, FOLDS)
}

impl OutOfFold {
    /// The scores of the pages of a corpus.
    pub fn of(&self, corpus: &str) -> &[Scores] {
        let (first, second) = self.learned.scores.split_at(self.first);
        if corpus == LEARNED_FROM[0] {
            first
        } else {
            second
        }
    }

    /// The scores of the pages of a corpus with other settings.
    pub fn with(&self, corpus: &str, (beta, headline): (&str, Headline)) -> Vec<Scores> {
        let beta = Beta::WORDS.iter().find(|(word, _)| *word == beta);
        let options = Options {
            beta: beta.map_or(Options::default().beta, |(_, beta)| *beta),
            ..Options::default()
        };
        let probability = |row: usize| self.learned.probabilities[row];
        let chosen = self.pages.chosen(probability, options, headline);
        let mut scores: Vec<Scores> = chosen.into_iter().map(|(scores, _)| scores).collect();
        let second = scores.split_off(self.first);
        if corpus == LEARNED_FROM[0] {
            scores
        } else {
            second
        }
    }

    /// The pages of both corpora.
    pub fn pages(&self) -> &Pages {
        &self.pages
    }

    /// How many pages a corpus has; those of the first come first.
    pub fn count(&self, corpus: &str) -> usize {
        self.of(corpus).len()
    }

    /// The probability that a row is content, out of fold.
    pub fn probability(&self, row: usize) -> f32 {
        self.learned.probabilities[row]
    }

    /// The forest learned from all pages.
    pub fn forest(&self) -> &Forest {
        &self.learned.forest
    }

    /// The forests of the folds.
    pub fn held_out(&self) -> &[HeldOut] {
        &self.learned.held_out
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

    /// What was done, and whether it gives the built-in model.
    pub fn about(&self) -> Result<String> {
        let shipped = BUILT_IN_MODELS.iter().find(|(name, _)| *name == "default");
        let (_, shipped) = shipped.ok_or("no model ships as `default`")?;
        let shipped = Forest::from_bytes(shipped)?;
        // The metadata lines name files and may differ.
        let learned = Forest {
            about: shipped.about.clone(),
            ..Forest::from_bytes(self.learned.forest.to_text().as_bytes())?
        };
        let same = if learned == shipped {
            "The forest that this command trains on all pages is exactly the one that ships."
        } else {
            "**The forest that this command trains on all pages is not the one that ships**: the figures out of fold are of the former."
        };
        let params = Params::default();
        Ok(format!(
            "The model that ships was trained on {}. There, the figures of the pipelines say how well the model fits, not how accurate it is. So these sets \
             are also measured *out of fold*: {} pages of {} registered domains are divided into {FOLDS} folds of whole domains. Each fold is labelled by a forest that was \
             trained on the other folds ({} trees of at most {} leaves). The settings are those of `default`, except `code = \"labels\"`. Only two numbers \
             are fitted to all folds together: slope and offset of the score. The pages of readability have one made-up host and so are one domain. So its \
             figure is of forests trained on wcxb-dev alone. {same}\n",
            LEARNED_FROM.join(" and "),
            self.pages.pages.len(),
            self.pages.domains(),
            params.trees,
            params.leaves
        ))
    }

    /// The same forests by each of [`OTHER_SEEDS`].
    pub fn other_seeds(&self) -> Vec<Learned> {
        let by = |seed| learned(&self.pages, &[seed]);
        OTHER_SEEDS.map(by).into()
    }

    /// The first corpus by page type, and what it is by `others`.
    pub fn by_type(&self, others: &[Learned]) -> String {
        let row = |name: &str, page_type: Option<&str>| {
            let is_own = |page: usize| {
                let of_type = page_type.is_none_or(|t| self.pages.pages[page].text.page_type == t);
                page < self.first && of_type
            };
            let summary = self.learned.summary(is_own);
            let seeds = others.iter().map(|other| other.summary(is_own).f1);
            let (low, high) = seeds.fold((summary.f1, summary.f1), |(low, high), f1| {
                (low.min(f1), high.max(f1))
            });
            let line = vec![
                name.to_owned(),
                summary.pages.to_string(),
                points(summary.f1),
                format!("{} to {}", points(low), points(high)),
                points(summary.precision),
                points(summary.recall),
                format!("{} %", points(summary.missed)),
            ];
            (line, summary)
        };
        let (all, of_all) = row("all", None);
        let (types, of_types): (Vec<_>, Vec<_>) = TYPES.iter().map(|t| row(t, Some(t))).unzip();
        let head = [
            "pages",
            "n",
            "word F1",
            "three seeds",
            "precision",
            "recall",
            "recall under 50",
        ];
        let mut text = table(&head, &[vec![all], types].concat());
        let missed = MISSED.map(|(name, share)| format!("{name} on {share} %"));
        text += &format!(
            "\n*Three seeds* is the range of the word F1 of three forests that differ only in their seed, 1, 2 or 3. Differences of this size may be chance. The forest \
             that ships has seed 1. More than half of the content \
             is lost on {} % of the pages. For other programs this is: {}.\n\n",
            points(of_all.missed),
            missed.join(", ")
        );
        let ours = of_types.iter().map(|summary| summary.f1).collect();
        let rows = std::iter::once(("`default`, out of fold", ours));
        let rows = rows.chain(BY_TYPE.iter().map(|(name, f1)| (*name, f1.to_vec())));
        let rows: Vec<Vec<String>> = rows
            .map(|(name, f1)| {
                [vec![name.to_owned()], f1.into_iter().map(points).collect()].concat()
            })
            .collect();
        let head: Vec<&str> = std::iter::once("word F1").chain(TYPES).collect();
        text + &table(&head, &rows)
    }

    /// The share of content among blocks by score: a plot and a table.
    pub fn reliability(&self, job: &Job) -> Result<String> {
        let found = self.learned.reliability(&self.pages, INTERVALS);
        let met = found.iter().filter(|interval| interval.tokens > 0);
        let series = [
            Series {
                name: "blocks out of fold".to_owned(),
                points: met.map(|i| (i.score, i.content)).collect(),
            },
            Series {
                name: "a score that is what it says".to_owned(),
                points: vec![(0.0, 0.0), (1.0, 1.0)],
            },
        ];
        let frame = Frame {
            title: "Share of content among tokens of such a score",
            x: "score (mean of the interval)",
            y: "share of content tokens",
        };
        let folder = job.figures("accuracy")?;
        lines(&folder.join(PLOT), &frame, Corner::UpperLeft, &series)?;
        let width = 1.0 / INTERVALS as f64;
        let rows: Vec<Vec<String>> = (0..)
            .zip(&found)
            .map(|(i, interval)| {
                let low = f64::from(i) * width;
                let share = |value: f64| match interval.tokens {
                    0 => NONE.to_owned(),
                    _ => format!("{value:.3}"),
                };
                vec![
                    format!("{low:.2} to {:.2}", low + width),
                    interval.tokens.to_string(),
                    share(interval.score),
                    share(interval.content),
                ]
            })
            .collect();
        let head = ["score", "tokens", "mean score", "content"];
        Ok(format!(
            "![Reliability of the score](accuracy/{PLOT})\n\n{}",
            table(&head, &rows)
        ))
    }
}
