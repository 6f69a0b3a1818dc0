//! The cost of real pages, per page and per byte.

use super::ROUNDS;
use crate::Result;
use crate::job::Job;
use crate::line::{CORPORA, Line};
use crate::measure::jobs::{Done, Job as Clean, run};
use crate::measure::{Table, cell, median};
use std::path::Path;

/// The figures of the corpora, and the line fitted to them.
pub struct Measured {
    pub corpora: Table,
    pub line: Line,
}

pub fn measure(job: &Job, scratch: &Path) -> Result<Measured> {
    let cleaned = Clean {
        name: "",
        settings: "",
        pipeline: "default",
        threads: 1,
    };
    let mut done: [Vec<Done>; CORPORA.len()] = Default::default();
    for _ in 0..ROUNDS {
        for (corpus, done) in CORPORA.iter().zip(&mut done) {
            done.push(run(&job.corpora.file(corpus)?, scratch, &cleaned)?);
        }
    }
    let (mut rows, mut points) = (Vec::new(), Vec::new());
    for (corpus, done) in CORPORA.iter().zip(&done) {
        let [pages, bytes] = match done.first() {
            Some(done) => [done.pages as f64, done.html_bytes as f64],
            None => continue,
        };
        let seconds = median(done.iter().map(|d| d.time.cpu));
        points.push([pages, bytes, seconds]);
        rows.push(vec![
            (*corpus).to_owned(),
            cell(pages, 0),
            cell(bytes / pages / 1e3, 1),
            cell(1e6 * seconds / pages, 0),
            cell(1e9 * seconds / bytes, 2),
            cell(pages / seconds, 0),
        ]);
    }
    let head = vec![
        "corpus",
        "pages",
        "KB per page",
        "µs per page",
        "ns per byte",
        "pages/s",
    ];
    Ok(Measured {
        corpora: Table { head, rows },
        line: Line::through(&points),
    })
}

impl Measured {
    pub fn about(&self) -> String {
        format!(
            "The line through these points with the least squares of relative errors is {:.1} µs per page plus {:.2} ns per byte.",
            1e6 * self.line.a_page,
            1e9 * self.line.a_byte
        )
    }
}
