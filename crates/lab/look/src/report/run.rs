//! The data of a report about a run.

use super::documents::Documents;
use super::finding::Finding;
use super::ledger::Ledger;
use super::recipe::Card;
use super::sample::SampledPage;
use super::scores::Scores;
use serde::Serialize;
use warcsieve_corpus::DedupSummary;
use warcsieve_run::Recipe;

/// The results of a run.
#[derive(Debug, Default, Serialize)]
pub struct Run {
    /// The output folder, with the name that the user typed.
    pub folder: String,
    /// Whether there is a file `_SUCCESS`.
    pub sealed: bool,
    /// How many inputs the run had.
    pub listed: u64,
    /// How many of these have no row.
    pub not_done: u64,
    /// The names of the first of these.
    pub not_done_names: Vec<String>,
    /// Names of inputs that are missing in a sequence of numbers.
    pub gaps: Vec<String>,
    /// Sums of the manifest rows.
    pub ledger: Ledger,
    /// Counts of `documents`.
    pub documents: Documents,
    /// Scores of `blocks`; none if the run wrote none.
    pub scores: Scores,
    /// Pages drawn from those with kept content.
    pub kept: Vec<SampledPage>,
    /// Pages drawn from the others.
    pub dropped: Vec<SampledPage>,
    /// How the outputs were made; if there are several recipes, the first one.
    pub card: Card,
    /// The recipes of the rows, in the order of the inputs, and how many rows each has. If there are very many, only
    /// the first ones.
    pub recipes: Vec<(Recipe, u64)>,
    /// Rows and files that cannot be read or were changed, one line each.
    pub broken: Vec<String>,
    /// Sums of the tables that differ from those of the manifest, one line each.
    pub differing: Vec<String>,
    /// The result of a later search for duplicates, for a corpus.
    pub duplicates: Option<DedupSummary>,
    /// The problems that were found.
    pub findings: Vec<Finding>,
}
