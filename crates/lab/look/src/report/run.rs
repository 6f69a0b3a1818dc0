//! What a report knows of a run.

use super::documents::Documents;
use super::finding::Finding;
use super::ledger::Ledger;
use super::recipe::Card;
use super::sample::SampledPage;
use super::scores::Scores;
use serde::Serialize;
use warcsieve_corpus::DedupSummary;
use warcsieve_run::Recipe;

/// What a run did.
#[derive(Debug, Default, Serialize)]
pub struct Run {
    /// The output folder, as it was named.
    pub folder: String,
    /// Whether `_SUCCESS` is there.
    pub sealed: bool,
    /// Inputs that the run was given.
    pub listed: u64,
    /// Of these, inputs without a row.
    pub not_done: u64,
    /// Names of the first of them.
    pub not_done_names: Vec<String>,
    /// Inputs whose names a sequence of numbers lacks.
    pub gaps: Vec<String>,
    /// Sums of the manifest rows.
    pub ledger: Ledger,
    /// Counts of `documents`.
    pub documents: Documents,
    /// Scores of `blocks`; none if the run wrote none.
    pub scores: Scores,
    /// Pages drawn of those of which something is kept.
    pub kept: Vec<SampledPage>,
    /// Pages drawn of the others.
    pub dropped: Vec<SampledPage>,
    /// How the outputs were made; of several recipes the first one.
    pub card: Card,
    /// The recipes of the rows, in the order of the inputs, and how many rows each has. Of very many the first ones.
    pub recipes: Vec<(Recipe, u64)>,
    /// Rows and files that cannot be read or are not what they were, a line each.
    pub broken: Vec<String>,
    /// Sums of the tables that differ from the manifest's, a line each.
    pub differing: Vec<String>,
    /// Duplicates that were looked for afterwards, of a corpus.
    pub duplicates: Option<DedupSummary>,
    /// What looks wrong.
    pub findings: Vec<Finding>,
}
