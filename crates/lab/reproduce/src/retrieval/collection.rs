//! The experiment on a crawl of your own.

use super::cleaned_crawl::CleanedCrawl;
use super::figure7::Figure7;
use super::published;
use super::runs::{ALL, Columns, Queries, all, figures, published_rows};
use crate::corpora::inputs;
use crate::{Job, Result, page};
use std::path::Path;
use warcsieve_retrieval::measures::{Measure, Test};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::topics;

/// Those of Table 3. The paper computes F1@10 from means.
const COLUMNS: Columns = Columns {
    measures: "P@10 R@10 F1-of-means@10 MAP nDCG",
    gain: "MAP",
    level: 1,
    test: Test::Wilcoxon,
    p: false,
};

pub fn write(job: &Job) -> Result {
    let [topics, qrels] = &job.more[..] else {
        return Err("usage: reproduce collection CRAWL PAGES SCRATCH TOPICS QRELS".into());
    };
    let topics = topics::read(Path::new(topics))?;
    let qrels = Qrels::read(Path::new(qrels))?;
    let crawl = CleanedCrawl {
        inputs: inputs(job.corpora.folder())?,
        scratch: job.scratch("collection")?,
        headlines: None,
        parts: Vec::new(),
    };
    let queries = Queries {
        topics: &topics,
        hits: 1_000,
    };
    let searched = all(job, &crawl, &published_rows()?, &ALL, queries)?;
    let figure = Figure7 {
        queries,
        qrels: &qrels,
        measures: &[Measure::Precision(10), Measure::Ndcg(Some(10))],
    };
    let page = figure.put(
        job,
        page!("collection.md"),
        &crawl,
        "collection/figure-7.svg",
    )?;
    let rows: Vec<_> = searched.iter().collect();
    let page = page
        .put("topics", topics.len())
        .put("judged", qrels.topics.len())
        .put("ours", figures(&rows, &ALL, &qrels, &COLUMNS)?)
        .put("table 3", published::printed()?);
    job.write(&page)
}
