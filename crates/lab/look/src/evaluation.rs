//! An evaluation as a page: tables, reliability of scores, precision and recall of pages, the worst pages.

use crate::EVALUATION;
use crate::document::{document, titled};
use crate::plot::{Corner, Frame, Series, scatter, shares};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use warcsieve_common::counted;
use warcsieve_eval::blocks::{BlockMeasures, ScoreBin};
use warcsieve_eval::report::{self, Options, inspect_command};
use warcsieve_eval::run::Evaluation;
use warcsieve_eval::summary::{Summary, worst};

/// Bins of the reliability plot.
const BINS: usize = 10;

/// The maximum number of points per pipeline in the plot of pages. If there are more pages, every n-th is shown, in the
/// order of the gold.
const POINTS: usize = 1_500;

/// Files of views by page id, for the pipeline with this number.
pub type Views = BTreeMap<(usize, String), String>;

#[derive(Serialize)]
struct Shown<'a> {
    gold: &'a str,
    pages: usize,
    missing: usize,
    without_gold: u64,
    faults: usize,
    /// Rows in the form of `eval --json`: one per pipeline and type.
    summaries: Value,
    pipelines: Vec<Pipeline<'a>>,
}

#[derive(Serialize)]
struct Pipeline<'a> {
    name: &'a str,
    method: &'a str,
    segmentation: &'a str,
    /// Mean score and share of content of the bins that contain words. Empty for a method without degrees of score: it
    /// has two bins at most, and a line through them would say nothing.
    reliability: Vec<(f64, f64)>,
    worst: Vec<Worst<'a>>,
}

#[derive(Serialize)]
struct Worst<'a> {
    id: &'a str,
    url: &'a str,
    page_type: &'a str,
    f1: f64,
    precision: f64,
    recall: f64,
    gold_words: usize,
    fault: Option<&'a str>,
    view: Option<&'a str>,
    command: Option<String>,
}

/// A link from a page to a file next to it, with any name. It is relative, and all characters except letters, digits,
/// `-`, `.`, `_` and `~` are written as `%` and two digits (RFC 3986, 2.1).
pub fn link(file: &OsStr) -> String {
    let mut link = "./".to_owned();
    for &byte in file.as_encoded_bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => link.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => link.push(char::from(byte)),
            byte => link += &format!("%{byte:02X}"),
        }
    }
    link
}

/// The pages that will be in the list of worst pages: numbers of pipelines, and ids.
pub fn listed(evaluation: &Evaluation, n: usize) -> BTreeSet<(usize, String)> {
    let pipelines = 0..evaluation.pipelines.len();
    let pages = pipelines.flat_map(|p| worst(evaluation, p, n).into_iter().map(move |i| (p, i)));
    pages
        .map(|(p, i)| (p, evaluation.pages[i].id.clone()))
        .collect()
}

/// The page of an evaluation. `views` are files next to it.
pub fn evaluation_html(
    evaluation: &Evaluation,
    summaries: &[Summary],
    options: &Options,
    views: &Views,
) -> String {
    let json: Value =
        serde_json::from_str(&report::json(evaluation, summaries, options)).unwrap_or_default();
    let names = evaluation.pipelines.iter().enumerate();
    let pipelines: Vec<Pipeline<'_>> = names
        .map(|(p, names)| Pipeline {
            name: &names.name,
            method: &names.method,
            segmentation: names.segmentation,
            reliability: reliability(evaluation, p),
            worst: worst_of(evaluation, p, options.worst, views),
        })
        .collect();
    let plots = format!(
        "<div id=\"plots\" hidden>{}{}</div>",
        trusted(&pipelines),
        pages(evaluation)
    );
    let shown = Shown {
        gold: &options.gold,
        pages: evaluation.pages.len(),
        missing: evaluation.missing.len(),
        without_gold: evaluation.without_gold,
        faults: evaluation.faults.len(),
        summaries: json["summaries"].clone(),
        pipelines,
    };
    let title = format!(
        "{} on {}",
        counted(shown.pipelines.len(), "pipeline", "pipelines"),
        options.gold
    );
    document(EVALUATION, &titled(&title, "eval"), &shown, &plots)
}

