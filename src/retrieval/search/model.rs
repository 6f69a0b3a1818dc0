//! Ranking models.

/// How well a page matches the terms of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// Okapi BM25 (Robertson and Zaragoza 2009, Eq. 3.15) with the inverse document frequency of Lucene,
    /// which is never negative: ln(1 + (N − df + ½) / (df + ½)) · tf / (tf + k1 · (1 − b + b · length / average)).
    Bm25 {
        /// How soon a repeated term stops to count; 0.9 by default.
        k1: f64,
        /// How much long pages are marked down, 0 to 1; 0.4 by default.
        b: f64,
    },
    /// Query likelihood with Dirichlet smoothing (Zhai and Lafferty 2004, §3.2):
    /// ln((tf + μ · cf / C) / (length + μ)), C being the terms of all pages.
    QueryLikelihood {
        /// Terms that the collection stands for in each page, more than 0; 1,000 by default.
        mu: f64,
    },
}

impl Model {
    /// BM25 with Anserini's defaults for ad hoc search.
    pub const BM25: Self = Self::Bm25 { k1: 0.9, b: 0.4 };
    /// Query likelihood with Anserini's default.
    pub const QUERY_LIKELIHOOD: Self = Self::QueryLikelihood { mu: 1_000.0 };
}

/// What is known of the pages that are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Collection {
    /// Pages, those without text included.
    pub pages: u64,
    /// Terms on all of them.
    pub terms: u64,
}

/// A term of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// The term as the analyzer gives it.
    pub text: String,
    /// How much it counts: how often it stands in the query, or what feedback makes of it.
    pub weight: f64,
}

/// Where a term stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frequencies {
    /// Pages that have it.
    pub document: u64,
    /// How often all pages have it together; only query likelihood asks.
    pub collection: u64,
}

/// The part of a term in the score of a page: what does not depend on the page is computed once.
#[derive(Clone, Copy, Debug)]
pub enum TermScore {
    /// Of [`Model::Bm25`].
    Bm25 {
        /// Weight by inverse document frequency.
        factor: f64,
        /// k1 · (1 − b).
        fixed: f64,
        /// k1 · b / average length.
        by_length: f64,
    },
    /// Of [`Model::QueryLikelihood`].
    QueryLikelihood {
        /// Weight of the term.
        factor: f64,
        /// μ · cf / C.
        expected: f64,
        /// μ.
        mu: f64,
    },
}

impl TermScore {
    /// `None` for a term that no page has: it tells no page from another.
    pub fn new(model: Model, all: Collection, term: &QueryTerm, of: Frequencies) -> Option<Self> {
        if of.document == 0 {
            return None;
        }
        let (n, df) = (all.pages as f64, of.document as f64);
        Some(match model {
            Model::Bm25 { k1, b } => Self::Bm25 {
                factor: term.weight * libm::log1p((n - df + 0.5) / (df + 0.5)),
                fixed: k1 * (1.0 - b),
                by_length: k1 * b * n / all.terms as f64,
            },
            Model::QueryLikelihood { mu } => Self::QueryLikelihood {
                factor: term.weight,
                expected: mu * of.collection as f64 / all.terms as f64,
                mu,
            },
        })
    }

    /// What the term adds to a page of `length` terms that has it `tf` times, 0 being one of them.
    pub fn of(&self, tf: u32, length: u64) -> f64 {
        let (tf, length) = (f64::from(tf), length as f64);
        match *self {
            // Where k1 is 0 the quotient would be none.
            Self::Bm25 { .. } if tf == 0.0 => 0.0,
            Self::Bm25 {
                factor,
                fixed,
                by_length,
            } => factor * tf / (tf + fixed + by_length * length),
            Self::QueryLikelihood {
                factor,
                expected,
                mu,
            } => factor * libm::log((tf + expected) / (length + mu)),
        }
    }
}
