//! Ranking by fields of different weight.
//!
//! BM25F (Zaragoza et al. 2004; Robertson and Zaragoza 2009, §3.6): the frequencies of a term in the fields of a page
//! are each normalised by the length of the field. Then they are summed with the fields' weights, and the sum is
//! saturated once: idf · t / (k1 + t), t = Σ w · tf / (1 − b + b · length / average).
//!
//! The mixture of field models (Ogilvie and Callan 2003, Eq. 4): P(term | page) = Σ λ · (tf + μ · cf / C) / (length +
//! μ), with weights λ that sum to 1. The μ pseudo-terms of a page are divided among its fields in proportion to the
//! collection's terms.
//!
//! With one field, both are the formulas of [`Model`].

use super::model::{Collection, Frequencies, Model, QueryTerm, idf};
use super::weights::FieldWeight;
use warcsieve_common::{Error, Result};

/// The values of each field that do not depend on the term.
#[derive(Clone, Debug)]
pub(super) enum FieldScores {
    Bm25f { k1: f64, fields: Vec<Normalised> },
    Mixture { fields: Vec<Smoothed> },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Normalised {
    weight: f64,
    /// 1 − b.
    fixed: f64,
    /// b / average length.
    by_length: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Smoothed {
    lambda: f64,
    mu: f64,
    /// The number of terms on all pages.
    terms: f64,
}

/// The contribution of a term to the score.
#[derive(Clone, Debug)]
pub(super) struct FieldTerm {
    /// Weight, for BM25F times the inverse document frequency.
    pub factor: f64,
    /// μ · cf / C for each field; only the mixture uses it.
    pub expected: Vec<f64>,
}

impl FieldScores {
    /// `each` is the collection of each field.
    ///
    /// # Errors
    /// The model has no variant with fields.
    pub fn new(model: Model, weights: &[FieldWeight], each: &[Collection]) -> Result<Self> {
        let all: u64 = each.iter().map(|field| field.terms).sum();
        let sum: f64 = weights.iter().map(|by| by.weight).sum();
        let fields = weights.iter().zip(each);
        Ok(match model {
            Model::TfIdf => {
                let why = "TF-IDF ranks text as one field: search without weights, or by BM25";
                return Err(Error::Invalid(why.to_owned()));
            }
            Model::Bm25 { k1, b } => {
                let of = |(by, field): (&FieldWeight, &Collection)| {
                    let b = by.b.unwrap_or(b);
                    Normalised {
                        weight: by.weight,
                        fixed: 1.0 - b,
                        // If a field has no terms on any page, no term is found in it.
                        by_length: b * field.pages as f64 / field.terms.max(1) as f64,
                    }
                };
                Self::Bm25f {
                    k1,
                    fields: fields.map(of).collect(),
                }
            }
            Model::QueryLikelihood { mu } => {
                let of = |(by, field): (&FieldWeight, &Collection)| Smoothed {
                    lambda: by.weight / sum,
                    mu: mu * field.terms as f64 / all.max(1) as f64,
                    terms: field.terms.max(1) as f64,
                };
                Self::Mixture {
                    fields: fields.map(of).collect(),
                }
            }
        })
    }

    /// A term that is on `document` pages, and its occurrences in each field. `None` for a term on no page.
    pub fn term(
        &self,
        term: &QueryTerm,
        pages: u64,
        of: &Frequencies,
        occurrences: &[u64],
    ) -> Option<FieldTerm> {
        if of.document == 0 {
            return None;
        }
        Some(match self {
            Self::Bm25f { .. } => FieldTerm {
                factor: term.weight * idf(pages, of.document),
                expected: Vec::new(),
            },
            Self::Mixture { fields } => {
                let expected = fields.iter().zip(occurrences);
                let expected = expected.map(|(field, &cf)| field.mu * cf as f64 / field.terms);
                FieldTerm {
                    factor: term.weight,
                    expected: expected.collect(),
                }
            }
        })
    }
}

impl Normalised {
    /// The weight of a term that occurs `tf` times in a field of this length.
    pub fn weigh(&self, tf: u32, length: u32) -> f64 {
        let norm = self.fixed + self.by_length * f64::from(length);
        self.weight * f64::from(tf) / norm
    }
}

impl Smoothed {
    /// The divisor of frequencies in a field of this length.
    pub fn denominator(&self, length: u32) -> f64 {
        f64::from(length) + self.mu
    }

    /// The field's share of the likelihood of a term; 0 for a field without terms on any page.
    pub fn share(&self, tf: u32, expected: f64, denominator: f64) -> f64 {
        match self.mu > 0.0 {
            true => self.lambda * (f64::from(tf) + expected) / denominator,
            false => 0.0,
        }
    }
}

impl FieldTerm {
    /// The term's contribution with BM25F, from its weighted frequency.
    pub fn saturated(&self, k1: f64, weighted: f64) -> f64 {
        // If k1 is 0 the quotient would be 0 / 0.
        match weighted == 0.0 {
            true => 0.0,
            false => self.factor * weighted / (k1 + weighted),
        }
    }
}
