//! Which pages an experiment leaves out, as arguments.

use std::path::PathBuf;
use warcsieve_common::Result;
use warcsieve_retrieval::omit::Omit;

#[derive(Debug, clap::Args)]
pub struct OmitArguments {
    /// Of each cluster of duplicates only one page: the clusters.parquet that `dedup` wrote.
    #[arg(long, value_name = "FILE")]
    collapse: Option<PathBuf>,
    /// Leave out pages whose score is below --min: lines of a score and an id, as the Waterloo spam
    /// rankings; pages without a score are left out, too.
    #[arg(long, value_name = "FILE", requires = "min")]
    scores: Option<PathBuf>,
    /// The least score of a page that stays, such as 70.
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
