//! Runs the searches for all topics and computes their figures.

use super::cleaned_crawl::{CleanedCrawl, PIPELINE};
use super::published::{self, RAW};
use crate::corpora::shipped;
use crate::{Job, Result, row, table};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeMap;
use warcsieve_eval::stats::mean;
use warcsieve_retrieval::index::{IndexSettings, IndexedText};
use warcsieve_retrieval::measures::report::marks;
use warcsieve_retrieval::measures::{Measure, Measured, Options, Test, measure};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::search::{Feedback, Method, Model, Scope, SearchIndex};
use warcsieve_retrieval::topics::Topic;

/// Ranking methods, with their names in the tables.
pub const METHODS: [(&str, Method); 4] = [
    ("QL", of(Model::QUERY_LIKELIHOOD, None)),
    ("RM1", of(Model::QUERY_LIKELIHOOD, Some(RM1))),
    ("RM3", of(Model::QUERY_LIKELIHOOD, Some(Feedback::DEFAULT))),
    ("BM25", of(Model::BM25, None)),
];

/// All of them, by index.
pub const ALL: [usize; METHODS.len()] = [0, 1, 2, 3];

/// The relevance model of Lavrenko and Croft: RM3 without the query.
const RM1: Feedback = Feedback {
    original: 0.0,
    ..Feedback::DEFAULT
};

/// The ranking of Figure 7: the paper's engine is Lucene of 2010.
pub const TF_IDF: Method = of(Model::TfIdf, None);

const fn of(model: Model, feedback: Option<Feedback>) -> Method {
    Method { model, feedback }
}

/// Index of query likelihood.
pub const LIKELIHOOD: usize = 0;

/// Index of BM25, which the table of all methods uses.
pub const BM25: usize = 3;

/// The name of the default in the tables.
pub const DEFAULT: &str = "`default`";

/// The queries of a search.
#[derive(Clone, Copy)]
pub struct Queries<'a> {
    /// The topics, whose titles are the queries.
    pub topics: &'a [Topic],
    /// Number of results per topic.
    pub hits: usize,
}

/// The searched part of pages, and the resulting runs.
pub struct Searched {
    pub name: String,
    /// Number of terms in the index.
    pub terms: u64,
    /// By ranking method.
    pub runs: BTreeMap<usize, Run>,
}

/// Results for all topics.
pub fn search(index: &SearchIndex, scope: Scope, by: &Method, queries: Queries<'_>) -> Result<Run> {
    let scoped = index.scope(scope)?;
    let answer = |topic: &Topic| {
        let hits = scoped.hits(&topic.title, by, queries.hits)?;
        Ok((topic.id.clone(), hits))
    };
    let answers: warcsieve_common::Result<Vec<_>> = queries.topics.par_iter().map(answer).collect();
    Ok(Run {
        tag: "warcsieve".to_owned(),
        topics: answers?,
    })
}

