//! What real pages cost, a page and a byte, and what crawls of such pages would.

use super::ROUNDS;
use super::measure::jobs::{Done, Job as Clean, run};
use super::measure::{Table, cell, median};
use crate::Result;
use crate::job::Job;
use std::path::Path;

const CORPORA: [&str; 6] = [
    "cleaneval-test",
    "l3s-gn1",
    "readability",
    "dragnet-a",
    "cleanportaleval",
    "wcxb-dev",
];

/// Price of an hour of one vCPU in US dollars: an assumption, of the order of the list prices of
/// compute instances on demand.
const VCPU_HOUR: f64 = 0.045;

/// A crawl: its name, its pages, and the bytes of a page with its headers.
struct Crawl {
    name: &'static str,
    pages: f64,
    page: f64,
}

/// `text::COST` says where the figures are from.
const CRAWLS: [Crawl; 4] = [
    Crawl {
        name: "ClueWeb09-B",
        pages: 50e6,
        page: 25e3,
    },
    Crawl {
        name: "ClueWeb12-B13",
        pages: 52.3e6,
        page: 37e3,
    },
    Crawl {
        name: "ClueWeb22-B",
        pages: 200e6,
        page: 164e3,
    },
    Crawl {
        name: "Common Crawl, December 2024",
        pages: 2.64e9,
        page: 164e3,
    },
];

/// The corpora's figures, and the line through them.
pub struct Measured {
    pub corpora: Table,
    pub line: Line,
}

/// CPU time of the whole job: so much a page, and so much a byte of HTML.
pub struct Line {
    seconds_a_page: f64,
    seconds_a_byte: f64,
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
        "KB a page",
        "µs a page",
        "ns a byte",
        "pages/s",
    ];
    Ok(Measured {
        corpora: Table { head, rows },
        line: Line::through(&points),
    })
}

impl Line {
    /// The line of least squares of relative errors through points of pages, bytes and seconds.
    fn through(points: &[[f64; 3]]) -> Self {
        let sum = |of: fn([f64; 2]) -> f64| -> f64 {
            let relative = |&[pages, bytes, seconds]: &[f64; 3]| [pages / seconds, bytes / seconds];
            points.iter().map(relative).map(of).sum()
        };
        let (pp, pb, bb) = (
            sum(|[p, _]| p * p),
            sum(|[p, b]| p * b),
            sum(|[_, b]| b * b),
        );
        let (p, b) = (sum(|[p, _]| p), sum(|[_, b]| b));
        let determinant = pp * bb - pb * pb;
        let seconds_a_page = (p * bb - b * pb) / determinant;
        if seconds_a_page > 0.0 {
            Self {
                seconds_a_page,
                seconds_a_byte: (b * pp - p * pb) / determinant,
            }
        } else {
            Self {
                seconds_a_page: 0.0,
                seconds_a_byte: b / bb,
            }
        }
    }

    pub fn about(&self) -> String {
        format!(
            "The line of least squares of relative errors through these: {:.1} µs a page and {:.2} ns a byte.",
            1e6 * self.seconds_a_page,
            1e9 * self.seconds_a_byte
        )
    }

    /// What crawls cost by it.
    pub fn costs(&self) -> Table {
        let row = |crawl: &Crawl| {
            let seconds = self.seconds_a_page + self.seconds_a_byte * crawl.page;
            let hours = seconds * crawl.pages / 3600.0;
            vec![
                crawl.name.to_owned(),
                cell(crawl.pages / 1e6, 0),
                cell(crawl.page / 1e3, 0),
                cell(1e6 * seconds, 0),
                cell(3600.0 / seconds / 1e6, 2),
                cell(3600.0 / seconds * crawl.page / 1e9, 0),
                cell(hours, 0),
                cell(hours * VCPU_HOUR, 0),
            ]
        };
        let head = vec![
            "pages like those of",
            "million pages",
            "KB a page",
            "µs a page",
            "million pages a core-hour",
            "GB a core-hour",
            "core-hours, all",
            "US dollars, all",
        ];
        let rows = CRAWLS.iter().map(row).collect();
        Table { head, rows }
    }
}