fn worst_of<'a>(
    evaluation: &'a Evaluation,
    p: usize,
    n: usize,
    views: &'a Views,
) -> Vec<Worst<'a>> {
    let pages = worst(evaluation, p, n).into_iter();
    pages
        .map(|i| {
            let page = &evaluation.pages[i];
            let score = &page.scores[p];
            Worst {
                id: &page.id,
                url: page.place.as_ref().map_or("", |place| &place.url),
                page_type: &page.page_type,
                f1: score.bag.f1,
                precision: score.bag.precision,
                recall: score.bag.recall,
                gold_words: score.gold_words,
                fault: score.fault.as_deref(),
                view: views.get(&(p, page.id.clone())).map(String::as_str),
                command: inspect_command(evaluation, i, p),
            }
        })
        .collect()
}

fn reliability(evaluation: &Evaluation, pipeline: usize) -> Vec<(f64, f64)> {
    let mut all = BlockMeasures::default();
    for page in &evaluation.pages {
        all.merge(&page.scores[pipeline].blocks);
    }
    line(&all.reliability(BINS))
}

fn line(bins: &[ScoreBin]) -> Vec<(f64, f64)> {
    let bins = bins.iter().filter(|b| b.weight > 0);
    let points: Vec<_> = bins.map(|b| (b.score, b.content)).collect();
    if points.len() > 2 { points } else { Vec::new() }
}

/// The plot that shows how often blocks with a score are content.
fn trusted(pipelines: &[Pipeline<'_>]) -> String {
    let frame = Frame {
        title: "Share of content by score",
        x: "mean score",
        y: "share of content",
    };
    let of = |p: &Pipeline<'_>| Series {
        name: p.name.to_owned(),
        points: p.reliability.clone(),
    };
    // All pipelines come first, so that each has the same colour as in the other plot.
    let stated = Series {
        name: "score = share".to_owned(),
        points: vec![(0.0, 0.0), (1.0, 1.0)],
    };
    let series: Vec<Series> = pipelines.iter().map(of).chain([stated]).collect();
    shares(&frame, Corner::UpperLeft, &series)
}

/// The plot of pages by precision and recall.
fn pages(evaluation: &Evaluation) -> String {
    let frame = Frame {
        title: "Pages by recall and precision of words",
        x: "recall",
        y: "precision",
    };
    let step = evaluation.pages.len().div_ceil(POINTS).max(1);
    let series: Vec<Series> = (evaluation.pipelines.iter().enumerate())
        .map(|(p, pipeline)| Series {
            name: pipeline.name.clone(),
            points: (evaluation.pages.iter().step_by(step))
                .map(|page| (page.scores[p].bag.recall, page.scores[p].bag.precision))
                .collect(),
        })
        .collect();
    scatter(&frame, Corner::UpperLeft, &series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_have_one_colour_in_both_plots() {
        let bin = |score| ScoreBin {
            score,
            content: score,
            weight: 1,
        };
        let of = |name, scores: &[f64]| Pipeline {
            name,
            method: "",
            segmentation: "",
            reliability: line(&scores.iter().map(|s| bin(*s)).collect::<Vec<_>>()),
            worst: Vec::new(),
        };
        let plot = trusted(&[of("two", &[0.0, 1.0]), of("many", &[0.1, 0.5, 0.9])]);
        // One line and one entry in the legend each. `many` has the second colour although `two` has no line.
        let lines = |class: &str| plot.matches(&format!("\"line {class}\"")).count();
        assert_eq!(["c0", "c1", "c2"].map(lines), [0, 2, 2]);
    }

    #[test]
    fn links_are_to_files_whatever_their_names() {
        for (name, expected) in [
            ("eval.pages", "./eval.pages"),
            ("a b#1?%.pages", "./a%20b%231%3F%25.pages"),
            ("javascript:x", "./javascript%3Ax"),
            ("é", "./%C3%A9"),
        ] {
            assert_eq!(link(OsStr::new(name)), expected);
        }
    }
}
