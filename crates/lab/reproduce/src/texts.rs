//! Tables of the pipelines' extracted texts compared with the gold texts of the corpora.

use crate::Result;
use crate::corpora::{Corpora, evaluate_all, mean};
use crate::page::{points, table};
use warcsieve_eval::pages::Gold;
use warcsieve_eval::run::Evaluation;
use warcsieve_extract::Pipeline;

/// A corpus, and its description.
pub const CORPORA: [(&str, &str); 3] = [
    (
        "cleaneval-test",
        "CleanEval's test set, 681 pages of 2006 from all over the web",
    ),
    ("l3s-gn1", "L3S-GN1, 621 news pages of 2008"),
    (
        "wcxb-dev",
        "WCXB development set, 1,497 pages of seven types",
    ),
];

/// Measures of a page, and their column names.
const MEASURES: [(&str, &str); 7] = [
    ("f1", "word F1"),
    ("precision", "P"),
    ("recall", "R"),
    ("lcs_f1", "LCS F1"),
    ("lcs_precision", "P"),
    ("lcs_recall", "R"),
    ("score", "Score"),
];

/// The corpus whose gold has page types, and the types.
const TYPED: &str = "wcxb-dev";
pub const TYPES: [&str; 7] = [
    "article",
    "collection",
    "documentation",
    "forum",
    "listing",
    "product",
    "service",
];

/// A pipeline, and its name in the table.
pub struct Row {
    pub name: String,
    pub pipeline: Pipeline,
}

impl Row {
    /// A built-in pipeline.
    pub fn built_in(pipeline: &str, name: &str) -> Result<Self> {
        Ok(Self {
            name: name.to_owned(),
            pipeline: Pipeline::built_in(&warcsieve_papers::METHODS, pipeline)?,
        })
    }
}

/// One table per corpus, and one by page type; all values are in percent, means over pages.
pub fn tables(corpora: &Corpora, rows: &[Row]) -> Result<String> {
    let pipelines: Vec<Pipeline> = rows.iter().map(|r| r.pipeline.clone()).collect();
    let mut text = String::new();
    for (corpus, title) in CORPORA {
        let gold = Gold::Texts(corpora.gold(corpus)?);
        let evaluation = evaluate_all(&corpora.inputs(corpus)?, &gold, &pipelines)?;
        text += &format!("\n### {title}\n\n");
        text += &columns(
            &evaluation,
            rows,
            &MEASURES.map(|(m, name)| (m, &[][..], name)),
        )?;
        if corpus == TYPED {
            text += "\n### The same by type of page: word F1\n\n";
            let types: Vec<_> = TYPES
                .iter()
                .map(|t| ("f1", std::slice::from_ref(t), *t))
                .collect();
            text += &columns(&evaluation, rows, &types)?;
        }
    }
    Ok(text)
}

/// One row per pipeline; a column is a measure over the pages of some types.
fn columns(
    evaluation: &Evaluation,
    rows: &[Row],
    columns: &[(&str, &[&str], &str)],
) -> Result<String> {
    let mut cells = Vec::new();
    for (p, row) in rows.iter().enumerate() {
        let figures = columns
            .iter()
            .map(|(measure, types, _)| Ok(points(mean(evaluation, p, measure, types)?)));
        let mut line = vec![row.name.clone()];
        line.extend(figures.collect::<Result<Vec<String>>>()?);
        cells.push(line);
    }
    let head: Vec<&str> = std::iter::once("")
        .chain(columns.iter().map(|c| c.2))
        .collect();
    Ok(table(&head, &cells))
}
