//! The cost of real pages, per page and per byte.

use crate::cost_model::{CostModel, in_rounds};
use crate::measure::jobs::{Job as Clean, run};
use crate::measure::{cell, median};
use crate::{Job, Page, Result, row, table};
use std::path::Path;

/// The default on this many threads.
pub fn by_default(threads: usize) -> Clean {
    Clean {
        name: "",
        settings: "",
        pipeline: "default",
        threads,
    }
}

pub fn put(job: &Job, page: Page, scratch: &Path, rounds: usize) -> Result<Page> {
    let run = |corpus: &str| run(&job.corpora.file(corpus)?, scratch, &by_default(1));
    let done = in_rounds(rounds, run)?;
    let (mut rows, mut points) = (Vec::new(), Vec::new());
    for (corpus, done) in done {
        let Some(first) = done.first() else {
            continue;
        };
        let [pages, bytes] = [first.pages as f64, first.html_bytes as f64];
        let seconds = median(done.iter().map(|d| d.time.cpu));
        points.push([pages, bytes, seconds]);
        let cells = [
            cell(pages, 0),
            cell(bytes / pages / 1e3, 1),
            cell(1e6 * seconds / pages, 0),
            cell(1e9 * seconds / bytes, 2),
            cell(pages / seconds, 0),
        ];
        rows.push(row(corpus, cells));
    }
    let model = CostModel::through(&points);
    let head = "corpus | pages | KB per page | µs per page | ns per byte | pages/s";
    Ok(page
        .put("corpora", table(head, rows))
        .put("time per page", format!("{:.1}", 1e6 * model.a_page))
        .put("time per byte", format!("{:.2}", 1e9 * model.a_byte)))
}
