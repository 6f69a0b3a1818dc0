//! The time of labelling by the networks.

use crate::corpora::{built_in, each_record};
use crate::own_time::{self, best};
use crate::{Job, Result, row, table};
use warcsieve_extract::{Engine, Labeller, Pipeline};
use warcsieve_html::document::Document;

const CORPUS: &str = "wcxb-dev";
const PIPELINES: [&str; 3] = ["web2text", "web2text-f1", "crf"];
const BLOCKS: [usize; 4] = [1_000, 10_000, 100_000, 400_000];

/// Pages per second on one thread: from the record to the labels, and for the labels alone.
pub fn pages(job: &Job) -> Result<String> {
    let pipelines = built_in(PIPELINES)?;
    let own = own_time::measure(&job.corpora, CORPUS, &pipelines)?;
    let mut rows = Vec::new();
    for (pipeline, own) in pipelines.iter().zip(&own.pipelines) {
        let per_second = 1.0 / whole(job, pipeline)?;
        let (name, own) = (&pipeline.name, own * 1e3);
        rows.push(format!("`{name}` | {per_second:.0} | {own:.2}"));
    }
    let head = "pipeline | pages per second, whole way | ms per page, labels alone";
    Ok(table(head, rows))
}

/// Seconds per page from the compressed record to the text.
fn whole(job: &Job, pipeline: &Pipeline) -> Result<f64> {
    let mut engine = Engine::new(pipeline);
    let inputs = job.corpora.inputs(CORPUS)?;
    let (mut pages, mut failed) = (0, None);
    let best = best(|| {
        pages = 0;
        let read = each_record(&inputs, |input, record| {
            pages += u32::from(engine.record(input, record).is_ok());
            Ok(())
        });
        failed = failed.take().or(read.err());
    });
    match failed {
        Some(failed) => Err(failed),
        None => Ok(best / f64::from(pages.max(1))),
    }
}

/// Nanoseconds per block on pages with increasing numbers of blocks.
pub fn growth() -> Result<String> {
    let mut rows = BLOCKS.map(|n| n.to_string());
    for pipeline in built_in(PIPELINES)? {
        let mut labeller = Labeller::new(&pipeline);
        for (blocks, row) in BLOCKS.iter().zip(&mut rows) {
            let item = "<li class=item><a href=x>One of many</a> and more of it, as on any page.";
            let html = format!("<body><ul>{}</ul>", item.repeat(blocks / 2));
            let mut doc = Document::default();
            pipeline.segmenter().segment_html(&html, &mut doc)?;
            let seconds = best(|| labeller.label(&doc));
            *row += &format!(" | {:.0}", seconds * 1e9 / doc.blocks.len() as f64);
        }
    }
    Ok(table(
        &row("blocks", PIPELINES.map(|p| format!("`{p}`"))),
        rows,
    ))
}
