//! `performance.md`: where the time of the default goes, and how it grows.

mod crawls;
mod files;
mod pages;
mod text;

use crate::Result;
use crate::job::Job;
use crate::measure::{Table, jobs, stages};
use crate::old::table;
use std::fs;
use std::process::Command;

/// Number of rounds; the median of their figures is used.
const ROUNDS: usize = 5;

/// The labelled corpus with the most pages and the largest ones.
const CORPUS: &str = "wcxb-dev";

pub fn write(job: &Job) -> Result {
    let scratch = job.scratch("performance")?;
    let figures = job.figures("performance")?;
    let file = job.corpora.file(CORPUS)?;
    let stages = stages::measure(&file, &scratch, ROUNDS)?;
    job.say("stages");
    let jobs = jobs::measure(&file, &scratch, ROUNDS)?;
    job.say("whole jobs");
    let crawls = crawls::measure(job, &scratch)?;
    job.say("real pages of all sizes");
    let sizes = pages::by_size(&figures)?;
    job.say("page sizes");
    let blocks = pages::by_blocks(&figures)?;
    job.say("blocks");
    let files = files::measure(&file, &scratch, &figures)?;
    job.say("files and threads");
    let text = [
        text::HEAD.to_owned(),
        machine(),
        format!("\n## Which steps take the time?\n\n{}\n", text::STAGES),
        markdown(&stages.table),
        format!("\n{}\n", stages.note),
        format!("\n## The whole job beside inflation\n\n{}\n", text::JOBS),
        markdown(&jobs.table),
        format!("\n{}\n", jobs.notes.join(" ")),
        format!("\n## Real pages, small and large\n\n{}\n", text::CORPORA),
        markdown(&crawls.corpora),
        format!("\n{}\n{}\n", crawls.about(), text::COST),
        format!(
            "\n## How does the time grow with the page?\n\n{}\n",
            text::SIZES
        ),
        markdown(&sizes),
        format!("\n{}\n", text::BLOCKS),
        markdown(&blocks),
        format!(
            "\n## How does the time change with threads and files?\n\n{}\n",
            text::FILES
        ),
        markdown(&files),
        text::TAIL.to_owned(),
    ];
    job.page("performance.md", &text.concat())
}

fn markdown(figures: &Table) -> String {
    table(&figures.head, &figures.rows)
}

/// A description of the machine.
pub fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|l| l.strip_prefix("model name"));
    let cpu = cpu.map_or("an unknown CPU", |name| name.trim_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map_or(String::new(), |o| {
        String::from_utf8_lossy(&o.stdout).trim().to_owned()
    });
    format!(
        "Measured on {cpu}, {cores} cores, version {}, {rustc}.\n",
        env!("CARGO_PKG_VERSION")
    )
}
