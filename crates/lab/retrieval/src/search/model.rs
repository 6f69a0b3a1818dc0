//! Ranking models.

/// A ranking model: scores how well a page matches a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// Okapi BM25 (Robertson and Zaragoza 2009, Eq. 3.15) with the inverse document frequency of
    /// Lucene, which is never negative: ln(1 + (N − df + ½) / (df + ½)) · tf / (tf + k1 · (1 − b +
    /// b · length / average)).
    Bm25 {
        /// Saturation of term frequency: the lower, the less repetitions count; 0.9 by default.
        k1: f64,
        /// Length normalisation: how much long pages are penalised, 0 to 1; 0.4 by default.
        b: f64,
    },
    /// Query likelihood with Dirichlet smoothing (Zhai and Lafferty 2004, §3.2): ln((tf + μ · cf /
    /// C) / (length + μ)), where C is the number of terms on all pages.
    QueryLikelihood {
        /// Number of pseudo-terms that the collection adds to each page, more than 0; 1,000 by
        /// default.
        mu: f64,
    },
    /// TF-IDF as in Lucene 2 to 5 (`DefaultSimilarity`, later `ClassicSimilarity`), for experiments of those years: Σ
    /// √tf · idf² / √length, times the share of the query's terms that are on the page, where idf = 1 + ln(N / (1 +
    /// df)). Lucene stores 1/√length in one byte; here it is exact. Its norm of queries is left out, because it does
    /// not change the order. The text is one field.
    TfIdf,
}

impl Model {
    /// BM25 with Anserini's defaults for ad hoc search.
    pub const BM25: Self = Self::Bm25 { k1: 0.9, b: 0.4 };
    /// Query likelihood with Anserini's default.
    pub const QUERY_LIKELIHOOD: Self = Self::QueryLikelihood { mu: 1_000.0 };
}

/// Statistics of the searched pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Collection {
    /// Number of pages, including those without text.
    pub pages: u64,
    /// Number of terms on all pages.
    pub terms: u64,
}

/// A term of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// The term as returned by the analyzer.
    pub text: String,
    /// Its weight: the number of its occurrences in the query, or the weight from feedback.
    pub weight: f64,
}

/// Frequencies of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frequencies {
    /// Number of pages that contain it.
    pub document: u64,
    /// Number of its occurrences on all pages; only query likelihood uses it.
    pub collection: u64,
}

/// The contribution of a term to the score of a page, with everything that does not depend on the
/// page precomputed.
#[derive(Clone, Copy, Debug)]
pub enum TermScore {
    /// For [`Model::Bm25`].
    Bm25 {
        /// Weight times inverse document frequency.
        factor: f64,
        /// k1 · (1 − b).
        fixed: f64,
        /// k1 · b / average length.
        by_length: f64,
    },
    /// For [`Model::QueryLikelihood`].
    QueryLikelihood {
        /// Weight of the term.
        factor: f64,
        /// μ · cf / C.
        expected: f64,
        /// μ.
        mu: f64,
    },
    /// For [`Model::TfIdf`].
    TfIdf {
        /// Weight times the square of the inverse document frequency.
        factor: f64,
        /// 1 / terms of the query, including those that are on no page.
        share: f64,
    },
}

/// The inverse document frequency of a term on `df` of `n` pages.
pub(super) fn idf(n: u64, df: u64) -> f64 {
    let (n, df) = (n as f64, df as f64);
    libm::log1p((n - df + 0.5) / (df + 0.5))
}

impl TermScore {
    /// For a query of this many `terms`. `None` for a term on no page, which cannot distinguish pages.
    pub fn new(
        model: Model,
        all: Collection,
        term: &QueryTerm,
        of: Frequencies,
        terms: usize,
    ) -> Option<Self> {
        if of.document == 0 {
            return None;
        }
        let n = all.pages as f64;
        Some(match model {
            Model::Bm25 { k1, b } => Self::Bm25 {
                factor: term.weight * idf(all.pages, of.document),
                fixed: k1 * (1.0 - b),
                by_length: k1 * b * n / all.terms as f64,
            },
            Model::QueryLikelihood { mu } => Self::QueryLikelihood {
                factor: term.weight,
                expected: mu * of.collection as f64 / all.terms as f64,
                mu,
            },
            Model::TfIdf => {
                let idf = 1.0 + libm::log(n / (of.document as f64 + 1.0));
                Self::TfIdf {
                    factor: term.weight * idf * idf,
                    share: 1.0 / terms as f64,
                }
            }
        })
    }

    /// The term's contribution to the score of a page of `length` terms that contains it `tf` times; `tf` may be 0. For
    /// TF-IDF the sum must still be multiplied by the share of terms.
    pub fn of(&self, tf: u32, length: u64) -> f64 {
        let (tf, length) = (f64::from(tf), length as f64);
        match *self {
            // If k1 is 0 the quotient would be 0 / 0.
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
            // If the term is on the page, the page has at least one term.
            Self::TfIdf { factor, .. } => factor * (tf / length.max(1.0)).sqrt(),
        }
    }
}
