//! The whole job against inflating the same file and nothing else, in turn, in one run.

use super::clock::{Time, time};
use super::input::gunzip;
use super::{Result, Table, cell, median, memory, pipeline};
use std::path::Path;
use std::sync::Arc;
use warcsieve_engine::{Naming, Progress, list_inputs};
use warcsieve_run::{OutputFolder, RunOptions, clean};
use warcsieve_store::Stores;

/// A way to clean a file.
pub struct Job {
    pub name: &'static str,
    /// Put before the pipeline.
    pub settings: &'static str,
    pub pipeline: &'static str,
    pub threads: usize,
}

const NO_TEXT: &str = "features = \"core\"\nblock_text = \"none\"\nzstd = 1\n";

const ONE: usize = 0;
const TWO: usize = 5;

const JOBS: [Job; 6] = [
    Job {
        name: "documents and blocks, `block_text = \"none\"`",
        settings: NO_TEXT,
        pipeline: "default",
        threads: 1,
    },
    Job {
        name: "the same, `block_text = \"all\"`",
        settings: "",
        pipeline: "default",
        threads: 1,
    },
    Job {
        name: "the same, `features = \"structure\"`",
        settings: "features = \"structure\"\n",
        pipeline: "default",
        threads: 1,
    },
    Job {
        name: "documents only, `blocks = false`",
        settings: "blocks = false\n",
        pipeline: "default",
        threads: 1,
    },
    Job {
        name: "`numwords`, `block_text = \"none\"`",
        settings: NO_TEXT,
        pipeline: "numwords",
        threads: 1,
    },
    Job {
        name: "default, `block_text = \"none\"`, two threads",
        settings: NO_TEXT,
        pipeline: "default",
        threads: 2,
    },
];

/// What a job took, and the pages it made of how many bytes of HTML.
pub struct Done {
    pub time: Time,
    pub pages: u64,
    pub html_bytes: u64,
}

/// Cleans a file into a new folder, which is removed again.
pub fn run(file: &Path, scratch: &Path, job: &Job) -> Result<Done> {
    let pipeline = pipeline(job.settings, job.pipeline)?;
    let inputs = list_inputs(
        &[file.display().to_string()],
        &Naming::default(),
        &Stores::default(),
    )?;
    let out = tempfile::tempdir_in(scratch)?;
    let options = RunOptions {
        threads: job.threads,
        ..RunOptions::default()
    };
    let progress = Arc::new(Progress::default());
    let folder = OutputFolder::new(out.path());
    let (time, summary) = time(|| clean(&inputs, &pipeline, &folder, &options, &progress))?;
    if let Some(failed) = summary.failed.first() {
        return Err(format!("{}: {}", failed.name, failed.error).into());
    }
    Ok(Done {
        time,
        pages: summary.done.pages.documents,
        html_bytes: summary.done.pages.html_bytes,
    })
}

/// The jobs beside inflation, and what is said of two threads.
pub struct Jobs {
    pub table: Table,
    /// A sentence a figure.
    pub notes: Vec<String>,
}

/// Measures all jobs on a file.
pub fn measure(file: &Path, scratch: &Path, rounds: usize) -> Result<Jobs> {
    let out = tempfile::tempdir_in(scratch)?;
    let peak = memory::peak(file, out.path(), 2)?;
    let mut base = Vec::new();
    let mut done: [Vec<Done>; JOBS.len()] = Default::default();
    let mut decoded = 0;
    for _ in 0..rounds {
        let inflated = gunzip(file)?;
        base.push(inflated.0);
        decoded = inflated.1;
        for (job, done) in JOBS.iter().zip(&mut done) {
            done.push(run(file, scratch, job)?);
        }
    }
    let mb = decoded as f64 / 1e6;
    let row = |name: &str, pages: u64, times: Vec<Time>| {
        let wall = median(times.iter().map(|t| t.wall));
        let ratio = |of: fn(&Time) -> f64| {
            let ratios = base.iter().zip(&times).map(|(b, t)| of(b) / of(t));
            cell(median(ratios), 3)
        };
        vec![
            name.to_owned(),
            cell(wall, 3),
            cell(median(times.iter().map(|t| t.cpu)), 2),
            cell(mb / wall, 0),
            cell(pages as f64 / wall, 0),
            ratio(|t| t.wall),
            ratio(|t| t.cpu),
        ]
    };
    let times = |done: &[Done]| done.iter().map(|d| d.time).collect::<Vec<_>>();
    let (pages, html) = done[ONE]
        .first()
        .map_or((0, 0), |d| (d.pages, d.html_bytes));
    let mut rows = vec![row("gunzip alone (flate2, zlib-rs)", pages, base.clone())];
    for (job, done) in JOBS.iter().zip(&done) {
        rows.push(row(job.name, pages, times(done)));
    }
    let more = |of: fn(&Time) -> f64| {
        let pairs = done[ONE].iter().zip(&done[TWO]);
        median(pairs.map(|(one, two)| of(&two.time) / of(&one.time)))
    };
    let notes = vec![
        format!(
            "{pages} pages of {} KB of HTML, in a file of {} MB inflated; {rounds} rounds.",
            cell(html as f64 / pages as f64 / 1e3, 1),
            cell(mb, 0)
        ),
        format!(
            "Two threads on one file: {} × as fast as one, with {} times the CPU time.",
            cell(1.0 / more(|t| t.wall), 2),
            cell(more(|t| t.cpu), 2)
        ),
        format!(
            "Peak anonymous memory of `warcsieve clean --threads 2` on it: {} MiB.",
            cell(peak / f64::from(1 << 20), 0)
        ),
    ];
    let head = vec![
        "",
        "seconds",
        "CPU seconds",
        "MB/s",
        "pages/s",
        "gunzip / job",
        "gunzip / job, CPU",
    ];
    let table = Table { head, rows };
    Ok(Jobs { table, notes })
}
