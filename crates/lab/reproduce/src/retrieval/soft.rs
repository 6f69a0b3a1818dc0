//! Measures whether cleaning harms search: raw, cleaned and weighted text of known items.

use super::cleaned_crawl::PIPELINE;
use super::items::{Items, Part};
use super::runs::{BM25, METHODS, Queries, chance, search, shown, values};
use super::weights::Soft;
use crate::{Job, Page, Result, page, row, table};
use std::time::Instant;
use warcsieve_eval::stats::mean;
use warcsieve_retrieval::index::IndexSettings;
use warcsieve_retrieval::measures::{Measure, Test};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::search::{Scope, SearchIndex, Weights};

/// A difference is mentioned if the probability that it is random is below this.
const SIGNIFICANT: f64 = 0.05;

/// How often each search is timed.
const ROUNDS: usize = 5;

/// The searches with a ranking method, in raw, cleaned and weighted text. Each topic uses the weights that were chosen
/// on the other half.
struct Runs {
    method: &'static str,
    texts: [Run; 3],
}

impl Runs {
    /// The reciprocal ranks of some topics.
    fn ranks(&self, qrels: &Qrels) -> [Vec<f64>; 3] {
        self.texts
            .each_ref()
            .map(|run| values(run, qrels, Measure::Mrr))
    }
}

pub fn write(job: &Job) -> Result {
    let items = Items::of(job)?;
    let (crawl, queries) = (items.crawl(job)?, items.queries());
    let shards = crawl.shards(PIPELINE)?;
    let cleaned = crawl.index(PIPELINE, &shards, &IndexSettings::default())?;
    let soft = Soft::of_items(&crawl, &items, &shards)?;
    job.say("weights");
    let mut all = Vec::new();
    for (name, method) in METHODS {
        let clean = search(&cleaned, Scope::Body, &method, queries)?;
        let raw = search(&soft.bands, Scope::Body, &method, queries)?;
        all.push(Runs {
            method: name,
            texts: [raw, clean, soft.run(&method, queries)?],
        });
        job.say(name);
    }
    let types = items.by_type();
    let head = "model | chosen on | topics | all weights 1 | MRR on the other half | weights";
    let page = page!("soft.md")
        .put("topics", items.topics.len())
        .put("sets", compared(&all, &items.parts()))
        .put("types", compared(&all, &types))
        .put("behind", significantly_worse(&all, &types))
        .put(
            "weights",
            table(head, soft.rows(&["second half", "first half"])),
        );
    let weights = &soft.tuned(&METHODS[BM25].1).folds[0].weights;
    job.write(&times(page, &soft.bands, weights, queries)?)
}

/// The parts of the topics for which weighted text has significantly worse results than raw text.
fn significantly_worse(all: &[Runs], parts: &[Part]) -> String {
    let mut found = Vec::new();
    for (part, qrels) in parts {
        let is_behind = |runs: &&Runs| {
            let [raw, _, soft] = runs.ranks(qrels);
            let p = Test::Randomization.p(&soft, &raw);
            mean(&soft) < mean(&raw) && p.is_some_and(|p| p < SIGNIFICANT)
        };
        let methods = all.iter().filter(is_behind).map(|runs| runs.method);
        let methods: Vec<_> = methods.collect();
        if !methods.is_empty() {
            found.push(format!("{part} by {}", methods.join(", ")));
        }
    }
    let worse = format!("worse than raw text (randomization, p < {SIGNIFICANT})");
    match found.is_empty() {
        true => format!("On no type of page is soft text {worse}."),
        false => format!("Soft text is {worse} for: {}.", found.join("; ")),
    }
}

/// One row for each part of the topics and each method.
fn compared(all: &[Runs], parts: &[Part]) -> String {
    let mut lines = Vec::new();
    for (part, qrels) in parts {
        for runs in all {
            let [raw, cleaned, soft] = runs.ranks(qrels);
            let name = format!("{part}, {} | {}", runs.method, soft.len());
            let tests = [chance(&soft, &raw), chance(&soft, &cleaned)];
            let [raw, cleaned, soft] = [raw, cleaned, soft].map(|ranks| shown(&ranks));
            let name = format!("{name} | {raw} | {cleaned} | **{soft}**");
            lines.push(row(name, tests.as_flattened()));
        }
    }
    let head = "topics | number | MRR raw | MRR cleaned | MRR soft | against raw: p (Wilcoxon) | p (randomization) | against cleaned: p (Wilcoxon) | p (randomization)";
    table(head, lines)
}

/// Milliseconds per query in raw and weighted text; the minimum of several rounds.
fn times(page: Page, bands: &SearchIndex, weights: &Weights, queries: Queries<'_>) -> Result<Page> {
    let raw = bands.scope(Scope::Body)?;
    let soft = bands.scope(Scope::Weighted(weights.clone()))?;
    let mut least = [f64::MAX; 2];
    for _ in 0..ROUNDS {
        for (least, scoped) in least.iter_mut().zip([&raw, &soft]) {
            let start = Instant::now();
            for topic in queries.topics {
                scoped.hits(&topic.title, &METHODS[BM25].1, queries.hits)?;
            }
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let [raw, soft] = least.map(|seconds| 1e3 * seconds / queries.topics.len() as f64);
    Ok(page
        .put("raw time", format!("{raw:.2}"))
        .put("soft time", format!("{soft:.2}"))
        .put("times as long", format!("{:.2}", soft / raw))
        .put("rounds", ROUNDS))
}
