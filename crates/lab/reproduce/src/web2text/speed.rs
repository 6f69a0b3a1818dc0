//! The time of labelling by the networks.

use crate::Result;
use crate::job::Job;
use crate::old::table;
use crate::own_time;
use std::time::Instant;
use warcsieve_extract::Pipeline;
use warcsieve_extract::{Cleaner, Labeller};
use warcsieve_html::document::Document;
use warcsieve_warc::{Limits, Record, Source};

const CORPUS: &str = "wcxb-dev";
const PIPELINES: [&str; 3] = ["web2text", "web2text-f1", "crf"];
const BLOCKS: [usize; 4] = [1_000, 10_000, 100_000, 400_000];
const ROUNDS: usize = 3;

/// Pages per second on one thread: from the record to the labels, and for the labels alone.
pub fn pages(job: &Job) -> Result<String> {
    let pipelines: std::result::Result<Vec<_>, _> =
        PIPELINES.map(Pipeline::built_in).into_iter().collect();
    let pipelines = pipelines?;
    let own = own_time::measure(&job.corpora, CORPUS, &pipelines)?;
    let mut rows = Vec::new();
    for (pipeline, own) in pipelines.iter().zip(&own.pipelines) {
        let best = (0..ROUNDS).map(|_| whole(job, pipeline));
        let best = best.collect::<Result<Vec<f64>>>()?;
        let best = best.into_iter().fold(f64::INFINITY, f64::min);
        rows.push(vec![
            format!("`{}`", PIPELINES[rows.len()]),
            format!("{:.0}", 1.0 / best),
            format!("{:.2}", own * 1e3),
        ]);
    }
    Ok(table(
        &[
            "pipeline",
            "pages per second, whole way",
            "ms per page, labels alone",
        ],
        &rows,
    ))
}

/// Seconds per page from the compressed record to the text.
fn whole(job: &Job, pipeline: &Pipeline) -> Result<f64> {
    let mut cleaner = Cleaner::new(pipeline);
    let start = Instant::now();
    let mut pages = 0;
    for input in job.corpora.inputs(CORPUS)? {
        let mut source = input.reader(Limits::default())?.1;
        let mut record = Record::default();
        while source.read_record(&mut record)? {
            pages += u32::from(cleaner.clean(&input.name, &record).is_ok());
        }
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(pages.max(1)))
}

/// Nanoseconds per block on pages with increasing numbers of blocks.
pub fn growth() -> Result<String> {
    let mut rows: Vec<Vec<String>> = BLOCKS.iter().map(|n| vec![n.to_string()]).collect();
    for name in PIPELINES {
        let pipeline = Pipeline::built_in(name)?;
        let mut labeller = Labeller::new(&pipeline);
        for (blocks, row) in BLOCKS.iter().zip(&mut rows) {
            let item = "<li class=item><a href=x>One of many</a> and more of it, as on any page.";
            let html = format!("<body><ul>{}</ul>", item.repeat(blocks / 2));
            let mut doc = Document::default();
            pipeline.segmenter().segment_html(&html, &mut doc)?;
            let mut best = f64::INFINITY;
            for _ in 0..ROUNDS {
                let start = Instant::now();
                labeller.label(&doc);
                best = best.min(start.elapsed().as_secs_f64());
            }
            row.push(format!("{:.0}", best * 1e9 / doc.blocks.len() as f64));
        }
    }
    let head = std::iter::once("blocks".to_owned()).chain(PIPELINES.map(|p| format!("`{p}`")));
    Ok(table(&head.collect::<Vec<_>>(), &rows))
}
