//! Writes figures of runs: tables for people, trec_eval's lines and JSON for programs.

use super::{Figure, Measure, Measured, MeasuredRun, Test};
use serde_json::{Map, Value, json as object};
use std::fmt::Write;
use warcsieve_common::{counted, markdown};
use warcsieve_eval::report::grid::grid;

/// A Markdown table: for one run one row per measure; for several one row per run, with marks and a
/// legend.
pub fn table(measured: &Measured) -> String {
    let measures = || measured.options.measures.iter().map(ToString::to_string);
    let cells = |run: &MeasuredRun| -> Vec<String> {
        let figures = measured.options.measures.iter().zip(&run.figures);
        figures
            .map(|(m, f)| number(*m, f.overall) + marks(f))
            .collect()
    };
    if let [run] = &measured.runs[..] {
        let rows: Vec<_> = measures()
            .zip(cells(run))
            .map(|(m, c)| vec![m, c])
            .collect();
        return grid(&["measure".to_owned(), run.name.clone()], &rows);
    }
    let head: Vec<String> = std::iter::once("run".to_owned())
        .chain(measures())
        .collect();
    let row = |run: &MeasuredRun| {
        std::iter::once(run.name.clone())
            .chain(cells(run))
            .collect()
    };
    let rows: Vec<Vec<String>> = measured.runs.iter().map(row).collect();
    grid(&head, &rows) + &legend(measured)
}

fn legend(measured: &Measured) -> String {
    let Some(baseline) = measured.runs.first() else {
        return String::new();
    };
    let test = match measured.options.test {
        Test::Wilcoxon => "Wilcoxon's signed-rank test",
        Test::Randomization => "paired randomization test",
    };
    let of_means = (measured.options.measures.iter()).filter_map(|m| match m {
        Measure::F1OfMeans(k) => Some(format!(" {m} is tested by the F1@{k} of topics.")),
        _ => None,
    });
    format!(
        "\n`*` differs from {}, `†` is better than every other run: {test} over {}, p < {}, \
         not corrected for the number of comparisons.{}\n",
        markdown(&baseline.name),
        counted(measured.topics.len(), "topic", "topics"),
        measured.options.alpha,
        of_means.collect::<String>(),
    )
}

/// The marks of a figure: `*` differs from the first run, `†` better than every other run.
pub fn marks(figure: &Figure) -> &'static str {
    match (figure.comparison.differs, figure.comparison.best) {
        (false, false) => "",
        (true, false) => "*",
        (false, true) => "†",
        (true, true) => "*†",
    }
}

/// Lines of `measure`, tab, topic, tab, value, as printed by trec_eval with `-q`: per topic, and at
/// the end over all topics with the topic `all`.
pub fn per_topic(measured: &Measured, run: &MeasuredRun) -> String {
    let mut text = String::new();
    let figures = || measured.options.measures.iter().zip(&run.figures);
    for (t, topic) in measured.topics.iter().enumerate() {
        for (measure, figure) in figures().filter(|(m, _)| **m != Measure::NumQ) {
            let value = number(*measure, figure.values[t]);
            let _ = writeln!(text, "{measure}\t{topic}\t{value}");
        }
    }
    for (measure, figure) in figures() {
        let value = number(*measure, figure.overall);
        let _ = writeln!(text, "{measure}\tall\t{value}");
    }
    text
}

/// One JSON object with unrounded figures; with `per_topic` also the values of the topics, in the
/// order of `topics`.
pub fn json(measured: &Measured, per_topic: bool) -> String {
    let runs: Vec<Value> = measured
        .runs
        .iter()
        .map(|r| run(measured, r, per_topic))
        .collect();
    let options = &measured.options;
    let text = object!({
        "level": options.level,
        "test": match options.test {
            Test::Wilcoxon => "wilcoxon",
            Test::Randomization => "randomization",
        },
        "alpha": options.alpha,
        "topics": measured.topics,
        "runs": runs,
    });
    text.to_string() + "\n"
}

fn run(measured: &Measured, run: &MeasuredRun, per_topic: bool) -> Value {
    let figures = measured.options.measures.iter().zip(&run.figures);
    let figures = figures.map(|(measure, figure)| {
        let mut object = object!({
            "all": figure.overall,
            "p": figure.comparison.p,
            "differs": figure.comparison.differs,
            "best": figure.comparison.best,
        });
        if per_topic {
            object["topics"] = figure.values.clone().into();
        }
        (measure.to_string(), object)
    });
    object!({
        "name": run.name,
        "without_results": run.without_results,
        "without_judgements": run.without_judgements,
        "measures": figures.collect::<Map<_, _>>(),
    })
}

fn number(measure: Measure, value: f64) -> String {
    if measure.is_count() {
        format!("{value:.0}")
    } else {
        format!("{value:.4}")
    }
}