/// A row: its name and its pipeline; raw text has no pipeline.
pub type Row = (String, Option<&'static str>);

/// The rows of the paper's table that we can run, and the default.
pub fn published_rows() -> Result<Vec<Row>> {
    let mut rows = published::methods()?;
    rows.push((DEFAULT.to_owned(), Some(PIPELINE)));
    Ok(rows)
}

/// All other built-in pipelines.
pub fn other_rows(published: &[Row]) -> Vec<Row> {
    let is_new = |name: &&str| {
        let mut rows = published.iter();
        let there = rows.any(|(_, pipeline)| *pipeline == Some(name));
        !there && !matches!(*name, "default" | "keep-all")
    };
    let names = shipped().map(|pipeline| pipeline.name).filter(is_new);
    let row = |name| (format!("`{name}`"), Some(name));
    names.map(row).collect()
}

/// Searches an index with some of [`METHODS`], each in its scope.
pub fn searched(
    name: &str,
    index: &SearchIndex,
    scope: impl Fn(&Method) -> Scope,
    methods: &[usize],
    queries: Queries<'_>,
) -> Result<Searched> {
    let run = |&m: &usize| {
        let method = &METHODS[m].1;
        Ok((m, search(index, scope(method), method, queries)?))
    };
    Ok(Searched {
        name: name.to_owned(),
        terms: index.scope(Scope::Body)?.collection().terms,
        runs: methods.iter().map(run).collect::<Result<_>>()?,
    })
}

/// Searches every row's index with some of [`METHODS`].
pub fn all(
    job: &Job,
    crawl: &CleanedCrawl<'_>,
    rows: &[Row],
    methods: &[usize],
    queries: Queries<'_>,
) -> Result<Vec<Searched>> {
    let mut found = Vec::new();
    for (name, pipeline) in rows {
        let settings = IndexSettings {
            text: match pipeline {
                None => IndexedText::Raw,
                Some(_) => IndexedText::Clean,
            },
            ..IndexSettings::default()
        };
        let shards = crawl.shards(pipeline.unwrap_or(PIPELINE))?;
        let index = crawl.index(pipeline.unwrap_or("raw"), &shards, &settings)?;
        found.push(searched(name, &index, |_| Scope::Body, methods, queries)?);
        job.say(name);
    }
    Ok(found)
}

/// The columns of a table in the format of the paper.
pub struct Columns {
    /// The measures, with spaces between them.
    pub measures: &'static str,
    /// The measure whose mean is compared with that of raw text.
    pub gain: &'static str,
    /// The lowest grade of a relevant page.
    pub level: i32,
    /// The test behind the marks.
    pub test: Test,
    /// Whether the p-value of the comparison has a column.
    pub p: bool,
}

/// A table in the format of the paper: for each ranking method all rows, with marks that compare
/// the rows of one method, and a column that compares them with raw text, the first row.
pub fn figures(
    searched: &[&Searched],
    methods: &[usize],
    qrels: &Qrels,
    columns: &Columns,
) -> Result<String> {
    let (names, gain) = (columns.measures, columns.gain);
    let at = names.split(' ').position(|measure| measure == gain);
    let at = at.ok_or_else(|| format!("{gain} is not measured"))?;
    let measures = names.split(' ').map(|measure| Ok(measure.parse()?));
    let options = Options {
        measures: measures.collect::<Result<Vec<Measure>>>()?,
        level: columns.level,
        test: columns.test,
        ..Options::default()
    };
    let mut lines = Vec::new();
    for method in methods {
        let runs = searched.iter().map(|s| (s.name.as_str(), &s.runs[method]));
        let measured = measure(&runs.collect::<Vec<_>>(), qrels, &options);
        let raw = measured.runs[0].figures[at].overall;
        for (searched, run) in searched.iter().zip(&measured.runs) {
            let (method, terms) = (METHODS[*method].0, searched.terms as f64 / 1e6);
            let figures = run.figures.iter();
            let figures = figures.map(|figure| format!("{:.3}{}", figure.overall, marks(figure)));
            let name = format!("{method} | {} | {terms:.2}", run.name);
            let mut line = row(name, figures) + " | ";
            if run.name != RAW {
                line += &gained(run.figures[at].overall, raw);
            }
            if columns.p {
                line += " | ";
                line += &shown_p(run.figures[at].comparison.p);
            }
            lines.push(line);
        }
    }
    let head = row("Ret. model | Method | M terms", &options.measures);
    let p = if columns.p { " | p" } else { "" };
    Ok(table(&format!("{head} | {gain} against raw{p}"), lines))
}

/// How much higher a mean is.
pub fn gained(mean: f64, than: f64) -> String {
    format!("{:+.1} %", 100.0 * (mean / than - 1.0))
}

/// A probability; empty if there is none.
pub fn shown_p(p: Option<f64>) -> String {
    p.map_or(String::new(), |p| format!("{p:.1e}"))
}

/// Measures runs.
pub fn measured(runs: &[(&str, &Run)], qrels: &Qrels, measures: &[Measure]) -> Measured {
    let options = Options {
        measures: measures.to_vec(),
        ..Options::default()
    };
    measure(runs, qrels, &options)
}

/// The measure of each topic.
pub fn values(run: &Run, qrels: &Qrels, measure: Measure) -> Vec<f64> {
    let mut measured = measured(&[("", run)], qrels, &[measure]);
    measured.runs.swap_remove(0).figures.swap_remove(0).values
}

/// Their mean.
pub fn shown(ranks: &[f64]) -> String {
    format!("{:.4}", mean(ranks).unwrap_or(0.0))
}

/// The probability that a difference of the means at least as large is random, with Wilcoxon's test and with
/// randomization.
pub fn chance(ranks: &[f64], others: &[f64]) -> [String; 2] {
    [Test::Wilcoxon, Test::Randomization].map(|test| shown_p(test.p(ranks, others)))
}
