//! Arguments that leave pages out of an experiment.

use std::path::PathBuf;
use warcsieve_common::Result;
use warcsieve_retrieval::omit::Omit;

#[derive(Debug, clap::Args)]
pub struct OmitArguments {
    /// Use only one page of each cluster of duplicates: the clusters.parquet that `dedup` wrote.
    #[arg(long, value_name = "FILE")]
    collapse: Option<PathBuf>,
    /// Leave out pages whose score is below --min, and pages without a score. Lines of a score and
    /// an id, like the Waterloo spam rankings.
    #[arg(long, value_name = "FILE", requires = "min")]
    scores: Option<PathBuf>,
    /// Minimum score of a page that stays, such as 70.
    #[arg(
        long,
        value_name = "N",
        requires = "scores",
        allow_negative_numbers = true
    )]
    min: Option<f64>,
}

impl OmitArguments {
    /// Reads the files.
    pub fn read(&self) -> Result<Omit> {
        Omit::read(
            self.collapse.as_deref(),
            self.scores.as_deref().zip(self.min),
        )
    }
}
