//! Weighted text: the weights of bands of score, chosen on one half of the topics and measured on the other.

use super::cleaned_crawl::CleanedCrawl;
use super::items::Items;
use super::runs::{BM25, LIKELIHOOD, METHODS, Queries, Searched, search};
use crate::{Result, row};
use std::collections::{BTreeSet, HashMap};
use warcsieve_eval::domain::registered_domain;
use warcsieve_retrieval::index::{Bands, IndexSettings, IndexedText};
use warcsieve_retrieval::measures::Measure;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::search::{Method, Model, Scope, SearchIndex, Weights};
use warcsieve_retrieval::shards::{Pages, Parts, Shard, ShardPage};
use warcsieve_retrieval::topics::Topic;
use warcsieve_retrieval::tune::{Fold, Tuning};

/// Text in bands of score, with weights of these bands that were chosen on one half of the topics.
pub struct Soft<'i> {
    pub bands: SearchIndex,
    half: HashMap<&'i str, usize>,
    pub of_bm25: Vec<Weights>,
    pub of_likelihood: Vec<Weights>,
    /// The rows of the table of weights.
    pub learned: Vec<String>,
}

impl<'i> Soft<'i> {
    /// Indexes and chooses the weights.
    pub fn learn(crawl: &CleanedCrawl<'_>, items: &'i Items, shards: &[Shard]) -> Result<Self> {
        let half = halves(shards, items)?;
        let settings = IndexSettings {
            text: IndexedText::Raw,
            bands: Bands::usual(),
            ..IndexSettings::default()
        };
        let bands = crawl.index("bands", shards, &settings)?;
        let (qrels, hits) = (items.qrels(|_| true), items.queries().hits);
        let mut learned = Vec::new();
        // Feedback takes a hundred times as long.
        let mut choose = |number: usize| -> Result<Vec<Weights>> {
            let (name, method) = METHODS[number];
            let tuning = Tuning {
                index: &bands,
                topics: &items.topics,
                qrels: &qrels,
                method,
                measure: Measure::Mrr,
                hits,
                // Titles are the queries.
                title: false,
            };
            let tuned = tuning.learn(2, |topic| half[topic])?;
            let halves = tuned.folds.iter().zip(["second", "first"]);
            learned.extend(halves.map(|(fold, other)| line(name, other, fold)));
            Ok(tuned.folds.into_iter().map(|fold| fold.weights).collect())
        };
        let (of_likelihood, of_bm25) = (choose(LIKELIHOOD)?, choose(BM25)?);
        Ok(Self {
            bands,
            half,
            of_bm25,
            of_likelihood,
            learned,
        })
    }

    /// The results with each topic using the weights that were chosen on the other half.
    pub fn held_out(&self, method: &Method, queries: Queries<'_>) -> Result<Run> {
        let weights = self.weights(method).iter();
        let search =
            |by: &Weights| search(&self.bands, Scope::Weighted(by.clone()), method, queries);
        let runs: Vec<Run> = weights.map(search).collect::<Result<_>>()?;
        let topics = queries.topics.iter().enumerate();
        let own =
            |(at, topic): (usize, &Topic)| runs[self.half[topic.id.as_str()]].topics[at].clone();
        Ok(Run {
            tag: "soft".to_owned(),
            topics: topics.map(own).collect(),
        })
    }

    /// The weights of a method that were chosen without each half. Feedback uses those of its first search.
    fn weights(&self, method: &Method) -> &[Weights] {
        match method.model {
            Model::Bm25 { .. } => &self.of_bm25,
            _ => &self.of_likelihood,
        }
    }

    /// A row of the tables of searches, by all methods.
    pub fn row(&self, name: &str, queries: Queries<'_>) -> Result<Searched> {
        let methods = METHODS.iter().enumerate();
        let runs = methods.map(|(m, (_, method))| Ok((m, self.held_out(method, queries)?)));
        Ok(Searched {
            name: name.to_owned(),
            terms: self.bands.scope(Scope::Body)?.collection().terms,
            runs: runs.collect::<Result<_>>()?,
        })
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

/// One row per half.
fn line(method: &str, chosen_on: &str, fold: &Fold) -> String {
    let figures = [fold.unweighted, fold.held_out].map(|mrr| format!("{mrr:.4}"));
    let name = format!("{method} | {chosen_on} half | {}", fold.topics);
    format!("{} | `{}`", row(name, figures), fold.weights)
}
