//! Runs the searches for all topics and computes their figures.

use super::published::{RAW, TABLE3};
use super::shelf::{PIPELINE, Shelf};
use crate::Result;
use crate::corpora::shipped;
use crate::old::table;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use warcsieve_retrieval::index::{IndexSettings, IndexedText};
use warcsieve_retrieval::measures::report::marks;
use warcsieve_retrieval::measures::{Measure, Options, measure};
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

/// Index of BM25, which the table of all methods has.
pub const BM25: usize = 3;

/// The name of the default in the tables.
pub const DEFAULT: &str = "`default`";

/// The queries of a search.
#[derive(Clone, Copy)]
pub struct Sought<'a> {
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
    /// One run per ranking method.
    pub runs: Vec<Run>,
}

/// Results for all topics.
pub fn search(index: &SearchIndex, scope: Scope, by: &Method, sought: Sought<'_>) -> Result<Run> {
    let scoped = index.scope(scope)?;
    let answer = |topic: &Topic| {
        Ok((
            topic.id.clone(),
            scoped.hits(&topic.title, by, sought.hits)?,
        ))
    };
    let answers: warcsieve_common::Result<Vec<_>> = sought.topics.par_iter().map(answer).collect();
    Ok(Run {
        tag: "warcsieve".to_owned(),
        topics: answers?,
    })
}

/// A row: its name and its pipeline; raw text has no pipeline.
pub type Row = (String, Option<&'static str>);

/// The rows of the paper's table that we can run, and the default.
pub fn published_rows() -> Vec<Row> {
    let rows = TABLE3
        .iter()
        .filter(|row| row.name == RAW || row.pipeline.is_some());
    let mut rows: Vec<Row> = rows
        .map(|row| (row.name.to_owned(), row.pipeline))
        .collect();
    rows.push((DEFAULT.to_owned(), Some(PIPELINE)));
    rows
}

/// All other built-in pipelines.
pub fn other_rows(published: &[Row]) -> Vec<Row> {
    let is_new = |name: &&str| {
        let there = published
            .iter()
            .any(|(_, pipeline)| *pipeline == Some(name));
        !there && !matches!(*name, "default" | "keep-all")
    };
    let names = shipped().map(|pipeline| pipeline.name).filter(is_new);
    names
        .map(|name| (format!("`{name}`"), Some(name)))
        .collect()
}

/// Searches every row's index by some of [`METHODS`].
pub fn all(
    shelf: &Shelf<'_>,
    rows: &[Row],
    methods: &[usize],
    sought: Sought<'_>,
    say: impl Fn(&str),
) -> Result<Vec<Searched>> {
    let mut searched = Vec::new();
    for (name, pipeline) in rows {
        let settings = IndexSettings {
            text: match pipeline {
                None => IndexedText::Raw,
                Some(_) => IndexedText::Clean,
            },
            ..IndexSettings::default()
        };
        let shards = shelf.shards(pipeline.unwrap_or(PIPELINE))?;
        let index = shelf.index(pipeline.unwrap_or("raw"), &shards, &settings)?;
        let runs: Result<Vec<_>> = methods
            .iter()
            .map(|&m| search(&index, Scope::Body, &METHODS[m].1, sought))
            .collect();
        searched.push(Searched {
            name: name.clone(),
            terms: index.scope(Scope::Body)?.collection().terms,
            runs: runs?,
        });
        say(name);
    }
    Ok(searched)
}

/// A table in the format of the paper: for each ranking method all rows, with marks that compare
/// the rows of one method. The last column compares the mean of the measure `gain` with that of the
/// raw text, the first row.
pub fn figures(
    searched: &[&Searched],
    methods: &[usize],
    qrels: &Qrels,
    measures: &[Measure],
    gain: usize,
) -> String {
    let options = Options {
        measures: measures.to_vec(),
        ..Options::default()
    };
    let mut lines = Vec::new();
    for (run, &method) in methods.iter().enumerate() {
        let runs: Vec<_> = searched
            .iter()
            .map(|s| (s.name.as_str(), &s.runs[run]))
            .collect();
        let measured = measure(&runs, qrels, &options);
        let raw = measured.runs[0].figures[gain].overall;
        for (row, run) in searched.iter().zip(&measured.runs) {
            let mut line = vec![METHODS[method].0.to_owned(), run.name.clone()];
            line.push(format!("{:.2}", row.terms as f64 / 1e6));
            for figure in &run.figures {
                line.push(format!("{:.3}{}", figure.overall, marks(figure)));
            }
            let gained = 100.0 * (run.figures[gain].overall / raw - 1.0);
            line.push(if run.name == RAW {
                String::new()
            } else {
                format!("{gained:+.1} %")
            });
            lines.push(line);
        }
    }
    let mut head = vec![
        "Ret. model".to_owned(),
        "Method".to_owned(),
        "M terms".to_owned(),
    ];
    head.extend(measures.iter().map(Measure::to_string));
    head.push(format!("{} against raw", measures[gain]));
    table(&head, &lines)
}
