//! Weights for bands of score, learned from topics with judgements.
//!
//! Weights are chosen on some topics and measured on others, in folds. So no figure is of topics on which the weights
//! were chosen.

mod ascent;

pub use ascent::ascend;

use crate::measures::{Measure, Options, measure};
use crate::qrels::Qrels;
use crate::run::Run;
use crate::search::{FieldWeight, Method, Scope, SearchIndex, Weights};
use crate::topics::Topic;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::HashMap;
use warcsieve_common::{Error, Result};
use warcsieve_eval::stats::mean;

/// The values that a weight may have.
pub const STEPS: [f64; 8] = [0.0, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0];

/// A weight is changed only if the mean of the measure grows by at least this. Smaller gains are random.
const MIN_GAIN: f64 = 1e-4;

/// The data and settings from which weights are learned.
pub struct Tuning<'a> {
    /// The index, which has bands.
    pub index: &'a SearchIndex,
    /// Topics, whose titles are the queries.
    pub topics: &'a [Topic],
    /// Their judgements.
    pub qrels: &'a Qrels,
    /// How pages are ranked.
    pub method: Method,
    /// The measure whose mean over topics is maximized.
    pub measure: Measure,
    /// Results per topic.
    pub hits: usize,
    /// Whether the weight of the title is learned; it is 0 otherwise.
    pub title: bool,
}

/// Weights that were chosen on all topics except those of a fold.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The weights.
    pub weights: Weights,
    /// The measure on the topics on which they were chosen.
    pub chosen_on: f64,
    /// The measure on the fold's own topics.
    pub held_out: f64,
    /// The same with all weights set to 1.
    pub unweighted: f64,
    /// Number of topics of the fold.
    pub topics: usize,
}

/// The weights of each fold, and those of all topics.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// In the order of their numbers.
    pub folds: Vec<Fold>,
    /// The weights chosen on all topics. They are for use, not for figures.
    pub weights: Weights,
    /// By judged topic, in their order: the measure with the weights that were not chosen on it.
    pub held_out: Vec<f64>,
    /// The same with all weights set to 1.
    pub unweighted: Vec<f64>,
}

impl Tuning<'_> {
    /// Learns weights in folds. `fold_of` returns the fold of a topic, below `folds`, by its id.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the index has no bands, or a fold has no judged topic; [`Error::Io`].
    pub fn learn(&self, folds: usize, fold_of: impl Fn(&str) -> usize) -> Result<Tuned> {
        let mut known = Known::default();
        let bounds = &self.index.settings().bands.0;
        let start = vec![1.0; bounds.len() + usize::from(self.title)];
        let unweighted = known.values(self, &start)?.clone();
        let fold_of: Vec<usize> = (self.qrels.topics.iter())
            .map(|(topic, _)| fold_of(topic))
            .collect();
        let mut held_out = unweighted.clone();
        let mut learned = Vec::new();
        for fold in 0..folds {
            let is_own = |at: usize| fold_of[at] == fold;
            let topics = fold_of.iter().filter(|&&f| f == fold).count();
            if topics == 0 || topics == fold_of.len() {
                return Err(Error::Invalid(format!(
                    "{} judged topics are too few for {folds} folds",
                    fold_of.len()
                )));
            }
            let (weights, chosen_on) = known.best(self, &start, |at| !is_own(at))?;
            let values = known.values(self, &weights)?;
            for at in (0..fold_of.len()).filter(|&at| is_own(at)) {
                held_out[at] = values[at];
            }
            learned.push(Fold {
                weights: self.weights(&weights),
                chosen_on,
                held_out: of_some(values, is_own),
                unweighted: of_some(&unweighted, is_own),
                topics,
            });
        }
        let (weights, _) = known.best(self, &start, |_| true)?;
        Ok(Tuned {
            folds: learned,
            weights: self.weights(&weights),
            held_out,
            unweighted,
        })
    }

    /// The results of all topics with some weights.
    ///
    /// # Errors
    /// Those of [`SearchIndex::scope`] and [`Scoped::hits`](crate::search::Scoped::hits).
    pub fn run(&self, weights: &Weights) -> Result<Run> {
        let scoped = self.index.scope(Scope::Weighted(weights.clone()))?;
        let answer = |topic: &Topic| {
            let hits = scoped.hits(&topic.title, &self.method, self.hits)?;
            Ok((topic.id.clone(), hits))
        };
        let topics: Result<Vec<_>> = self.topics.par_iter().map(answer).collect();
        Ok(Run {
            tag: "weighted".to_owned(),
            topics: topics?,
        })
    }

    /// Converts a point to weights: one per band, then that of the title if it is learned.
    fn weights(&self, point: &[f64]) -> Weights {
        let bounds = &self.index.settings().bands.0;
        let bands = bounds.iter().zip(point);
        Weights {
            title: FieldWeight::of(point.get(bounds.len()).copied().unwrap_or(0.0)),
            bands: bands.map(|(&b, &w)| (b, FieldWeight::of(w))).collect(),
            ..Weights::default()
        }
    }
}

