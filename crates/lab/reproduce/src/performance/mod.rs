//! `performance.md`: the parts of the default's time, and how it grows.

mod crawls;
mod files;
mod pages;

use crate::machine::machine;
use crate::measure::{Table, jobs, stages};
use crate::{Job, Result, page, row, table};

/// Number of rounds; the median of their figures is used.
const ROUNDS: usize = 5;

/// The labelled corpus with the most pages and the largest ones.
const CORPUS: &str = "wcxb-dev";

pub fn write(job: &Job) -> Result {
    let scratch = job.scratch("performance")?;
    let file = job.corpora.file(CORPUS)?;
    let stages = stages::measure(&file, &scratch, ROUNDS)?;
    job.say("stages");
    let jobs = jobs::measure(&file, &scratch, ROUNDS)?;
    job.say("whole jobs");
    let page = crawls::put(job, page!("performance.md"), &scratch, ROUNDS)?;
    job.say("real pages of all sizes");
    let sizes = pages::by_size(job)?;
    job.say("page sizes");
    let blocks = pages::by_blocks(job)?;
    job.say("blocks");
    let files = files::measure(job, &file, &scratch)?;
    job.say("files and threads");
    let page = page
        .put("machine", machine())
        .put("stages", markdown(&stages.table))
        .put("note on stages", stages.note)
        .put("jobs", markdown(&jobs.table))
        .put("notes on jobs", jobs.notes.join(" "))
        .put("sizes", sizes)
        .put("blocks", blocks)
        .put("files", files);
    job.write(&page)
}

fn markdown(figures: &Table) -> String {
    let rows = figures.rows.iter().map(|cells| row(&cells[0], &cells[1..]));
    table(&figures.head.join(" | "), rows)
}
