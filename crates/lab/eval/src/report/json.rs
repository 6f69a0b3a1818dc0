//! An evaluation as one JSON object.

use super::Options;
use super::columns::{Cell, row};
use crate::run::Evaluation;
use crate::summary::{Summary, worst};
use serde_json::{Map, Value, json as object};

/// Everything in the tables: `summaries` (one object per pipeline and group; a group is all pages, those of a gold file
/// if there are several, or those of a page type), the worst pages, and missing pages. Figures are not rounded. Figures
/// that could not be measured are `null`. `set` and `page_type` are `null` if the group is not defined by them.
pub fn json(evaluation: &Evaluation, summaries: &[Summary], options: &Options) -> String {
    let summaries: Vec<_> = summaries
        .iter()
        .map(|s| {
            let row = row(evaluation, s).into_iter();
            Value::Object(
                row.map(|(name, cell)| (name, value(cell)))
                    .collect::<Map<_, _>>(),
            )
        })
        .collect();
    let worst: Vec<_> = (0..evaluation.pipelines.len())
        .flat_map(|p| {
            worst(evaluation, p, options.worst)
                .into_iter()
                .map(move |i| (p, i))
        })
        .map(|(p, i)| {
            let page = &evaluation.pages[i];
            object!({
                "pipeline": evaluation.pipelines[p].name,
                "id": page.id,
                "f1": page.scores[p].bag.f1,
                "fault": page.scores[p].fault,
            })
        })
        .collect();
    let missing: Vec<_> = evaluation.missing.iter().map(|(id, _)| id).collect();
    let doubles: Vec<_> = evaluation.doubles.iter().map(|p| &p.id).collect();
    let mut text = object!({
        "gold": options.gold,
        "pages": evaluation.pages.len(),
        "missing": missing,
        "without_gold": evaluation.without_gold,
        "doubles": doubles,
        "faults": evaluation.faults.len(),
        "summaries": summaries,
        "worst": worst,
    })
    .to_string();
    text.push('\n');
    text
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Text(text) => text.into(),
        Cell::Group(name) => name.into(),
        Cell::Count(n) => n.into(),
        Cell::Figure(value) => value.into(),
    }
}
