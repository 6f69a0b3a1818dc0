//! Weighted text: the weights of bands of score, chosen on some topics and measured on others.

use super::cleaned_crawl::CleanedCrawl;
use super::items::Items;
use super::runs::{ALL, BM25, LIKELIHOOD, METHODS, Queries, Searched, search, searched};
use crate::{Result, row};
use std::collections::{BTreeSet, HashMap};
use warcsieve_eval::domain::registered_domain;
use warcsieve_retrieval::index::{Bands, IndexSettings, IndexedText};
use warcsieve_retrieval::measures::Measure;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::search::{Method, Model, Scope, SearchIndex, Weights};
use warcsieve_retrieval::shards::{Pages, Parts, Shard, ShardPage};
use warcsieve_retrieval::topics::Topic;
use warcsieve_retrieval::tune::{Fold, Tuned, Tuning};

/// Text in bands of score, with weights of these bands for each topic that were not chosen on it.
pub struct Soft<'t> {
    pub bands: SearchIndex,
    fold: HashMap<&'t str, usize>,
    of_likelihood: Tuned,
    of_bm25: Tuned,
}

/// The settings of an index with bands.
pub fn banded() -> IndexSettings {
    IndexSettings {
        text: IndexedText::Raw,
        bands: Bands::usual(),
        ..IndexSettings::default()
    }
}

/// Learns weights for query likelihood and for BM25. Feedback takes a hundred times as long.
pub fn learn(tuning: &Tuning<'_>, folds: usize, fold: &HashMap<&str, usize>) -> Result<[Tuned; 2]> {
    let of = |number: usize| -> Result<Tuned> {
        let method = METHODS[number].1;
        let tuning = Tuning { method, ..*tuning };
        Ok(tuning.learn(folds, |topic| fold[topic])?)
    };
    Ok([of(LIKELIHOOD)?, of(BM25)?])
}

impl<'t> Soft<'t> {
    /// Weights that were learned on topics in folds, used in an index.
    pub fn new(
        bands: SearchIndex,
        fold: HashMap<&'t str, usize>,
        [of_likelihood, of_bm25]: [Tuned; 2],
    ) -> Self {
        Self {
            bands,
            fold,
            of_likelihood,
            of_bm25,
        }
    }

    /// Indexes known items, and learns the weights on halves of them.
    pub fn of_items(crawl: &CleanedCrawl<'_>, items: &'t Items, shards: &[Shard]) -> Result<Self> {
        let fold = halves(shards, items)?;
        let bands = crawl.index("bands", shards, &banded())?;
        let tuning = Tuning {
            index: &bands,
            topics: &items.topics,
            qrels: &items.qrels(|_| true),
            method: METHODS[LIKELIHOOD].1,
            measure: Measure::Mrr,
            hits: items.queries().hits,
            // Titles are the queries.
            title: false,
        };
        let tuned = learn(&tuning, 2, &fold)?;
        Ok(Self::new(bands, fold, tuned))
    }

    /// The results with each topic using the weights that were chosen without it.
    pub fn run(&self, method: &Method, queries: Queries<'_>) -> Result<Run> {
        let folds = self.tuned(method).folds.iter();
        let search = |fold: &Fold| {
            let scope = Scope::Weighted(fold.weights.clone());
            search(&self.bands, scope, method, queries)
        };
        let runs: Vec<Run> = folds.map(search).collect::<Result<_>>()?;
        let topics = queries.topics.iter().enumerate();
        let own =
            |(at, topic): (usize, &Topic)| runs[self.fold[topic.id.as_str()]].topics[at].clone();
        Ok(Run {
            tag: "soft".to_owned(),
            topics: topics.map(own).collect(),
        })
    }

    /// What was learned for a method. Feedback uses the weights of its first search.
    pub fn tuned(&self, method: &Method) -> &Tuned {
        match method.model {
            Model::Bm25 { .. } => &self.of_bm25,
            _ => &self.of_likelihood,
        }
    }

    /// A row of the tables of searches: each topic with the weights that were chosen without it.
    pub fn held_out(&self, name: &str, queries: Queries<'_>) -> Result<Searched> {
        let methods = METHODS.iter().enumerate();
        let runs = methods.map(|(m, (_, method))| Ok((m, self.run(method, queries)?)));
        Ok(Searched {
            name: name.to_owned(),
            terms: self.bands.scope(Scope::Body)?.collection().terms,
            runs: runs.collect::<Result<_>>()?,
        })
    }

    /// A row of the tables of searches: all topics with the weights that ship.
    pub fn preset(&self, name: &str, queries: Queries<'_>) -> Result<Searched> {
        let scope = |method: &Method| Scope::Weighted(Weights::soft(method.model));
        searched(name, &self.bands, scope, &ALL, queries)
    }

    /// The rows of the table of weights. `chosen_on` names the topics of each fold's weights.
    pub fn rows(&self, chosen_on: &[&str]) -> Vec<String> {
        let mut rows = Vec::new();
        for number in [LIKELIHOOD, BM25] {
            let (method, by) = METHODS[number];
            for (fold, chosen_on) in self.tuned(&by).folds.iter().zip(chosen_on) {
                let figures = [fold.unweighted, fold.held_out].map(|mean| format!("{mean:.4}"));
                let name = format!("{method} | {chosen_on} | {}", fold.topics);
                rows.push(format!("{} | `{}`", row(name, figures), fold.weights));
            }
        }
        rows
    }
}

/// The half of each topic, by its page's registered domain. Domains are assigned in turn, in the order of their names.
fn halves<'t>(shards: &[Shard], items: &'t Items) -> Result<HashMap<&'t str, usize>> {
    let mut domain_of = HashMap::new();
    for shard in shards {
        let mut pages = Pages::open(shard, Parts::default())?;
        let mut page = ShardPage::default();
        while pages.read_page(&mut page)? {
            let domain = registered_domain(&page.url);
            if !domain.is_empty() {
                domain_of.insert(page.id.clone(), domain);
            }
        }
    }
    let of = |id: &str| domain_of.get(id).map_or(id, String::as_str).to_owned();
    let domains: BTreeSet<String> = items.topics.iter().map(|topic| of(&topic.id)).collect();
    let numbers: HashMap<String, usize> = domains.into_iter().zip(0..).collect();
    let topics = items.topics.iter().map(|topic| topic.id.as_str());
    Ok(topics.map(|id| (id, numbers[&of(id)] % 2)).collect())
}