/// Results that were already measured: the folds visit many of the same points.
#[derive(Default)]
struct Known(HashMap<Vec<u64>, Vec<f64>>);

impl Known {
    /// The measure of each judged topic.
    fn values(&mut self, tuning: &Tuning<'_>, point: &[f64]) -> Result<&Vec<f64>> {
        let key: Vec<u64> = point.iter().map(|weight| weight.to_bits()).collect();
        if !self.0.contains_key(&key) {
            let run = tuning.run(&tuning.weights(point))?;
            let options = Options {
                measures: vec![tuning.measure],
                ..Options::default()
            };
            let measured = measure(&[("", &run)], tuning.qrels, &options);
            let values = measured.runs[0].figures[0].values.clone();
            self.0.insert(key.clone(), values);
        }
        Ok(&self.0[&key])
    }

    /// The best point for some topics, and the mean of the measure over them.
    fn best(
        &mut self,
        tuning: &Tuning<'_>,
        start: &[f64],
        counts: impl Fn(usize) -> bool,
    ) -> Result<(Vec<f64>, f64)> {
        ascend(start, &STEPS, MIN_GAIN, |point| {
            Ok(of_some(self.values(tuning, point)?, &counts))
        })
    }
}

fn of_some(values: &[f64], counts: impl Fn(usize) -> bool) -> f64 {
    let some = values.iter().enumerate().filter(|(at, _)| counts(*at));
    mean(&some.map(|(_, value)| *value).collect::<Vec<_>>()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::fixture::{TestPage, index};
    use crate::index::{Bands, IndexSettings, IndexedText};
    use crate::search::Model;

    /// Pages that are found by their long block, while the short blocks of others mislead. The score of a block grows
    /// with its length.
    fn pages() -> Vec<TestPage> {
        let page = |at: usize| {
            let (own, other) = (format!("topic{at}"), format!("topic{}", (at + 1) % 8));
            TestPage {
                id: format!("page-{at}"),
                title: String::new(),
                blocks: vec![
                    format!("{own} and eight more words of the text of this page here"),
                    format!("{other} {other}"),
                    format!("{other} now"),
                ],
                ..TestPage::default()
            }
        };
        (0..8).map(page).collect()
    }

    #[test]
    fn weights_that_find_more_are_learned() {
        let folder = tempfile::tempdir().unwrap();
        let settings = IndexSettings {
            text: IndexedText::Raw,
            bands: Bands(vec![0.0, 0.5]),
            ..IndexSettings::default()
        };
        index(folder.path(), &settings, &pages(), 3);
        let index = SearchIndex::open(folder.path()).unwrap();
        let topic = |at: usize| Topic {
            id: at.to_string(),
            title: format!("topic{at}"),
            ..Topic::default()
        };
        let topics: Vec<_> = (0..8).map(topic).collect();
        let qrels = (0..8)
            .map(|at| format!("{at} 0 page-{at} 1\n"))
            .collect::<String>();
        let tuning = Tuning {
            index: &index,
            topics: &topics,
            qrels: &Qrels::read_from("q", qrels.as_bytes()).unwrap(),
            method: Method {
                model: Model::BM25,
                feedback: None,
            },
            measure: Measure::Mrr,
            hits: 10,
            title: false,
        };
        let fold_of = |id: &str| id.parse::<usize>().unwrap() % 2;
        let tuned = tuning.learn(2, fold_of).unwrap();
        assert_eq!(tuned.unweighted, [0.5; 8]);
        assert_eq!(tuned.held_out, [1.0; 8]);
        assert_eq!(tuned.folds.len(), 2);
        for fold in &tuned.folds {
            assert_eq!((fold.topics, fold.held_out, fold.unweighted), (4, 1.0, 0.5));
            assert!(fold.weights.band(0.0).weight < fold.weights.band(0.5).weight);
        }
        assert!(tuning.learn(3, fold_of).is_err(), "an empty fold");
    }
}
