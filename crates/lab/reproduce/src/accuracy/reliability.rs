//! Reliability: whether scores of blocks and expected F1 of pages agree with the measured values.

use super::out_of_fold::OutOfFold;
use crate::corpora::OTHERS;
use crate::plot::{Corner, Frame, frame, lines, series};
use crate::{Job, NONE, Page, Result, points, table};
use warcsieve_classify::expected_f::{Kept, Options};
use warcsieve_eval::score::Scores;
use warcsieve_model::Forest;
use warcsieve_train::forest::{Pages, probabilities};

/// The pages of a set from which the model was not learned, and the results of the forest for them.
pub struct Other {
    pub corpus: &'static str,
    pub pages: Pages,
    /// For each row, the probability that it is content.
    pub probabilities: Vec<f32>,
    /// The options for choosing content, with the gold's convention on comments.
    pub options: Options,
}

/// All of these sets, with the forest that is learned from all training pages.
pub fn others(job: &Job, forest: &Forest) -> Result<Vec<Other>> {
    let other = |(corpus, comments)| {
        let pages = job.corpora.rows(&[corpus])?;
        Ok(Other {
            corpus,
            probabilities: probabilities(&pages, forest)?,
            pages,
            options: Options {
                comments,
                ..Options::default()
            },
        })
    };
    OTHERS.into_iter().map(other).collect()
}

/// Number of intervals of the score, and of the confidence.
const SCORES: usize = 20;
const CONFIDENCES: usize = 10;

/// A page: its confidence and its word F1.
type ConfidenceAndF1 = (f64, f64);

pub fn put(job: &Job, page: Page, trained: &OutOfFold, others: &[Other]) -> Result<Page> {
    let page = page.put("reliability", reliability(job, trained)?);
    let pages = trained.confidences()?;
    let intervals: Vec<Vec<ConfidenceAndF1>> =
        (0..CONFIDENCES).map(|i| within(&pages, i)).collect();
    let met = intervals.iter().filter(|pages| !pages.is_empty());
    let points = met.map(|pages| means(pages)).collect();
    let names = ["pages out of fold", "a confidence that is what it says"];
    let (title, y) = ("Word F1 of pages of such a confidence", "word F1");
    let frame = frame(title, "confidence (mean of the interval)", y);
    draw(job, "accuracy/confidence.svg", &frame, names, points)?;
    let width = 1.0 / CONFIDENCES as f64;
    let rows = (0..).zip(&intervals).map(|(i, pages)| {
        let low = f64::from(i) * width;
        row(&format!("{low:.1} to {:.1}", low + width), pages)
    });
    let mut sets = vec![set("training sets, **out of fold**", &pages)];
    for other in others {
        sets.push(set(other.corpus, &of_set(&trained.learned.forest, other)?));
    }
    let head = |first| format!("{first} | pages | mean confidence | word F1 | word F1 under 50");
    let sets_head = format!(
        "{} | pages of confidence .9 and more | of these, word F1 of 80 and more",
        head("set")
    );
    Ok(page
        .put("confidence", table(&head("confidence"), rows))
        .put("by set", table(&sets_head, sets)))
}

/// The share of content among blocks by score.
fn reliability(job: &Job, trained: &OutOfFold) -> Result<String> {
    let found = trained.learned.reliability(&trained.pages, SCORES);
    let met = found.iter().filter(|interval| interval.tokens > 0);
    let points = met.map(|i| (i.score, i.content)).collect();
    let names = ["blocks out of fold", "a score that is what it says"];
    let title = "Share of content among tokens of such a score";
    let frame = frame(
        title,
        "score (mean of the interval)",
        "share of content tokens",
    );
    draw(job, "accuracy/reliability.svg", &frame, names, points)?;
    let width = 1.0 / SCORES as f64;
    let rows = (0..).zip(&found).map(|(i, interval)| {
        let low = f64::from(i) * width;
        let shares = match interval.tokens {
            0 => format!("{NONE} | {NONE}"),
            _ => format!("{:.3} | {:.3}", interval.score, interval.content),
        };
        let (high, tokens) = (low + width, interval.tokens);
        format!("{low:.2} to {high:.2} | {tokens} | {shares}")
    });
    Ok(table("score | tokens | mean score | content", rows))
}

/// Plots the results, and a line on which expected and measured values are equal.
fn draw(
    job: &Job,
    file: &str,
    frame: &Frame<'_>,
    [found, ideal]: [&str; 2],
    points: Vec<ConfidenceAndF1>,
) -> Result {
    let ideal = series(ideal, [(0.0, 0.0), (1.0, 1.0)]);
    let both = [series(found, points), ideal];
    job.plot(file, &lines(frame, Corner::UpperLeft, &both))
}

fn of_set(forest: &Forest, other: &Other) -> Result<Vec<ConfidenceAndF1>> {
    let pages = &other.pages;
    let probability = |row: usize| other.probabilities[row];
    let chosen = pages.chosen(probability, other.options, pages.headline);
    let confidence = forest.confidence.ok_or("the forest has no confidence")?;
    let page =
        |(scores, kept): (Scores, Kept)| (f64::from(confidence.of_share(kept.f1)), scores.f1);
    Ok(chosen.into_iter().map(page).collect())
}

/// The pages in an interval.
fn within(pages: &[ConfidenceAndF1], interval: usize) -> Vec<ConfidenceAndF1> {
    let of = |page: &ConfidenceAndF1| ((page.0 * CONFIDENCES as f64) as usize).min(CONFIDENCES - 1);
    let own = pages.iter().copied().filter(|page| of(page) == interval);
    own.collect()
}

fn means(pages: &[ConfidenceAndF1]) -> ConfidenceAndF1 {
    let n = pages.len().max(1) as f64;
    let sum =
        |of: fn(&ConfidenceAndF1) -> f64| pages.iter().map(of).fold(0.0, |sum, value| sum + value);
    (sum(|page| page.0) / n, sum(|page| page.1) / n)
}

fn row(name: &str, pages: &[ConfidenceAndF1]) -> String {
    if pages.is_empty() {
        return format!("{name} | 0 | {NONE} | {NONE} | {NONE}");
    }
    let (confidence, f1) = means(pages);
    let missed = share(pages, |f1| f1 < 0.5);
    let (n, confidence, f1) = (pages.len(), points(confidence), points(f1));
    format!("{name} | {n} | {confidence} | {f1} | {missed}")
}

/// The row of a set, which says as well how often a high confidence is right.
fn set(name: &str, pages: &[ConfidenceAndF1]) -> String {
    let is_sure = |page: &&ConfidenceAndF1| page.0 >= 0.9;
    let sure: Vec<_> = pages.iter().filter(is_sure).copied().collect();
    let (row, n, good) = (row(name, pages), sure.len(), share(&sure, |f1| f1 >= 0.8));
    format!("{row} | {n} | {good}")
}

/// The share of pages with such a word F1.
fn share(pages: &[ConfidenceAndF1], is_such: impl Fn(f64) -> bool) -> String {
    let such = pages.iter().filter(|page| is_such(page.1)).count();
    match pages.len() {
        0 => NONE.to_owned(),
        n => format!("{} %", points(such as f64 / n as f64)),
    }
}
