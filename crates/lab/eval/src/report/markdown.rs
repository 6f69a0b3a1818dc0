//! An evaluation as a Markdown page.

use super::grid::grid;
use super::{Options, left_out};
use crate::page_score::MEASURES;
use crate::run::Evaluation;
use crate::summary::{Figures, Group, Summary, worst};
use std::fmt::Write;
use warcsieve_common::{counted, markdown as escaped, markdown_code, markdown_line};

/// The report: figures over all pages, F1 by page type, the worst pages, and what the figures do
/// not cover.
pub fn markdown(evaluation: &Evaluation, summaries: &[Summary], options: &Options) -> String {
    let mut text = format!(
        "# Evaluation\n\n{}, gold {}.\n\n",
        counted(evaluation.pages.len(), "page", "pages"),
        markdown_code(&options.gold)
    );
    text += &table(evaluation, summaries);
    let _ = writeln!(text, "\n{LEGEND}");
    text += &worst_pages(evaluation, options.worst);
    for (what, lines) in left_out(evaluation) {
        let _ = writeln!(text, "\n## Not as it should be: {what}\n");
        for line in lines {
            let _ = writeln!(text, "- {}", markdown_line(&line));
        }
    }
    text
}

const LEGEND: &str = "F1, P, R: bags of words, mean over pages (interval: 95 %, bootstrap). \
LCS F1, Score: longest common subsequence of words, and the CleanEval score from it. \
Block F1, AUC: blocks of all pages that were met and not skipped, weighted by words, averaged over both classes by their share. \
p: Wilcoxon signed-rank test of the pages' F1 against the first row's.";

/// The tables of figures, in Markdown that is also readable on a terminal.
pub fn table(evaluation: &Evaluation, summaries: &[Summary]) -> String {
    let head = [
        "pipeline",
        "F1",
        "95 %",
        "P",
        "R",
        "median F1",
        "cosine",
        "LCS F1",
        "Score",
        "block F1",
        "AUC",
        "empty",
        "faults",
        "p",
    ];
    let rows = summaries.iter().filter(|s| s.group == Group::All).map(|s| {
        let blocks = s.blocks.as_ref();
        vec![
            evaluation.pipelines[s.pipeline].name.clone(),
            mean(s, "f1"),
            figures(s, "f1").map_or(String::new(), |f| {
                format!("{:.4}–{:.4}", f.interval.low, f.interval.high)
            }),
            mean(s, "precision"),
            mean(s, "recall"),
            figure(figures(s, "f1").map(|f| f.median)),
            mean(s, "cosine"),
            mean(s, "lcs_f1"),
            mean(s, "score"),
            figure(blocks.map(|b| b.average.f1)),
            figure(blocks.and_then(|b| b.average.roc_area)),
            s.empty.to_string(),
            s.faults.to_string(),
            s.p_value.map_or(String::new(), p_value),
        ]
    });
    let mut text = grid(&head.map(str::to_owned), &rows.collect::<Vec<_>>());
    let is_set = |s: &&Summary| matches!(s.group, Group::Set(_));
    let is_type = |s: &&Summary| matches!(s.group, Group::Type(_));
    let parts: [(&str, Vec<&Summary>); 2] = [
        ("F1 by set:", summaries.iter().filter(is_set).collect()),
        (
            "F1 by kind of page:",
            summaries.iter().filter(is_type).collect(),
        ),
    ];
    for (title, groups) in parts.iter().filter(|(_, groups)| !groups.is_empty()) {
        let _ = write!(text, "\n{title}\n\n{}", by_group(evaluation, groups));
    }
    text
}

fn by_group(evaluation: &Evaluation, summaries: &[&Summary]) -> String {
    let of = |pipeline| summaries.iter().filter(move |s| s.pipeline == pipeline);
    let mut head = vec!["pipeline".to_owned()];
    head.extend(of(0).map(|s| format!("{} ({})", s.group.name(), s.pages)));
    let rows: Vec<Vec<String>> = (evaluation.pipelines.iter().enumerate())
        .map(|(p, pipeline)| {
            let cells = of(p).map(|s| mean(s, "f1"));
            std::iter::once(pipeline.name.clone())
                .chain(cells)
                .collect()
        })
        .collect();
    grid(&head, &rows)
}

/// The worst pages of each pipeline, each with the command that shows its blocks.
pub fn worst_pages(evaluation: &Evaluation, n: usize) -> String {
    let mut text = String::new();
    let shown = evaluation.pipelines.iter().enumerate().filter(|_| n > 0);
    for (p, pipeline) in shown {
        let name = escaped(&pipeline.name);
        let _ = writeln!(text, "\n## The worst pages of {name}\n");
        for i in worst(evaluation, p, n) {
            let page = &evaluation.pages[i];
            let score = &page.scores[p];
            let _ = write!(
                text,
                "- F1 {:.3}, P {:.3}, R {:.3}, {} words of gold",
                score.bag.f1, score.bag.precision, score.bag.recall, score.gold_words
            );
            let _ = match (&score.fault, inspect_command(evaluation, i, p)) {
                (Some(fault), _) => {
                    writeln!(text, ": {} ({})", escaped(&page.id), escaped(fault))
                }
                (None, Some(command)) => writeln!(text, ": {}", markdown_code(&command)),
                (None, None) => writeln!(text, ": {}", escaped(&page.id)),
            };
        }
    }
    text
}

/// The command that shows a page's blocks under a pipeline; `None` if the page was not found, or if
/// it is an annotated page, whose id is that of the page it was made from.
pub fn inspect_command(evaluation: &Evaluation, page: usize, pipeline: usize) -> Option<String> {
    let row = &evaluation.pages[page];
    let place = row.place.as_ref().filter(|_| !evaluation.annotated)?;
    Some(format!(
        "warcsieve inspect {} --id {} --pipeline {}",
        quoted(&place.input),
        quoted(&row.id),
        quoted(evaluation.pipeline_of(page, pipeline))
    ))
}

/// An argument, quoted for a shell if needed.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

fn figures(summary: &Summary, name: &str) -> Option<Figures> {
    let at = MEASURES.iter().position(|m| m.name == name)?;
    summary.measures[at]
}

fn mean(summary: &Summary, name: &str) -> String {
    figure(figures(summary, name).map(|f| f.mean))
}

fn figure(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |v| format!("{v:.4}"))
}

fn p_value(p: f64) -> String {
    if p < 0.0001 {
        "<.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_survive_the_shell() {
        assert_eq!(quoted("a/b.warc.gz"), "a/b.warc.gz");
        assert_eq!(quoted("it's <x>"), r"'it'\''s <x>'");
        assert_eq!(quoted(""), "''");
    }
}
