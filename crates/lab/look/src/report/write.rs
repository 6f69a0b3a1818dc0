//! The report as a page.

use super::run::Run;
use crate::REPORT;
use crate::document::document;
use serde::Serialize;

#[derive(Serialize)]
struct Shown<'a> {
    runs: Vec<&'a Run>,
}

/// The page of a run, or of two runs side by side.
pub fn report_html(run: &Run, other: Option<&Run>) -> String {
    let runs: Vec<&Run> = std::iter::once(run).chain(other).collect();
    let names: Vec<&str> = runs.iter().map(|run| run.folder.as_str()).collect();
    let title = format!("{} · warcsieve report", names.join(" and "));
    document(REPORT, &title, &Shown { runs }, "")
}
