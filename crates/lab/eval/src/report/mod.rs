//! Writes an evaluation: tables for people, files for programs.

mod columns;
mod csv;
pub mod grid;
mod json;
mod left_out;
mod markdown;
mod pages;

pub use csv::csv;
pub use json::json;
pub use left_out::left_out;
pub use markdown::{inspect_command, markdown, table, worst_pages};

use super::run::Evaluation;
use super::summary::Summary;
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_store::write_atomically;

/// The contents of a report in addition to the figures.
pub struct Options {
    /// The gold, as named on the command line.
    pub gold: String,
    /// Number of worst pages listed for each pipeline.
    pub worst: usize,
}

/// Writes `report.md`, `summary.csv` and `pages.parquet` into `folder`.
///
/// # Errors
/// The folder or a file cannot be written.
pub fn write(
    folder: &Path,
    evaluation: &Evaluation,
    summaries: &[Summary],
    options: &Options,
) -> Result<()> {
    let text = |name: &str, text: String| write_atomically(&folder.join(name), text.as_bytes());
    text("report.md", markdown(evaluation, summaries, options))?;
    text("summary.csv", csv(evaluation, summaries))?;
    pages::write(&folder.join("pages.parquet"), evaluation)
}
