//! The experiment on the corpora: known items.

use super::cleaned_crawl::PIPELINE;
use super::figure7::Figure7;
use super::headlines::MIN_TERMS;
use super::items::{Items, Part};
use super::published;
use super::runs::{
    ALL, BM25, Columns, DEFAULT, METHODS, Searched, all, chance, figures, other_rows,
    published_rows, shown, values,
};
use super::weights::Soft;
use crate::scores::better_and_worse;
use crate::{Job, Result, page, row, table};
use warcsieve_retrieval::measures::{Measure, Test};

const COLUMNS: Columns = Columns {
    measures: "MRR success@1 success@10 nDCG@10",
    gain: "MRR",
    level: 1,
    test: Test::Wilcoxon,
    p: false,
};
/// The row of weighted text.
const SOFT: &str = "all text, weighted";

pub fn write(job: &Job) -> Result {
    let items = Items::of(job)?;
    let parts = items.parts();
    let [(_, both), (_, wcxb), (_, l3s)] = &parts;
    let crawl = items.crawl(job)?;
    let queries = items.queries();
    let rows = published_rows()?;
    let mut searched = all(job, &crawl, &rows, &ALL, queries)?;
    let soft = Soft::of_items(&crawl, &items, &crawl.shards(PIPELINE)?)?;
    searched.push(soft.held_out(SOFT, queries)?);
    job.say(SOFT);
    let others = all(job, &crawl, &other_rows(&rows), &[BM25], queries)?;
    let figure = Figure7 {
        queries,
        qrels: both,
        measures: &[Measure::Success(10), Measure::Ndcg(Some(10))],
    };
    let page = figure.put(job, page!("retrieval.md"), &crawl, "retrieval/figure-7.svg")?;
    let pages: u64 = crawl.shards(PIPELINE)?.iter().map(|s| s.pages()).sum();
    let every: Vec<_> = searched.iter().chain(&others).collect();
    let rows: Vec<_> = searched.iter().collect();
    let of_all = |qrels| figures(&rows, &ALL, qrels, &COLUMNS);
    let of_every = |qrels| figures(&every, &[BM25], qrels, &COLUMNS);
    let page = page
        .put("pages", pages)
        .put("first", wcxb.topics.len())
        .put("second", l3s.topics.len())
        .put("left out", items.headlines.left_out)
        .put("least", MIN_TERMS)
        .put("default", tests(&searched, &parts)?)
        .put("default by type", tests(&searched, &items.by_type())?)
        .put("all", of_all(both)?)
        .put("wcxb", of_all(wcxb)?)
        .put("l3s", of_all(l3s)?)
        .put("every on wcxb", of_every(wcxb)?)
        .put("every on l3s", of_every(l3s)?)
        .put("table 3", published::printed()?);
    job.write(&page)
}

/// The default compared with raw text, topic by topic.
fn tests(searched: &[Searched], parts: &[Part]) -> Result<String> {
    let cleaned = searched.iter().find(|s| s.name == DEFAULT);
    let (Some(raw), Some(cleaned)) = (searched.first(), cleaned) else {
        return Err("no raw text, or no default".into());
    };
    let mut rows = Vec::new();
    for (part, qrels) in parts {
        for (m, (method, _)) in METHODS.iter().enumerate() {
            let [before, after] =
                [raw, cleaned].map(|of| values(&of.runs[&m], qrels, Measure::Mrr));
            let (better, worse) = better_and_worse(&after, &before);
            let (raw, cleaned) = (shown(&before), shown(&after));
            let name = format!("{part}, {method} | {raw} | {cleaned} | {better} | {worse}");
            rows.push(row(name, chance(&after, &before)));
        }
    }
    let head = "topics | MRR raw | MRR cleaned | better | worse | p (Wilcoxon) | p (randomization)";
    Ok(table(head, rows))
}
