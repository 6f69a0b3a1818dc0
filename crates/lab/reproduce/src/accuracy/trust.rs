//! How far what a page is expected to have is what it has.

use super::NONE;
use super::out_of_fold::OutOfFold;
use crate::Result;
use crate::job::Job;
use crate::old::{Corner, Frame, Series, lines};
use crate::old::{points, table};
use warcsieve_classify::expected_f::{Comments, Kept, Options};
use warcsieve_eval::score::Scores;
use warcsieve_model::Forest;
use warcsieve_train::forest::{Pages, probabilities};

/// Sets that the model was not learned from, and whether their gold has comments.
const OTHERS: [(&str, Comments); 3] = [
    ("cleaneval-test", Comments::Keep),
    ("l3s-gn1", Comments::Keep),
    ("dragnet-a", Comments::Drop),
];

/// The pages of such a set, and what the forest says of them.
pub struct Other {
    pub corpus: &'static str,
    pub pages: Pages,
    /// For each row how likely it is content.
    pub probabilities: Vec<f32>,
    /// How the content is chosen, by the gold's convention on comments.
    pub options: Options,
}

/// All of these, by the forest that is learned from all training pages.
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

/// Intervals of the confidence.
const INTERVALS: usize = 10;

const PLOT: &str = "confidence.svg";

/// A page: its confidence and its word F1.
type Page = (f64, f64);

/// The plot, and tables by confidence and by set.
pub fn write(job: &Job, out_of_fold: &OutOfFold, others: &[Other]) -> Result<String> {
    let pages = out_of_fold.confidences()?;
    let mut sets = vec![(
        "wcxb-dev and readability, **out of fold**".to_owned(),
        pages.clone(),
    )];
    for other in others {
        sets.push((other.corpus.to_owned(), of_set(out_of_fold, other)?));
    }
    let intervals: Vec<Vec<Page>> = (0..INTERVALS).map(|i| within(&pages, i)).collect();
    let series = [
        Series {
            name: "pages out of fold".to_owned(),
            points: intervals
                .iter()
                .filter(|pages| !pages.is_empty())
                .map(|pages| means(pages))
                .collect(),
        },
        Series {
            name: "a confidence that is what it says".to_owned(),
            points: vec![(0.0, 0.0), (1.0, 1.0)],
        },
    ];
    let frame = Frame {
        title: "Word F1 of pages of such a confidence",
        x: "confidence (mean of the interval)",
        y: "word F1",
    };
    let folder = job.figures("accuracy")?;
    lines(&folder.join(PLOT), &frame, Corner::UpperLeft, &series)?;
    let width = 1.0 / INTERVALS as f64;
    let rows = (0..).zip(&intervals).map(|(i, pages)| {
        let low = f64::from(i) * width;
        row(format!("{low:.1} to {:.1}", low + width), pages)
    });
    let head = |what| {
        [
            what,
            "pages",
            "mean confidence",
            "word F1",
            "word F1 under 50",
        ]
    };
    let by_set = sets.iter().map(|(name, pages)| row(name.clone(), pages));
    Ok(format!(
        "![Confidence and word F1](accuracy/{PLOT})\n\n{}\n{OTHER_SETS}\n{}",
        table(&head("confidence"), &rows.collect::<Vec<_>>()),
        table(&head("set"), &by_set.collect::<Vec<_>>())
    ))
}

fn of_set(out_of_fold: &OutOfFold, other: &Other) -> Result<Vec<Page>> {
    let (pages, forest) = (&other.pages, out_of_fold.forest());
    let probability = |row: usize| other.probabilities[row];
    let chosen = pages.chosen(probability, other.options, pages.headline);
    let confidence = forest.confidence.ok_or("the forest has no confidence")?;
    let page =
        |(scores, kept): (Scores, Kept)| (f64::from(confidence.of_share(kept.f1)), scores.f1);
    Ok(chosen.into_iter().map(page).collect())
}

/// Those in an interval.
fn within(pages: &[Page], interval: usize) -> Vec<Page> {
    let of = |page: &Page| ((page.0 * INTERVALS as f64) as usize).min(INTERVALS - 1);
    pages
        .iter()
        .copied()
        .filter(|page| of(page) == interval)
        .collect()
}

fn means(pages: &[Page]) -> Page {
    let n = pages.len().max(1) as f64;
    let sum = pages
        .iter()
        .fold((0.0, 0.0), |sum, page| (sum.0 + page.0, sum.1 + page.1));
    (sum.0 / n, sum.1 / n)
}

fn row(name: String, pages: &[Page]) -> Vec<String> {
    let (confidence, f1) = means(pages);
    let missed = pages.iter().filter(|page| page.1 < 0.5).count();
    let figure = |text: String| {
        if pages.is_empty() {
            NONE.to_owned()
        } else {
            text
        }
    };
    vec![
        name,
        pages.len().to_string(),
        figure(points(confidence)),
        figure(points(f1)),
        figure(format!("{} %", points(missed as f64 / pages.len() as f64))),
    ]
}

const OTHER_SETS: &str = "The first row is the pages that the confidence was fitted to. It was not fitted to the other sets:\n";
