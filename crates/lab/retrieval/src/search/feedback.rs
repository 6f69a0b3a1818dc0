//! Pseudo-relevance feedback: RM3 (Abdul-Jaleel et al. 2004) on the relevance model of Lavrenko and
//! Croft 2001.

use super::{Model, QueryTerm, Scoped};
use crate::index::Analyzer;
use crate::index::parts::decode;
use std::collections::BTreeMap;
use warcsieve_common::{Error, Result};

/// Settings for expanding a query from its first results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feedback {
    /// Pages taken as relevant; 10 by default.
    pub pages: usize,
    /// Terms taken from them; 10 by default.
    pub terms: usize,
    /// Weight of the original query, from 0 to 1; 0.5 by default.
    pub original: f64,
    /// Terms that occur on a greater share of all pages are not used; 0.1 by default, as in
    /// Anserini.
    pub max_share: f64,
}

impl Feedback {
    /// Anserini's defaults.
    pub const DEFAULT: Self = Self {
        pages: 10,
        terms: 10,
        original: 0.5,
        max_share: 0.1,
    };
}

impl Default for Feedback {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The length in characters of the terms that are used. Shorter terms are parts of numbers and names, longer ones are
/// not words.
const TERM_CHARS: std::ops::RangeInclusive<usize> = 2..=20;

impl Scoped<'_> {
    /// Expands a query. The weights of the result sum to 1; terms are in byte order.
    ///
    /// P(w) = Σ P(w | page) · P(page | query) over the first results. P(w | page) is the term's share of the page's
    /// terms, each with its weight in the scope. P(page | query) is the normalised likelihood (query likelihood) or
    /// score (BM25, TF-IDF). Anchors are not used. The most likely terms, normalised, are mixed with the query.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the index stores no text.
    pub fn expand(
        &self,
        model: Model,
        query: &[QueryTerm],
        by: &Feedback,
    ) -> Result<Vec<QueryTerm>> {
        let settings = &self.index.settings;
        if !settings.store {
            let why = "feedback needs the pages' text, which this index does not store; index without \
                       --no-store";
            return Err(Error::Invalid(why.to_owned()));
        }
        let found = self.rank(model, query, by.pages)?;
        let best = found.first().map_or(0.0, |f| f64::from(f.score));
        let likelihood = |score: f32| match model {
            Model::Bm25 { .. } | Model::TfIdf => f64::from(score),
            Model::QueryLikelihood { .. } => libm::exp(f64::from(score) - best),
        };
        let sum: f64 = found.iter().map(|f| likelihood(f.score)).sum();
        let mut analyzer = Analyzer::new(settings.stemming);
        let mut mixture = BTreeMap::<String, f64>::new();
        for page in &found {
            let shown = self.index.show(page)?;
            let mut counts = BTreeMap::<String, f64>::new();
            let mut length = 0.0;
            let mut count = |text: &str, weight: f64| {
                if weight > 0.0 {
                    analyzer.terms(text, |term| {
                        length += weight;
                        *counts.entry(term.to_owned()).or_default() += weight;
                    });
                }
            };
            count(&shown.title, self.scope.weight_of_title(settings));
            match self.scope.weight_of_text() {
                Some(weight) => count(&shown.text, weight),
                None => {
                    for (part, text) in decode(&shown.parts, &shown.text) {
                        count(text, self.scope.weight_of(&part, settings));
                    }
                }
            }
            let share = likelihood(page.score) / sum / length.max(f64::MIN_POSITIVE);
            for (term, n) in counts {
                *mixture.entry(term).or_default() += share * n;
            }
        }
        let taken = self.most_likely(mixture, by)?;
        let in_query: f64 = query.iter().map(|t| t.weight).sum();
        let in_taken: f64 = taken.iter().map(|t| t.weight).sum();
        let mut mixed = BTreeMap::<&str, f64>::new();
        let original = if taken.is_empty() { 1.0 } else { by.original };
        for (terms, weight) in [
            (query, original / in_query),
            (&taken, (1.0 - original) / in_taken),
        ] {
            for term in terms {
                *mixed.entry(&term.text).or_default() += weight * term.weight;
            }
        }
        let term = |(text, weight): (&str, f64)| QueryTerm {
            text: text.to_owned(),
            weight,
        };
        Ok(mixed
            .into_iter()
            .map(term)
            .filter(|t| t.weight > 0.0)
            .collect())
    }

    /// The most likely usable terms; of equally likely ones the first in byte order.
    fn most_likely(&self, mixture: BTreeMap<String, f64>, by: &Feedback) -> Result<Vec<QueryTerm>> {
        let mut terms: Vec<_> = mixture.into_iter().collect();
        terms.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let most = by.max_share * self.all.pages as f64;
        let mut taken = Vec::new();
        for (text, weight) in terms {
            if taken.len() == by.terms {
                break;
            }
            if TERM_CHARS.contains(&text.chars().count())
                && self.document_frequency(&text)? as f64 <= most
            {
                taken.push(QueryTerm { text, weight });
            }
        }
        Ok(taken)
    }
}
