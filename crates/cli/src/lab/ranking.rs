//! Arguments for the ranking of pages.

use warcsieve_retrieval::search::{Feedback, Method, Model};

/// How pages are ranked.
#[derive(Debug, clap::Args)]
pub struct Ranking {
    /// BM25, query likelihood with Dirichlet smoothing, TF-IDF as Lucene had it in 2010, or one of
    /// the first two with relevance feedback.
    #[arg(long, value_name = "MODEL", value_enum, default_value = "bm25")]
    model: ModelName,
    /// BM25: how slowly further occurrences of a term count less (k1).
    #[arg(long, value_name = "X", default_value = "0.9", value_parser = not_negative)]
    k1: f64,
    /// BM25: how much long pages are penalized, 0 to 1.
    #[arg(long, value_name = "X", default_value = "0.4", value_parser = share)]
    b: f64,
    /// Query likelihood: number of terms of the collection that are added to each page (Dirichlet
    /// mu).
    #[arg(long, value_name = "X", default_value = "1000", value_parser = mu)]
    mu: f64,
    /// Feedback: pages assumed to be relevant.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..))]
    fb_pages: u16,
    /// Feedback: terms taken from them.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..))]
    fb_terms: u16,
    /// Feedback: weight of the original query, 0 to 1.
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = share)]
    fb_original: f64,
    /// Feedback: terms on a greater share of all pages are not used.
    #[arg(long, value_name = "X", default_value = "0.1", value_parser = share)]
    fb_max_share: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum ModelName {
    Bm25,
    Ql,
    /// TF-IDF as Lucene had it in 2010.
    TfIdf,
    /// The relevance model of Lavrenko and Croft: RM3 without the query.
    Rm1,
    /// RM3 on query likelihood.
    Rm3,
    /// RM3 on BM25.
    Bm25Rm3,
}

fn number(text: &str, fits: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && fits(x) => Ok(x),
        _ => Err(format!("expected a number{what}")),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |x| x >= 0.0, ", 0 or more")
}

fn mu(text: &str) -> Result<f64, String> {
    number(text, |x| x >= 0.001, ", 0.001 or more")
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |x| (0.0..=1.0).contains(&x), " from 0 to 1")
}

impl Ranking {
    /// The method.
    pub fn method(&self) -> Method {
        Method {
            model: match self.model {
                ModelName::Bm25 | ModelName::Bm25Rm3 => Model::Bm25 {
                    k1: self.k1,
                    b: self.b,
                },
                ModelName::TfIdf => Model::TfIdf,
                ModelName::Ql | ModelName::Rm1 | ModelName::Rm3 => {
                    Model::QueryLikelihood { mu: self.mu }
                }
            },
            feedback: self.has_feedback().then(|| Feedback {
                pages: usize::from(self.fb_pages),
                terms: usize::from(self.fb_terms),
                original: match self.model {
                    ModelName::Rm1 => 0.0,
                    _ => self.fb_original,
                },
                max_share: self.fb_max_share,
            }),
        }
    }

    fn has_feedback(&self) -> bool {
        let models = [ModelName::Rm1, ModelName::Rm3, ModelName::Bm25Rm3];
        models.contains(&self.model)
    }

    /// Its name, which is also the default name of runs.
    pub fn name(&self) -> &'static str {
        match self.model {
            ModelName::Bm25 => "bm25",
            ModelName::Ql => "ql",
            ModelName::TfIdf => "tf-idf",
            ModelName::Rm1 => "rm1",
            ModelName::Rm3 => "rm3",
            ModelName::Bm25Rm3 => "bm25-rm3",
        }
    }
}
