//! Vogels, Ganea, Eickhoff: Web2Text: Deep Structured Boilerplate Removal, 2018: `web2text.md`.

mod curves;
mod divisions;
mod leaf_tables;
mod leaves;
mod speed;
mod splits;
mod table2;
mod wcxb;

pub use splits::write as write_splits;
pub use table2::read as clean_eval;

use crate::{Job, Result, page};
use curves::curves;

pub fn write(job: &Job) -> Result {
    let growth = speed::growth()?;
    job.say("growth");
    let page = table2::put(job, page!("web2text.md"))?;
    let wcxb = wcxb::measure(job)?;
    let title = "WCXB and Readability, all pages";
    curves(job, &wcxb.learned, title, "wcxb")?;
    let elsewhere = wcxb::elsewhere(job)?;
    job.say("other corpora");
    let which = match wcxb.is_shipped()? {
        true => "exactly the same networks",
        false => "different networks, which can happen on another kind of machine",
    };
    let page = page
        .put("which", which)
        .put("wcxb", wcxb.scores())
        .put("elsewhere", elsewhere)
        .put("speed", speed::pages(job)?)
        .put("growth", growth);
    job.write(&page)
}
