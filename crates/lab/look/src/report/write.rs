//! The report as a page.

use super::run::Run;
use crate::REPORT;
use crate::document::{document, titled};
use serde::Serialize;
use std::collections::BTreeMap;
use warcsieve_page::WARNINGS;

#[derive(Serialize)]
struct Shown<'a> {
    runs: Vec<&'a Run>,
    /// What the warnings mean.
    warnings: BTreeMap<&'static str, &'static str>,
}

/// The page of a run, or of two runs side by side.
pub fn report_html(run: &Run, other: Option<&Run>) -> String {
    let runs: Vec<&Run> = std::iter::once(run).chain(other).collect();
    let names: Vec<&str> = runs.iter().map(|run| run.folder.as_str()).collect();
    let title = titled(&names.join(" and "), "report");
    let warnings = WARNINGS.iter().copied();
    let warnings = warnings.filter(|(word, _)| {
        runs.iter()
            .any(|run| run.ledger.warnings.contains_key(*word))
    });
    let warnings = warnings.collect();
    document(REPORT, &title, &Shown { runs, warnings }, "")
}
