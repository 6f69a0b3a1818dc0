//! Measures runs against the same judgements.

use super::compare::{Test, compare};
use super::figure::{Comparison, Figure};
use super::name::{DEFAULT, Measure};
use super::ranking::{Ranking, harmonic_mean};
use crate::qrels::Qrels;
use crate::run::{Hit, Run};
use std::collections::{HashMap, HashSet};
use warcsieve_common::with_defaults;
use warcsieve_eval::stats::mean;

with_defaults! {
    /// What to measure, and how to compare.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Options {
        /// The measures; [`DEFAULT`] by default.
        pub measures: Vec<Measure> = DEFAULT.to_vec(),
        /// The lowest grade of a relevant document; 1 by default, and at least 1.
        pub level: i32 = 1,
        /// The significance test; Wilcoxon's by default.
        pub test: Test = Test::default(),
        /// Significance level; 0.05 by default.
        pub alpha: f64 = 0.05,
    }
}

/// Figures of runs over the same topics.
///
/// Memory: eight bytes per run, measure and topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What was measured, and how.
    pub options: Options,
    /// The judged topics, in the order of the judgements.
    pub topics: Vec<String>,
    /// The runs in the order given; the first is the baseline.
    pub runs: Vec<MeasuredRun>,
}

/// Figures of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredRun {
    /// Its name.
    pub name: String,
    /// One figure per measure, in the order of the options.
    pub figures: Vec<Figure>,
    /// Judged topics without results; they count as 0.
    pub without_results: Vec<String>,
    /// Topics of the run without judgements; they do not count.
    pub without_judgements: Vec<String>,
}

/// Measures named runs against judgements, and compares them.
///
/// Memory: the figures, plus eight bytes per result of one run.
pub fn measure(runs: &[(&str, &Run)], qrels: &Qrels, options: &Options) -> Measured {
    let mut measured: Vec<_> = (runs.iter())
        .map(|&(name, run)| measure_run(name, run, qrels, options))
        .collect();
    for (m, measure) in options.measures.iter().enumerate() {
        if measure.is_count() {
            continue;
        }
        let figures: Vec<&Figure> = measured.iter().map(|r| &r.figures[m]).collect();
        let comparisons = compare(&figures, options.test, options.alpha);
        for (run, comparison) in measured.iter_mut().zip(comparisons) {
            run.figures[m].comparison = comparison;
        }
    }
    Measured {
        options: options.clone(),
        topics: qrels.topics.iter().map(|(t, _)| t.clone()).collect(),
        runs: measured,
    }
}

fn measure_run(name: &str, run: &Run, qrels: &Qrels, options: &Options) -> MeasuredRun {
    let results: HashMap<&str, &[Hit]> = run.topics.iter().map(|(t, h)| (&**t, &**h)).collect();
    let hits = |topic: &str| results.get(topic).copied().unwrap_or_default();
    let topics = qrels.topics.iter();
    let rankings: Vec<Ranking> = (topics.clone())
        .map(|(topic, grades)| Ranking::new(hits(topic), grades, options.level))
        .collect();
    let judged: HashSet<&str> = topics.clone().map(|(t, _)| &**t).collect();
    let unjudged = run.topics.iter().filter(|(t, _)| !judged.contains(&**t));
    let empty = topics.filter(|(t, _)| hits(t).is_empty());
    MeasuredRun {
        name: name.to_owned(),
        figures: (options.measures.iter())
            .map(|&measure| figure(measure, &rankings))
            .collect(),
        without_results: empty.map(|(t, _)| t.clone()).collect(),
        without_judgements: unjudged.map(|(t, _)| t.clone()).collect(),
    }
}

fn figure(measure: Measure, rankings: &[Ranking]) -> Figure {
    let values = |measure| {
        rankings
            .iter()
            .map(|r| r.value(measure))
            .collect::<Vec<_>>()
    };
    let mean_of = |measure| mean(&values(measure)).unwrap_or(0.0);
    let overall = match measure {
        Measure::F1OfMeans(k) => {
            harmonic_mean(mean_of(Measure::Precision(k)), mean_of(Measure::Recall(k)))
        }
        count if count.is_count() => values(count).iter().sum(),
        other => mean_of(other),
    };
    Figure {
        values: values(measure),
        overall,
        comparison: Comparison::default(),
    }
}
