//! `crawl.md`: the gain of the default on pages of a site that share texts.

mod rules;
mod sets;
mod synthetic;

use crate::{Job, Result, page};

pub fn write(job: &Job) -> Result {
    let page = sets::put(job, page!("crawl.md"))?;
    job.say("sets");
    job.write(&synthetic::put(job, page)?)
}
