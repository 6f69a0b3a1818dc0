//! The known items of the corpora, and the crawl in which they are searched.

use super::cleaned_crawl::CleanedCrawl;
use super::headlines::{Headlines, annotated_headlines, gold_titles};
use super::held_out;
use super::runs::Queries;
use crate::corpora::TYPES;
use crate::{Job, Result};
use std::collections::HashMap;
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::topics::Topic;

/// Sets with known headlines; the sets in `OTHERS` are only distractors.
const SEARCHED_SETS: [&str; 2] = ["wcxb-dev", "l3s-gn1"];
const OTHERS: &str = "dragnet-a readability cleaneval-train cleaneval-test cleanportaleval";

/// A part of the topics: a name, and their judgements.
pub type Part = (&'static str, Qrels);

/// Pages to be found by their headlines.
pub struct Items {
    pub headlines: Headlines,
    pub topics: Vec<Topic>,
    /// Types of the pages of the first set, by id.
    types: HashMap<String, String>,
}

impl Items {
    /// The items of the corpora.
    pub fn of(job: &Job) -> Result<Self> {
        let titles = gold_titles(&job.corpora, SEARCHED_SETS[0])?;
        let types = titles.iter().map(|t| (t.id.clone(), t.page_type.clone()));
        let types = types.collect();
        let named = titles.into_iter();
        let mut named: Vec<_> = named.map(|t| (t.id, t.title.unwrap_or_default())).collect();
        named.extend(annotated_headlines(&job.corpora, SEARCHED_SETS[1])?);
        let headlines = Headlines::new(named);
        let topic = |(id, text): (&String, &String)| Topic {
            id: id.clone(),
            title: text.clone(),
            ..Topic::default()
        };
        Ok(Self {
            topics: headlines.texts.iter().map(topic).collect(),
            headlines,
            types,
        })
    }

    /// The judgements of some of the topics.
    pub fn qrels(&self, is_selected: impl Fn(&str) -> bool) -> Qrels {
        let selected = self.topics.iter().map(|topic| topic.id.clone());
        let selected = selected.filter(|id| is_selected(id));
        let judged = selected.map(|id| (id.clone(), HashMap::from([(id, 1)])));
        Qrels {
            topics: judged.collect(),
        }
    }

    /// All topics, and the topics of each of [`SEARCHED_SETS`].
    pub fn parts(&self) -> [Part; 3] {
        let of = |first| self.qrels(|id| self.types.contains_key(id) == first);
        [
            ("all", self.qrels(|_| true)),
            (SEARCHED_SETS[0], of(true)),
            (SEARCHED_SETS[1], of(false)),
        ]
    }

    /// The topics of each page type of the first set.
    pub fn by_type(&self) -> [Part; TYPES.len()] {
        TYPES.map(|name| {
            let is_of = |id: &str| self.types.get(id).is_some_and(|of| of == name);
            (name, self.qrels(is_of))
        })
    }

    /// The topics.
    pub fn queries(&self) -> Queries<'_> {
        Queries {
            topics: &self.topics,
            hits: 100,
        }
    }

    /// All corpora as one crawl. The default labels its training pages out of fold.
    pub fn crawl(&self, job: &Job) -> Result<CleanedCrawl<'_>> {
        let mut inputs = Vec::new();
        for corpus in SEARCHED_SETS.into_iter().chain(OTHERS.split(' ')) {
            inputs.extend(job.corpora.inputs(corpus)?);
        }
        let scratch = job.scratch("retrieval")?;
        Ok(CleanedCrawl {
            inputs,
            parts: held_out::pipelines(job)?,
            scratch,
            headlines: Some(&self.headlines),
        })
    }
}
