//! The columns of a summary, for file formats that contain all of them.

use crate::page_score::MEASURES;
use crate::run::Evaluation;
use crate::summary::{Group, Summary};

/// A value of a summary.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    /// A set or a page type; `None` for all pages.
    Group(Option<String>),
    Count(usize),
    /// `None` if there is nothing to measure.
    Figure(Option<f64>),
}

/// The names and values of a summary, in the order of the columns.
pub fn row(evaluation: &Evaluation, summary: &Summary) -> Vec<(String, Cell)> {
    let pipeline = &evaluation.pipelines[summary.pipeline];
    let text = |name: &str, value: &str| (name.to_owned(), Cell::Text(value.to_owned()));
    let count = |name: &str, value| (name.to_owned(), Cell::Count(value));
    let (set, page_type) = match &summary.group {
        Group::All => (None, None),
        Group::Set(name) => (Some(name.clone()), None),
        Group::Type(name) => (None, Some(name.clone())),
    };
    let mut row = vec![
        text("pipeline", &pipeline.name),
        text("method", &pipeline.method),
        text("segmentation", pipeline.segmentation),
        ("set".to_owned(), Cell::Group(set)),
        ("page_type".to_owned(), Cell::Group(page_type)),
        count("pages", summary.pages),
        count("empty", summary.empty),
        count("faults", summary.faults),
    ];
    for (measure, figures) in MEASURES.iter().zip(&summary.measures) {
        for (suffix, value) in [
            ("", figures.map(|f| f.mean)),
            ("_median", figures.map(|f| f.median)),
            ("_low", figures.map(|f| f.interval.low)),
            ("_high", figures.map(|f| f.interval.high)),
        ] {
            row.push((format!("{}{suffix}", measure.name), Cell::Figure(value)));
        }
        let pages = figures.map_or(0, |f| f.pages);
        row.push((format!("{}_pages", measure.name), Cell::Count(pages)));
    }
    let blocks = summary.blocks.as_ref();
    let figure = |name: &str, value| (name.to_owned(), Cell::Figure(value));
    row.push(figure("block_accuracy", blocks.map(|b| b.accuracy)));
    row.push(figure(
        "block_precision",
        blocks.map(|b| b.average.precision),
    ));
    row.push(figure("block_recall", blocks.map(|b| b.average.recall)));
    row.push(figure("block_f1", blocks.map(|b| b.average.f1)));
    row.push(figure(
        "block_fp_rate",
        blocks.map(|b| b.average.false_positive_rate),
    ));
    row.push(figure("block_auc", blocks.and_then(|b| b.average.roc_area)));
    row.push(figure("p_value", summary.p_value));
    row
}
